// A post's page. A draft is shown to its author alone.

import { Hono } from 'hono';
import { html } from 'hono/html';
import { type Post, postFor } from '../../../community/post.ts';
import { avatarPath } from '../../pages/avatar-path.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import { dayElement } from '../../pages/moments.ts';
import { idIn } from '../../pages/numbers.ts';
import { formTokenField, type Html, page } from '../../pages/page.ts';
import { memberPath, POST_PATH, postPath } from '../../pages/post-path.ts';
import { prose } from '../../pages/prose.ts';
import type { PageContext, PageEnv } from '../../pages/visitor.ts';
import type { SiteDoor } from '../door.ts';
import { notFoundPage } from '../failures.ts';
import { categoryLink, countsOf, titleOf } from '../lists/item.ts';
import { reactionsOf } from '../reactions/reactions.ts';

export { POST_PATH } from '../../pages/post-path.ts';

export function postPages(site: SiteDoor): Hono<PageEnv> {
  const door = new Hono<PageEnv>();
  door.get(POST_PATH, async (c) => {
    const visitorId = c.get('visitor').visit?.user.id;
    const post = await postFor(site.community, visitorId, idIn(c));
    if (post === undefined) return notFoundPage(c);
    return postPage(site, c, post);
  });
  return door;
}

/** Posts at their readable addresses. Goes after every other page below a post. */
export function postAddresses(site: SiteDoor): Hono<PageEnv> {
  const door = new Hono<PageEnv>();
  door.get(`${POST_PATH}/:slug`, async (c) => {
    const { id, slug } = c.req.param();
    const post = await postFor(site.community, c.get('visitor').visit?.user.id, Number(id));
    if (post === undefined) return notFoundPage(c);
    const path = postPath(post);
    if (path === `/posts/${post.id}/${encodeURIComponent(slug)}`) return postPage(site, c, post);
    // Kept by no browser: what is the wrong title today was the right one before, and can be again.
    c.header('Cache-Control', 'no-store');
    return c.redirect(path + new URL(c.req.url).search, 301);
  });
  return door;
}

async function postPage(site: SiteDoor, c: PageContext, post: Post): Promise<Response> {
  const { language, visit } = c.get('visitor');
  const isOwn = post.userId === visit?.user.id;
  return page(
    c,
    { title: titleOf(post, language), canonical: postPath(post) },
    html`${post.status === 'draft' ? draftNotice(c, post) : ''}
<article class="reading"><header>${categoryLink(post)}<h1>${titleOf(post, language)}</h1>
${byline(post, language)}</header>
${prose(post.body)}
<footer><p class="meta">${countsOf(post, language)}</p>${isOwn ? ownActions(post, language) : ''}</footer></article>
${post.status === 'published' ? await reactionsOf(site, c, post) : ''}`,
  );
}

function byline(post: Post, language: Language): Html {
  const { authorName, authorAvatar, userId, publishedAt, updatedAt } = post;
  return html`<p class="byline"><a class="row" href="${memberPath(authorName)}"><img class="avatar" width="36" height="36" alt="" src="${avatarPath(userId, authorAvatar)}"> ${authorName}</a> <span class="soft">${dayElement(publishedAt ?? updatedAt, language)}</span></p>`;
}

function draftNotice(c: PageContext, post: Post): Html {
  const t = words[c.get('visitor').language];
  const isWhole = post.title !== '' && post.body !== '';
  return html`<div class="notice row spread" role="status"><span><strong>${t.draft}</strong> ${t.onlyYou}</span>
${isWhole ? html`<form method="post" action="/posts/${post.id}/publish">${formTokenField(c)}<button class="primary">${t.publish}</button></form>` : html`<a class="button" href="/posts/${post.id}/edit">${t.goOn}</a>`}</div>`;
}

function ownActions(post: Post, language: Language): Html {
  const t = words[language];
  return html`<ul class="links"><li><a href="/posts/${post.id}/edit">${t.edit}</a></li><li><a href="/posts/${post.id}/remove">${t.remove}</a></li></ul>`;
}

const words = bilingual(
  {
    draft: 'This is a draft.',
    onlyYou: 'Only you can see it.',
    publish: 'Publish',
    goOn: 'Go on writing',
    edit: 'Edit',
    remove: 'Remove',
  },
  {
    draft: '这是草稿。',
    onlyYou: '只有您能看到。',
    publish: '发布',
    goOn: '继续写',
    edit: '编辑',
    remove: '移除',
  },
);
