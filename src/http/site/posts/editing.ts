// Writing, changing and publishing one's own posts.

import { html } from 'hono/html';
import { byMember } from '../../../audit/doer.ts';
import type { TooFast } from '../../../community/pace.ts';
import type { Post, PostText } from '../../../community/post.ts';
import { publish, type Refused, save, write } from '../../../community/writing.ts';
import type { User } from '../../../identity/user.ts';
import { notFoundPage } from '../../pages/failures.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { postPath } from '../../pages/post-path.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { retryAfter, waitText } from '../../pages/waiting.ts';
import type { SiteParts } from '../site-parts.ts';
import { type PostForm, postFormPage, readPostText, readVersion } from './form.ts';

export async function newPostPage(site: SiteParts, c: PageContext): Promise<Response> {
  const [first] = await site.community.reads.categories();
  const text = { title: '', body: '', categoryId: first?.id ?? 0 };
  return formPage(site, c, { post: undefined, text, problems: {}, version: undefined });
}

export async function editPostPage(site: SiteParts, c: PageContext, _: User, post: Post): Promise<Response> {
  return formPage(site, c, await formOf(site, post));
}

/** Says why a member who posts too much has to wait, and how long. */
export function tooFastText(c: PageContext, { retryAfterSeconds }: TooFast, what: 'post' | 'draft'): string {
  const { language } = c.get('visitor');
  retryAfter(c, retryAfterSeconds);
  return words[language].tooFast[what](waitText(retryAfterSeconds, language));
}

export async function saveNewPost(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  const text = readPostText(form);
  const typed: PostForm = { post: undefined, text, problems: {}, version: undefined };
  if (form.text('action') === 'preview') return formPage(site, c, { ...typed, isPreview: true });
  const status = form.text('action') === 'publish' ? 'published' : 'draft';
  const by = byMember(user, site.clock);
  const written = await write(by, site.community, { authorId: user.id, text, status });
  if (!('id' in written)) return refusalPage(site, c, typed, written, status === 'draft' ? 'draft' : 'post');
  return c.redirect(postPath({ id: written.id, title: text.title, status }), 303);
}

export async function savePost(
  site: SiteParts,
  c: PageContext,
  user: User,
  post: Post,
  form: PostedForm,
): Promise<Response> {
  const { community } = site;
  const text = readPostText(form);
  const typed: PostForm = { post, text, problems: {}, version: readVersion(form) };
  if (form.text('action') === 'preview') return formPage(site, c, { ...typed, isPreview: true });
  const publishes = post.status === 'draft' && form.text('action') === 'publish';
  const by = byMember(user, site.clock);
  const edit = { text, version: typed.version };
  const status = post.status === 'draft' ? 'draft' : 'published';
  const result = publishes
    ? await publish(by, community, post.id, edit)
    : await save(by, community, { id: post.id, status }, edit);
  if (result === undefined) return notFoundPage(c);
  if ('newer' in result) return newerPage(site, c, result.newer, text);
  if (!('id' in result)) {
    // A refusal to publish has a version if it saved the text, as a draft.
    const version = 'version' in result ? result.version : typed.version;
    return refusalPage(site, c, { ...typed, version }, result, 'post');
  }
  return c.redirect(postPath({ ...post, ...text, status: publishes ? 'published' : post.status }), 303);
}

export async function publishPost(
  site: SiteParts,
  c: PageContext,
  user: User,
  post: Post,
): Promise<Response> {
  if (post.status === 'draft') {
    const result = await publish(byMember(user, site.clock), site.community, post.id);
    if (result !== undefined && !('id' in result) && !('newer' in result)) {
      return refusalPage(site, c, await formOf(site, post), result, 'post');
    }
  }
  return c.redirect(postPath({ ...post, status: 'published' }), 303);
}

function refusalPage(
  site: SiteParts,
  c: PageContext,
  typed: PostForm,
  refused: Refused,
  what: 'post' | 'draft',
): Promise<Response> {
  if ('problems' in refused) return formPage(site, c, { ...typed, problems: refused.problems });
  const text = html`<p>${tooFastText(c, refused, what)}</p>`;
  return formPage(site, c, { ...typed, obstacle: { status: 429, text } });
}

// The form now knows of what it had not seen: sent once more, it takes its place.
function newerPage(site: SiteParts, c: PageContext, newer: Post, text: PostText): Promise<Response> {
  const t = words[c.get('visitor').language];
  const told = html`<p>${t.newer} <a href="/posts/${newer.id}" target="_blank">${t.see}</a></p>`;
  const obstacle = { status: 409, text: told } as const;
  return formPage(site, c, { post: newer, text, problems: {}, version: newer.updatedAt, obstacle });
}

async function formOf(site: SiteParts, post: Post): Promise<PostForm> {
  const categories = await site.community.reads.categories();
  const categoryId = categories.find(({ slug }) => slug === post.categorySlug)?.id ?? 0;
  const text = { title: post.title, body: post.body, categoryId };
  return { post, text, problems: {}, version: post.updatedAt };
}

async function formPage(site: SiteParts, c: PageContext, form: PostForm): Promise<Response> {
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
