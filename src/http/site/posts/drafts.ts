// A member's drafts.

import { html } from 'hono/html';
import { BEGINNING } from '../../../community/feed.ts';
import type { PostSummary } from '../../../community/post.ts';
import type { User } from '../../../identity/user.ts';
import type { Timestamp } from '../../../lib/clock.ts';
import { bilingual, type Language, type Locale } from '../../pages/language.ts';
import { agoElement } from '../../pages/moments.ts';
import { type Html, page } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { cursorInQuery, cursorText, FEED_PAGE_SIZE, feedLinks, pageOf } from '../lists/frame.ts';
import { excerptOf, titleOf } from '../lists/item.ts';
import type { SiteParts } from '../site-parts.ts';
import { REMOVED_PATH } from './removed.ts';

/** Show the member's drafts, last edited first. */
export async function draftsPage(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const now = site.clock();
  const before = cursorInQuery(c);
  const drafts = await site.community.reads.draftsOf(user.id, before ?? BEGINNING, FEED_PAGE_SIZE + 1);
  const reviews = await site.community.reads.draftReviewsOf(user.id);
  const waiting = new Set(reviews.filter(({ isWaiting }) => isWaiting).map(({ postId }) => postId));
  const { items, end } = pageOf(drafts, FEED_PAGE_SIZE, ({ updatedAt }) => updatedAt);
  return page(
    c,
    { title: t.title },
    html`
      <h1>${t.title}</h1>
      <p class="soft">${waiting.size === 0 ? t.onlyYou : t.operatorsToo}</p>
      <p class="links"><a href="${REMOVED_PATH}">${t.removed}</a></p>
      ${items.length === 0 && emptyList(language)}
      ${items.map((draft) => draftItem(draft, waiting.has(draft.id), now, c.get('visitor')))}
      ${feedLinks('/drafts', cursorText(end), before === undefined, language)}`,
  );
}

function draftItem(draft: PostSummary, isWaiting: boolean, now: Timestamp, locale: Locale): Html {
  const { language } = locale;
  const t = words[language];
  const path = `/posts/${draft.id}`;
  return html`
    <article class="post">
      <p class="eyebrow">${draft.categoryName} ${isWaiting && html`<span class="badge">${t.waiting}</span>`}</p>
      <h2><a href="${path}">${titleOf(draft, language)}</a></h2>
      ${excerptOf(draft)}
      <p class="meta">
        <span>${t.edited} ${agoElement(draft.updatedAt, now, locale)}</span>
        <a href="${path}/edit">${t.edit}</a>
        <a href="${path}/remove">${t.remove}</a>
      </p>
    </article>`;
}

function emptyList(language: Language): Html {
  const t = words[language];
  return html`
    <div class="empty">
      <p>${t.nothing}</p>
      <p><a class="button primary" href="/write">${t.write}</a></p>
    </div>`;
}

const words = bilingual(
  {
    title: 'Drafts',
    onlyYou: 'Only you can see your drafts. Applications can’t read them.',
    operatorsToo:
      'Only you can see your drafts. Moderators and operators can see those that wait for approval. Applications can’t read them.',
    removed: 'Removed posts',
    waiting: 'Waits for approval',
    edited: 'Edited',
    edit: 'Edit',
    remove: 'Remove',
    nothing: 'You have no drafts.',
    write: 'Write a post',
  },
  {
    title: '草稿',
    onlyYou: '只有您能看到，任何应用都无法读取。',
    operatorsToo: '只有您能看到；等待审核的文章，版主和管理员也能看到。任何应用都无法读取。',
    removed: '已移除的文章',
    waiting: '等待审核',
    edited: '编辑于',
    edit: '编辑',
    remove: '移除',
    nothing: '您还没有草稿。',
    write: '写文章',
  },
);
