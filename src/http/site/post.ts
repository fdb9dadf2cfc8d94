// A post's page. A draft is shown to its author alone.

import { Hono } from 'hono';
import { html } from 'hono/html';
import { type Post, postFor } from '../../community/post.ts';
import { avatarPath } from '../avatar-path.ts';
import { bilingual, type Language } from '../language.ts';
import { dayElement } from '../moments.ts';
import { formTokenField, type Html, page } from '../page.ts';
import { prose } from '../prose.ts';
import type { PageContext, PageEnv } from '../visitor.ts';
import type { SiteDoor } from './door.ts';
import { notFoundPage } from './failures.ts';
import { countsOf, memberPath } from './post-list.ts';

/** The path of a post, and of what is below it. */
export const POST_PATH = '/posts/:id{[1-9][0-9]{0,14}}';

export function postPages(site: SiteDoor): Hono<PageEnv> {
  const door = new Hono<PageEnv>();
  door.get(POST_PATH, async (c) => {
    const visitorId = c.get('visitor').visit?.user.id;
    const post = await postFor(site.community, visitorId, Number(c.req.param('id')));
    if (post === undefined) return notFoundPage(c);
    return postPage(c, post, post.userId === visitorId);
  });
  return door;
}

function postPage(c: PageContext, post: Post, isOwn: boolean): Response | Promise<Response> {
  const { language } = c.get('visitor');
  return page(
    c,
    { title: post.title },
    html`${post.status === 'draft' ? draftNotice(c, post) : ''}
<article class="reading"><header><p class="eyebrow">${post.categoryName}</p><h1>${post.title}</h1>
${byline(post, language)}</header>
${prose(post.body)}
<footer><p class="meta">${countsOf(post, language)}</p>${isOwn ? ownActions(post, language) : ''}</footer></article>`,
  );
}

function byline(post: Post, language: Language): Html {
  const { authorName, authorAvatar, userId, publishedAt, updatedAt } = post;
  return html`<p class="byline"><a class="row" href="${memberPath(authorName)}"><img class="avatar" width="36" height="36" alt="" src="${avatarPath(userId, authorAvatar)}"> ${authorName}</a> <span class="soft">${dayElement(publishedAt ?? updatedAt, language)}</span></p>`;
}

function draftNotice(c: PageContext, post: Post): Html {
  const t = words[c.get('visitor').language];
  return html`<div class="notice row spread" role="status"><span><strong>${t.draft}</strong> ${t.onlyYou}</span>
<form method="post" action="/posts/${post.id}/publish">${formTokenField(c)}<button class="primary">${t.publish}</button></form></div>`;
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
    edit: 'Edit',
    remove: 'Remove',
  },
  { draft: '这是草稿。', onlyYou: '只有您能看到。', publish: '发布', edit: '编辑', remove: '移除' },
);
