// Writing, changing and publishing one's own posts.

import { Hono } from 'hono';
import { html } from 'hono/html';
import { saveDraft } from '../../../community/draft.ts';
import type { TooFast } from '../../../community/pace.ts';
import { editPost, type Post, type PostText, postFor } from '../../../community/post.ts';
import { publishOwn, type WritingRefused, writeOwn } from '../../../community/writing.ts';
import type { User } from '../../../identity/user.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { idIn } from '../../pages/numbers.ts';
import { POST_PATH, postPath } from '../../pages/post-path.ts';
import { forMember, fromMember, writtenByMember } from '../../pages/signed-in.ts';
import type { PageContext, PageEnv } from '../../pages/visitor.ts';
import { retryAfter, waitText } from '../../pages/waiting.ts';
import type { SiteDoor } from '../door.ts';
import { notFoundPage } from '../failures.ts';
import { type PostForm, postFormPage, readPostText, readVersion } from './form.ts';

export function postEditing(site: SiteDoor): Hono<PageEnv> {
  const door = new Hono<PageEnv>();
  const { community } = site;
  door.get(
    '/write',
    forMember(async (c) => {
      const [first] = await community.reads.categories();
      const text = { title: '', body: '', categoryId: first?.id ?? 0 };
      return formPage(site, c, { post: undefined, text, problems: {}, version: undefined });
    }),
  );
  door.post(
    '/write',
    writtenByMember((c, user, form) => write(site, c, user, form)),
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
    writtenByMember((c, user, form) => edit(site, c, user, form)),
  );
  door.post(
    `${POST_PATH}/publish`,
    fromMember((c, user) => publish(site, c, user)),
  );
  // Whoever had to sign in before publishing comes back here, and presses the button again.
  door.get(`${POST_PATH}/publish`, (c) => c.redirect(`/posts/${idIn(c)}`, 303));
  return door;
}

/** The member's own post, draft or published. Undefined if there is none with this number. */
export async function ownPost(site: SiteDoor, c: PageContext, user: User): Promise<Post | undefined> {
  const post = await postFor(site.community, user.id, idIn(c));
  return post?.userId === user.id ? post : undefined;
}

/** Why somebody who posts too much has to wait, and until when. */
export function tooFastText(c: PageContext, { retryAfterSeconds }: TooFast, what: 'post' | 'draft'): string {
  const { language } = c.get('visitor');
  retryAfter(c, retryAfterSeconds);
  return words[language].tooFast[what](waitText(retryAfterSeconds, language));
}

type Answer = Promise<Response>;

async function write(site: SiteDoor, c: PageContext, user: User, form: PostedForm): Answer {
  const { community } = site;
  const text = readPostText(form);
  const asked: PostForm = { post: undefined, text, problems: {}, version: undefined };
  if (form.text('action') === 'preview') return formPage(site, c, { ...asked, isPreview: true });
  const status = form.text('action') === 'publish' ? 'published' : 'draft';
  const written = await writeOwn(community, user.id, text, status);
  if (!('id' in written)) return refusalPage(site, c, asked, written, status === 'draft' ? 'draft' : 'post');
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
  const save = post.status === 'draft' ? saveDraft : editPost;
  const saved = await save(community, user.id, post.id, text, asked.version);
  if (saved === undefined) return notFoundPage(c);
  if ('problems' in saved) return formPage(site, c, { ...asked, problems: saved.problems });
  if ('newer' in saved) return newerPage(site, c, saved.newer, text);
  if (publishes) {
    const refused = await publishOwn(community, user.id, post.id, text);
    if (refused !== undefined) {
      // It is saved, as a draft.
      const version = (await ownPost(site, c, user))?.updatedAt;
      return refusalPage(site, c, { ...asked, version }, refused, 'post');
    }
  }
  return c.redirect(postPath({ ...post, ...text, status: publishes ? 'published' : post.status }), 303);
}

async function publish(site: SiteDoor, c: PageContext, user: User): Answer {
  const post = await ownPost(site, c, user);
  if (post === undefined) return notFoundPage(c);
  if (post.status === 'draft') {
    const form = await formOf(site, post);
    const refused = await publishOwn(site.community, user.id, post.id, form.text);
    if (refused !== undefined) return refusalPage(site, c, form, refused, 'post');
  }
  return c.redirect(postPath({ ...post, status: 'published' }), 303);
}

function refusalPage(
  site: SiteDoor,
  c: PageContext,
  asked: PostForm,
  refused: WritingRefused,
  what: 'post' | 'draft',
): Answer {
  if ('problems' in refused) return formPage(site, c, { ...asked, problems: refused.problems });
  const text = html`<p>${tooFastText(c, refused, what)}</p>`;
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
  const categories = await site.community.reads.categories();
  const categoryId = categories.find(({ slug }) => slug === post.categorySlug)?.id ?? 0;
  const text = { title: post.title, body: post.body, categoryId };
  return { post, text, problems: {}, version: post.updatedAt };
}

async function formPage(site: SiteDoor, c: PageContext, form: PostForm): Answer {
  return postFormPage(c, form, await site.community.reads.categories());
}

const words = bilingual(
  {
    newer:
      'This was saved in another place after you opened it here, and nothing was overwritten. Send the form again to replace that with what stands below.',
    see: 'See what was saved',
    tooFast: {
      post: (wait: string) =>
        `You published much within an hour. You can publish again in ${wait}; until then keep it as a draft.`,
      draft: (wait: string) => `You began many drafts within an hour. You can begin another in ${wait}.`,
    },
  },
  {
    newer: '您打开此页之后，别处又保存过一次，没有任何内容被覆盖。再次提交表单即以下面的内容取而代之。',
    see: '查看已保存的内容',
    tooFast: {
      post: (wait) => `您在一小时内发布了很多文章，${wait}后可以继续发布；在此之前请先存为草稿。`,
      draft: (wait) => `您在一小时内新建了很多草稿，${wait}后可以继续新建。`,
    },
  },
);
