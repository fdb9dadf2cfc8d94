// What a member has removed, and can bring back for a while.

import { html } from 'hono/html';
import { byMember } from '../../../audit/doer.ts';
import {
  postFor,
  RESTORABLE_FOR,
  type RemovedPost,
  removedPostsOf,
  restorePost,
} from '../../../community/post.ts';
import type { User } from '../../../identity/user.ts';
import { notFoundPage } from '../../pages/failures.ts';
import { bilingual } from '../../pages/language.ts';
import { agoElement } from '../../pages/moments.ts';
import { idIn } from '../../pages/numbers.ts';
import { formTokenField, type Html, page } from '../../pages/page.ts';
import { postPath } from '../../pages/post-path.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { titleOf } from '../lists/item.ts';
import type { SiteParts } from '../site-parts.ts';

export const REMOVED_PATH = '/posts/removed';

export async function removedPostsPage(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const t = words[c.get('visitor').language];
  const posts = await removedPostsOf(site.community, user.id);
  return page(
    c,
    { title: t.title },
    html`<h1>${t.title}</h1><p class="soft">${t.explanation}</p>
<p class="links"><a href="/drafts">${t.drafts}</a></p>
${posts.length === 0 ? html`<p class="empty">${t.nothing}</p>` : posts.map((post) => item(site, c, post))}`,
  );
}

export async function restoreOwnPost(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  if (!(await restorePost(byMember(user, site.clock), site.community, idIn(c)))) return notFoundPage(c);
  const post = await postFor(site.community, user.id, idIn(c));
  return c.redirect(post === undefined ? REMOVED_PATH : postPath(post), 303);
}

function item(site: SiteParts, c: PageContext, post: RemovedPost): Html {
  const { language } = c.get('visitor');
  const t = words[language];
  const now = site.clock();
  const way = post.isByOperator
    ? html`<p class="small">${t.byOperator}</p>`
    : html`<form method="post" action="/posts/${post.id}/restore">${formTokenField(c)}<button>${t.restore}<span class="unseen"> ${titleOf(post, language)}</span></button></form>`;
  return html`<article class="post"><p class="eyebrow">${post.publishedAt === undefined ? t.draft : t.published}</p>
<h2>${titleOf(post, language)}</h2>${post.excerpt === '' ? '' : html`<p>${post.excerpt}</p>`}
<p class="meta"><span>${t.removed} ${agoElement(post.removedAt, now, language)}</span><span>${t.deleted} ${agoElement(post.removedAt + RESTORABLE_FOR, now, language)}</span></p>
${way}</article>`;
}

const words = bilingual(
  {
    title: 'Removed posts',
    explanation: 'Only you can see them. Each is deleted 30 days after it was removed.',
    drafts: 'Drafts',
    nothing: 'There are no removed posts.',
    draft: 'Draft',
    published: 'Published',
    removed: 'Removed',
    deleted: 'Deleted',
    restore: 'Restore',
    byOperator: 'An operator removed this post. Only they can bring it back; write to them if you object.',
  },
  {
    title: '已移除的文章',
    explanation: '只有您能看到。每篇文章在移除 30 天后被删除。',
    drafts: '草稿',
    nothing: '没有已移除的文章。',
    draft: '草稿',
    published: '已发布',
    removed: '移除于',
    deleted: '删除于',
    restore: '恢复',
    byOperator: '这篇文章由管理员移除，只有管理员可以恢复。如有异议，请与他们联系。',
  },
);
