// A member's drafts.

import { html } from 'hono/html';
import { BEGINNING } from '../../../community/feed.ts';
import type { User } from '../../../identity/user.ts';
import { bilingual } from '../../pages/language.ts';
import { agoElement } from '../../pages/moments.ts';
import { page } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { askedPlace, FEED_PAGE_SIZE, feedLinks, pageOf, placeText } from '../lists/frame.ts';
import { titleOf } from '../lists/item.ts';
import type { SiteParts } from '../site-parts.ts';
import { REMOVED_PATH } from './removed.ts';

export async function draftsPage(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const now = site.clock();
  const before = askedPlace(c);
  const drafts = await site.community.reads.draftsOf(user.id, before ?? BEGINNING, FEED_PAGE_SIZE + 1);
  const shown = pageOf(drafts, FEED_PAGE_SIZE, ({ updatedAt }) => updatedAt);
  const items = shown.items.map(
    (draft) => html`<article class="post"><p class="eyebrow">${draft.categoryName}</p>
<h2><a href="/posts/${draft.id}">${titleOf(draft, language)}</a></h2>${draft.excerpt === '' ? '' : html`<p>${draft.excerpt}</p>`}
<p class="meta"><span>${t.changed} ${agoElement(draft.updatedAt, now, language)}</span><a href="/posts/${draft.id}/edit">${t.edit}</a><a href="/posts/${draft.id}/remove">${t.remove}</a></p></article>`,
  );
  return page(
    c,
    { title: t.title },
    html`<h1>${t.title}</h1><p class="soft">${t.onlyYou}</p>
<p class="links"><a href="${REMOVED_PATH}">${t.removed}</a></p>
${items.length === 0 ? html`<div class="empty"><p>${t.nothing}</p><p><a class="button primary" href="/write">${t.write}</a></p></div>` : items}
${feedLinks('/drafts', placeText(shown.end), before === undefined, language)}`,
  );
}

const words = bilingual(
  {
    title: 'Drafts',
    onlyYou: 'Only you can see them. No application can.',
    removed: 'Removed posts',
    changed: 'Changed',
    edit: 'Edit',
    remove: 'Remove',
    nothing: 'There are no drafts.',
    write: 'Write',
  },
  {
    title: '草稿',
    onlyYou: '只有您能看到，任何应用都无法读取。',
    removed: '已移除的文章',
    changed: '修改于',
    edit: '编辑',
    remove: '移除',
    nothing: '没有草稿。',
    write: '写文章',
  },
);
