// A member's removed posts, which the member can restore for 30 days unless an operator removed them.

import { html } from 'hono/html';
import { byMember } from '../../../audit/doer.ts';
import {
  postFor,
  problemWithRestoring,
  RESTORABLE_FOR,
  type RemovedPost,
  removedPostsOf,
  restorePost,
} from '../../../community/post.ts';
import type { User } from '../../../identity/user.ts';
import { contactLine } from '../../pages/contact.ts';
import { notFoundPage } from '../../pages/failures.ts';
import { bilingual } from '../../pages/language.ts';
import { agoElement } from '../../pages/moments.ts';
import { idIn } from '../../pages/numbers.ts';
import { formTokenField, type Html, page } from '../../pages/page.ts';
import { postPath } from '../../pages/post-path.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { excerptOf, titleOf } from '../lists/item.ts';
import type { SiteParts } from '../site-parts.ts';
import { tooFastText } from './editing.ts';

export const REMOVED_PATH = '/posts/removed';

/** Show the posts that the member can still restore, and those that the member can't. */
export function removedPostsPage(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  return pageOfRemovedPosts(site, c, user);
}

/** Restore a post that its author removed, or say why it can't be restored. */
export async function restoreOwnPost(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const id = idIn(c);
  const restored = await restorePost(byMember(user, site.clock), site.community, id);
  if (typeof restored === 'object') {
    return pageOfRemovedPosts(site, c, user, { status: 429, text: tooFastText(c, restored, 'restore') });
  }
  if (restored) {
    const post = await postFor(site.community, user.id, id);
    return c.redirect(post === undefined ? REMOVED_PATH : postPath(post), 303);
  }
  const problem = await problemWithRestoring(site.community, user.id, id);
  if (problem === undefined) return notFoundPage(c);
  const text = words[c.get('visitor').language][problem];
  return pageOfRemovedPosts(site, c, user, { status: 409, text });
}

async function pageOfRemovedPosts(
  site: SiteParts,
  c: PageContext,
  user: User,
  problem?: { status: 409 | 429; text: string },
): Promise<Response> {
  const t = words[c.get('visitor').language];
  const posts = await removedPostsOf(site.community, user.id);
  return page(
    c,
    { title: t.title, status: problem?.status ?? 200 },
    html`
      <h1>${t.title}</h1>
      ${problem !== undefined && html`<p class="notice error" role="alert">${problem.text}</p>`}
      <p class="soft">${t.explanation}</p>
      ${posts.some(({ isByOperator }) => isByOperator) && contactLine(c)}
      <p class="links"><a href="/drafts">${t.drafts}</a></p>
      ${posts.length === 0 ? html`<p class="empty">${t.nothing}</p>` : posts.map((post) => item(site, c, post))}`,
  );
}

function item(site: SiteParts, c: PageContext, post: RemovedPost): Html {
  const { language } = c.get('visitor');
  const t = words[language];
  const now = site.clock();
  return html`
    <article class="post">
      <p class="eyebrow">${post.publishedAt === undefined ? t.draft : t.published}</p>
      <h2>${titleOf(post, language)}</h2>
      ${excerptOf(post)}
      <p class="meta">
        <span>${t.removed} ${agoElement(post.removedAt, now, c.get('visitor'))}</span>
        <span>${t.deletion(agoElement(post.removedAt + RESTORABLE_FOR, now, c.get('visitor')))}</span>
      </p>
      ${restoration(c, post)}
    </article>`;
}

function restoration(c: PageContext, post: RemovedPost): Html {
  const t = words[c.get('visitor').language];
  if (post.isByOperator) return html`<p class="small">${t.removed_by_operator}</p>`;
  return post.isReported ? html`<p class="small">${t.reported}</p>` : restoreButton(c, post);
}

function restoreButton(c: PageContext, post: RemovedPost): Html {
  const { language } = c.get('visitor');
  return html`
    <form method="post" action="/posts/${post.id}/restore">
      ${formTokenField(c)}
      <button>${words[language].restore}<span class="unseen"> ${titleOf(post, language)}</span></button>
    </form>`;
}

const words = bilingual(
  {
    title: 'Removed posts',
    explanation: 'Only you can see your removed posts. A post is deleted 30 days after its removal.',
    drafts: 'Drafts',
    nothing: 'You have no removed posts.',
    draft: 'Draft',
    published: 'Published',
    removed: 'Removed',
    deletion: (when: Html) => html`Will be deleted ${when}`,
    restore: 'Restore',
    removed_by_operator:
      'A moderator removed this post, so you can’t restore it. Contact the operators if you disagree.',
    reported: 'Members reported this post. You can restore it only if the operators decide to keep it.',
  },
  {
    title: '已移除的文章',
    explanation: '只有您能看到已移除的文章。文章在移除 30 天后删除。',
    drafts: '草稿',
    nothing: '您没有已移除的文章。',
    draft: '草稿',
    published: '已发布',
    removed: '移除于',
    deletion: (when) => html`将于 ${when}删除`,
    restore: '恢复',
    removed_by_operator: '这篇文章由版主移除，您无法自行恢复。如有异议，请联系管理员。',
    reported: '有成员举报了这篇文章。管理员决定保留后，您才能恢复。',
  },
);
