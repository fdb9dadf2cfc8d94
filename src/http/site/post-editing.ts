// Writing, changing and publishing one's own posts.

import { Hono } from 'hono';
import { editPost, type Post, postFor, publishDraft, writePost } from '../../community/post.ts';
import type { User } from '../../identity/user.ts';
import { forMember, fromMember } from '../signed-in.ts';
import type { PageContext, PageEnv } from '../visitor.ts';
import type { SiteDoor } from './door.ts';
import { notFoundPage } from './failures.ts';
import { POST_PATH } from './post.ts';
import { type PostForm, postFormPage, readPostText } from './post-form.ts';

export function postEditing(site: SiteDoor): Hono<PageEnv> {
  const door = new Hono<PageEnv>();
  addWriting(door, site);
  addEditing(door, site);
  door.post(
    `${POST_PATH}/publish`,
    fromMember(async (c, user) => {
      const id = postId(c);
      if (!(await publishDraft(site.community, user.id, id))) return notFoundPage(c);
      return c.redirect(`/posts/${id}`, 303);
    }),
  );
  // Whoever had to sign in before publishing comes back here, and presses the button again.
  door.get(`${POST_PATH}/publish`, (c) => c.redirect(`/posts/${postId(c)}`, 303));
  return door;
}

/** The member's own post, draft or published. Undefined if there is none with this number. */
export async function ownPost(site: SiteDoor, c: PageContext, user: User): Promise<Post | undefined> {
  const post = await postFor(site.community, user.id, postId(c));
  return post?.userId === user.id ? post : undefined;
}

export function postId(c: PageContext): number {
  return Number(c.req.param('id'));
}

function addWriting(door: Hono<PageEnv>, site: SiteDoor): void {
  const { community } = site;
  const formPage = async (
    c: PageContext,
    form: Pick<PostForm, 'problems'> & Partial<Pick<PostForm, 'text'>>,
  ) => {
    const categories = await community.store.categories();
    const empty = { title: '', body: '', categoryId: categories[0]?.id ?? 0 };
    return postFormPage(c, { action: '/write', kind: 'new', text: empty, categories, ...form });
  };
  door.get(
    '/write',
    forMember((c) => formPage(c, { problems: {} })),
  );
  door.post(
    '/write',
    fromMember(async (c, user, form) => {
      const text = readPostText(form);
      const status = form.text('action') === 'publish' ? 'published' : 'draft';
      const written = await writePost(community, user.id, text, status);
      if ('problems' in written) return formPage(c, { text, problems: written.problems });
      return c.redirect(`/posts/${written.id}`, 303);
    }),
  );
}

function addEditing(door: Hono<PageEnv>, site: SiteDoor): void {
  const { community } = site;
  const formPage = async (c: PageContext, post: Post, form: Pick<PostForm, 'text' | 'problems'>) => {
    const kind = post.status === 'draft' ? 'draft' : 'published';
    const categories = await community.store.categories();
    return postFormPage(c, { action: `/posts/${post.id}/edit`, kind, categories, ...form });
  };
  door.get(
    `${POST_PATH}/edit`,
    forMember(async (c, user) => {
      const post = await ownPost(site, c, user);
      if (post === undefined) return notFoundPage(c);
      const categories = await community.store.categories();
      const categoryId = categories.find(({ slug }) => slug === post.categorySlug)?.id ?? 0;
      return formPage(c, post, { text: { title: post.title, body: post.body, categoryId }, problems: {} });
    }),
  );
  door.post(
    `${POST_PATH}/edit`,
    fromMember(async (c, user, form) => {
      const post = await ownPost(site, c, user);
      const text = readPostText(form);
      const written = post && (await editPost(community, user.id, post.id, text));
      if (post === undefined || written === undefined) return notFoundPage(c);
      if ('problems' in written) return formPage(c, post, { text, problems: written.problems });
      if (form.text('action') === 'publish') await publishDraft(community, user.id, post.id);
      return c.redirect(`/posts/${post.id}`, 303);
    }),
  );
}
