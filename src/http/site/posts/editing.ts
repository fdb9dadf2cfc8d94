// Writing, editing and publishing one's own posts.

import { html } from 'hono/html';
import { byMember } from '../../../audit/doer.ts';
import type { TooFast } from '../../../community/pace.ts';
import type { Post, PostText } from '../../../community/post.ts';
import { preview } from '../../../community/preview.ts';
import { tagsIn } from '../../../community/tag.ts';
import { publish, type Refused, save, write } from '../../../community/writing.ts';
import type { User } from '../../../identity/user.ts';
import { leaveFlash, publishedWord } from '../../pages/flash.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { formWithoutEffect } from '../../pages/guards.ts';
import { bilingual } from '../../pages/language.ts';
import { postPath } from '../../pages/post-path.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { retryAfter, waitText } from '../../pages/waiting.ts';
import { forgottenPicture, lacksDescription } from '../picture-box.ts';
import type { SiteParts } from '../site-parts.ts';
import { type PostForm, postFormPage, previewPart, readPostText, readVersion } from './form.ts';

/** Show the empty form of a new post. */
export async function newPostPage(site: SiteParts, c: PageContext): Promise<Response> {
  const [first] = await site.community.reads.categories();
  const text = { title: '', body: '', categoryId: first?.id ?? 0 };
  return formPage(site, c, { post: undefined, text, problems: {}, version: undefined });
}

/** Show the form of a post or a draft, with its current text. */
export async function editPostPage(site: SiteParts, c: PageContext, _: User, post: Post): Promise<Response> {
  return formPage(site, c, await formOf(site, post));
}

type TooFastKind = keyof typeof words.en.tooFast;

/** Say why a member who writes too much must wait, and how long. Sets `Retry-After`. */
export function tooFastText(c: PageContext, { retryAfterSeconds }: TooFast, kind: TooFastKind): string {
  const { language } = c.get('visitor');
  retryAfter(c, retryAfterSeconds);
  return words[language].tooFast[kind](waitText(retryAfterSeconds, language));
}

/** Preview, save or publish a new post, whichever button was pressed. */
export async function saveNewPost(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  const text = readPostText(form);
  const draft: PostForm = { post: undefined, text, problems: {}, version: undefined };
  if (form.text('action') === 'preview') return previewOf(site, c, user, draft, form);
  const stop = stopForPictures(form, text, form.text('action') === 'publish');
  if (stop !== undefined) return formPage(site, c, { ...draft, ...stop });
  const status = form.text('action') === 'publish' ? 'published' : 'draft';
  const by = byMember(user, site.clock);
  const result = await write(by, site.community, { authorId: user.id, text, status });
  if ('isNotActive' in result) return formWithoutEffect(c, form);
  if (!('id' in result)) return refusalPage(site, c, draft, result, status === 'draft' ? 'draft' : 'post');
  const stored = result.isWaiting ? 'draft' : status;
  if (stored === 'published') leaveFlash(c, publishedWord(result.id));
  return c.redirect(postPath({ id: result.id, title: text.title, status: stored }), 303);
}

/** Preview, save or publish the new text of a post or a draft, whichever button was pressed. */
export async function savePost(
  site: SiteParts,
  c: PageContext,
  user: User,
  post: Post,
  form: PostedForm,
): Promise<Response> {
  const { community } = site;
  const text = readPostText(form);
  const edit: PostForm = { post, text, problems: {}, version: readVersion(form) };
  if (form.text('action') === 'preview') return previewOf(site, c, user, edit, form);
  const publishes = post.status === 'draft' && form.text('action') === 'publish';
  const stop = stopForPictures(form, text, publishes || post.status === 'published');
  if (stop !== undefined) return formPage(site, c, { ...edit, ...stop });
  const by = byMember(user, site.clock);
  const change = { text, version: edit.version };
  const status = post.status === 'draft' ? 'draft' : 'published';
  const result = publishes
    ? await publish(by, community, post.id, change)
    : await save(by, community, { id: post.id, status }, change);
  if (result === undefined) return formWithoutEffect(c, form);
  if ('newer' in result) return newerPage(site, c, result.newer, text);
  if (!('id' in result)) {
    // A refusal to publish has a version if it saved the text, as a draft.
    const { version } = result;
    const kind = version === undefined ? 'edit' : 'post';
    return refusalPage(site, c, { ...edit, version: version ?? edit.version }, result, kind);
  }
  const isPublished = publishes && !('isWaiting' in result && result.isWaiting);
  if (isPublished) leaveFlash(c, publishedWord(post.id));
  return c.redirect(postPath({ ...post, ...text, status: isPublished ? 'published' : post.status }), 303);
}

