// Writing, changing and publishing one's own posts.

import { Hono } from 'hono';
import { html } from 'hono/html';
import { saveDraft } from '../../../community/draft.ts';
import { paced, type TooFast } from '../../../community/pace.ts';
import {
  editPost,
  type Post,
  type PostText,
  postFor,
  problemsWith,
  publishDraft,
  writePost,
} from '../../../community/post.ts';
import type { User } from '../../../identity/user.ts';
import { MINUTE, SECOND } from '../../../lib/clock.ts';
import type { PostedForm } from '../../form-page.ts';
import { bilingual } from '../../language.ts';
import { POST_PATH, postPath } from '../../post-path.ts';
import { forMember, fromMember } from '../../signed-in.ts';
import type { PageContext, PageEnv } from '../../visitor.ts';
import type { SiteDoor } from '../door.ts';
import { notFoundPage } from '../failures.ts';
import { type PostForm, postFormPage, readPostText, readVersion } from './form.ts';

export function postEditing(site: SiteDoor): Hono<PageEnv> {
  const door = new Hono<PageEnv>();
  const { community } = site;
  door.get(
    '/write',
    forMember(async (c) => {
      const [first] = await community.store.categories();
      const text = { title: '', body: '', categoryId: first?.id ?? 0 };
      return formPage(site, c, { post: undefined, text, problems: {}, version: undefined });
    }),
  );
  door.post(
    '/write',
    fromMember((c, user, form) => write(site, c, user, form)),
  );
  door.get(
    `${POST_PATH}/edit`,
    forMember(async (c, user) => {
      const post = await ownPost(site, c, user);
      return post === undefined ? notFoundPage(c) : formPage(site, c, await formOf(site, post));
    }),
  );
  door.post(
    `${POST_PATH}/edit`,
    fromMember((c, user, form) => edit(site, c, user, form)),
  );
  door.post(
    `${POST_PATH}/publish`,
    fromMember((c, user) => publish(site, c, user)),
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

/** Why somebody who posts too much has to wait, and until when. */
export function tooFastText(c: PageContext, { retryAfterSeconds }: TooFast, what: 'post' | 'draft'): string {
  const t = words[c.get('visitor').language];
  c.header('Retry-After', String(retryAfterSeconds));
  return t.tooFast[what](Math.ceil((retryAfterSeconds * SECOND) / MINUTE));
}

type Answer = Promise<Response>;

async function write(site: SiteDoor, c: PageContext, user: User, form: PostedForm): Answer {
  const { community } = site;
  const text = readPostText(form);
  const asked: PostForm = { post: undefined, text, problems: {}, version: undefined };
  if (form.text('action') === 'preview') return formPage(site, c, { ...asked, isPreview: true });
  const status = form.text('action') === 'publish' ? 'published' : 'draft';
  const problems = await problemsWith(community, text, status);
  if (problems !== undefined) return formPage(site, c, { ...asked, problems });
  const what = status === 'draft' ? 'draft' : 'post';
  const tooFast = await paced(community, what, user.id);
  if (tooFast !== undefined) return tooFastPage(site, c, asked, tooFast, what);
  const written = await writePost(community, user.id, text, status);
  if ('problems' in written) return formPage(site, c, { ...asked, problems: written.problems });
  return c.redirect(postPath({ id: written.id, title: text.title, status }), 303);
}

async function edit(site: SiteDoor, c: PageContext, user: User, form: PostedForm): Answer {
  const { community } = site;
  const post = await ownPost(site, c, user);
  if (post === undefined) return notFoundPage(c);
  const text = readPostText(form);
  const asked: PostForm = { post, text, problems: {}, version: readVersion(form) };
  if (form.text('action') === 'preview') return formPage(site, c, { ...asked, isPreview: true });
  const publishes = post.status === 'draft' && form.text('action') === 'publish';
  if (publishes) {
    const refusal = await refusalToPublish(site, c, user, asked);
    if (refusal !== undefined) return refusal;
  }
  const save = post.status === 'draft' ? saveDraft : editPost;
  const saved = await save(community, user.id, post.id, text, asked.version);
  if (saved === undefined) return notFoundPage(c);
  if ('problems' in saved) return formPage(site, c, { ...asked, problems: saved.problems });
  if ('newer' in saved) return newerPage(site, c, saved.newer, text);
  if (publishes) await publishDraft(community, user.id, post.id);
  return c.redirect(postPath({ ...post, ...text, status: publishes ? 'published' : post.status }), 303);
}

async function publish(site: SiteDoor, c: PageContext, user: User): Answer {
  const post = await ownPost(site, c, user);
  if (post === undefined) return notFoundPage(c);
  if (post.status === 'draft') {
    const refusal = await refusalToPublish(site, c, user, await formOf(site, post));
    if (refusal !== undefined) return refusal;
    await publishDraft(site.community, user.id, post.id);
  }
  return c.redirect(postPath({ ...post, status: 'published' }), 303);
}

/** The page that says why a draft can't be published (yet). */
async function refusalToPublish(
  site: SiteDoor,
  c: PageContext,
  user: User,
  asked: PostForm,
): Promise<Response | undefined> {
  const problems = await problemsWith(site.community, asked.text, 'published');
  if (problems !== undefined) return formPage(site, c, { ...asked, problems });
  const tooFast = await paced(site.community, 'post', user.id);
  return tooFast && tooFastPage(site, c, asked, tooFast, 'post');
}

function tooFastPage(
  site: SiteDoor,
  c: PageContext,
  asked: PostForm,
  tooFast: TooFast,
  what: 'post' | 'draft',
): Answer {
  const text = html`<p>${tooFastText(c, tooFast, what)}</p>`;
  return formPage(site, c, { ...asked, obstacle: { status: 429, text } });
}

// The form now knows of what it had not seen: sent once more, it takes its place.
function newerPage(site: SiteDoor, c: PageContext, newer: Post, text: PostText): Answer {
  const t = words[c.get('visitor').language];
  const told = html`<p>${t.newer} <a href="/posts/${newer.id}" target="_blank">${t.see}</a></p>`;
  const obstacle = { status: 409, text: told } as const;
  return formPage(site, c, { post: newer, text, problems: {}, version: newer.updatedAt, obstacle });
}

async function formOf(site: SiteDoor, post: Post): Promise<PostForm> {
  const categories = await site.community.store.categories();
  const categoryId = categories.find(({ slug }) => slug === post.categorySlug)?.id ?? 0;
  const text = { title: post.title, body: post.body, categoryId };
  return { post, text, problems: {}, version: post.updatedAt };
}

async function formPage(site: SiteDoor, c: PageContext, form: PostForm): Answer {
  return postFormPage(c, form, await site.community.store.categories());
}

const words = bilingual(
  {
    newer:
      'This was saved in another place after you opened it here, and nothing was overwritten. Send the form again to replace that with what stands below.',
    see: 'See what was saved',
    tooFast: {
      post: (minutes: number) =>
        `You published much within an hour. You can publish again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}; until then keep it as a draft.`,
      draft: (minutes: number) =>
        `You began many drafts within an hour. You can begin another in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    },
  },
  {
    newer: '您打开此页之后，别处又保存过一次，没有任何内容被覆盖。再次提交表单即以下面的内容取而代之。',
    see: '查看已保存的内容',
    tooFast: {
      post: (minutes: number) =>
        `您在一小时内发布了很多文章，${minutes} 分钟后可以继续发布；在此之前请先存为草稿。`,
      draft: (minutes: number) => `您在一小时内新建了很多草稿，${minutes} 分钟后可以继续新建。`,
    },
  },
);