/** Publish a draft as it is. */
export async function publishPost(
  site: SiteParts,
  c: PageContext,
  user: User,
  post: Post,
): Promise<Response> {
  if (post.status === 'draft') {
    const result = await publish(byMember(user, site.clock), site.community, post.id);
    if (result !== undefined && 'newer' in result) return c.redirect(postPath(result.newer), 303);
    if (result !== undefined && !('id' in result)) {
      return refusalPage(site, c, await formOf(site, post), result, 'post');
    }
    if (result?.isWaiting) return c.redirect(postPath(post), 303);
    if (result !== undefined) leaveFlash(c, publishedWord(post.id));
  }
  return c.redirect(postPath({ ...post, status: 'published' }), 303);
}

// Before anything is saved.
function stopForPictures(form: PostedForm, { body }: PostText, isForReaders: boolean) {
  const picture = forgottenPicture(form);
  if (picture !== undefined) return { picture };
  return isForReaders && lacksDescription(form, body) ? { isReminder: true } : undefined;
}

async function previewOf(
  site: SiteParts,
  c: PageContext,
  user: User,
  shown: PostForm,
  form: PostedForm,
): Promise<Response> {
  const result = await preview(byMember(user, site.clock), site.community, shown.text);
  if (!('html' in result)) return refusalPage(site, c, shown, result, 'preview');
  // The script has the rest of the page.
  if (form.has('part')) return previewPart(c, shown.text, result.html);
  return formPage(site, c, { ...shown, preview: result.html });
}

function refusalPage(
  site: SiteParts,
  c: PageContext,
  form: PostForm,
  refusal: Refused,
  kind: TooFastKind,
): Promise<Response> {
  if ('problems' in refusal) return formPage(site, c, { ...form, problems: refusal.problems });
  const text = html`<p>${tooFastText(c, refusal, kind)}</p>`;
  return formPage(site, c, { ...form, obstacle: { status: 429, text } });
}

// The form carries the time of the newer version, so sending it again replaces that version.
function newerPage(site: SiteParts, c: PageContext, newer: Post, text: PostText): Promise<Response> {
  const t = words[c.get('visitor').language];
  const notice = html`<p>${t.newer} <a href="/posts/${newer.id}" target="_blank">${t.see}</a></p>`;
  const obstacle = { status: 409, text: notice } as const;
  return formPage(site, c, { post: newer, text, problems: {}, version: newer.updatedAt, obstacle });
}

async function formOf(site: SiteParts, post: Post): Promise<PostForm> {
  const categories = await site.community.reads.categories();
  const categoryId = categories.find(({ slug }) => slug === post.categorySlug)?.id ?? 0;
  const text = { title: post.title, body: post.body, categoryId, tags: tagsIn(post).join(', ') };
  return { post, text, problems: {}, version: post.updatedAt };
}

const MOST_SUGGESTED_TAGS = 100;

/** Show the form, with the categories and the most used tags. */
export async function formPage(site: SiteParts, c: PageContext, form: PostForm): Promise<Response> {
  const { reads } = site.community;
  const [categories, tags] = await Promise.all([reads.categories(), reads.mostUsedTags(MOST_SUGGESTED_TAGS)]);
  return postFormPage(c, form, { categories, usedTags: tags.map(({ name }) => name) });
}

const words = bilingual(
  {
    newer:
      'A newer version was saved somewhere else after you opened this page. Nothing was overwritten. Save again to replace the newer version with the text below.',
    see: 'See the newer version',
    tooFast: {
      post: (wait: string) =>
        `You’ve published a lot this hour. You can publish again in ${wait}. Until then, save this post as a draft.`,
      draft: (wait: string) =>
        `You’ve started a lot of drafts this hour. You can start another one in ${wait}.`,
      preview: (wait: string) => `You’ve previewed a lot this minute. You can preview again in ${wait}.`,
      restore: (wait: string) =>
        `You’ve changed or restored a lot of posts this hour. You can restore this one in ${wait}.`,
      edit: (wait: string) =>
        `Not saved: you’ve saved a lot of changes this hour. You can save again in ${wait}. Your text is still below.`,
    },
  },
  {
    newer: '您打开此页后，别处保存了更新的版本。没有内容被覆盖；再次保存，将以下面的内容替换该版本。',
    see: '查看更新的版本',
    tooFast: {
      post: (wait) => `您这一小时发布的文章已达上限，${wait}后可以继续发布。在此之前，可以先存为草稿。`,
      draft: (wait) => `您这一小时新建的草稿已达上限，${wait}后可以继续新建。`,
      preview: (wait) => `您这一分钟预览的次数已达上限，${wait}后可以继续预览。`,
      restore: (wait) => `您这一小时修改和恢复的次数已达上限，${wait}后可以恢复这篇文章。`,
      edit: (wait) => `未保存：您这一小时的修改次数已达上限，${wait}后可以再次保存。您写的内容仍保留在下方。`,
    },
  },
);
