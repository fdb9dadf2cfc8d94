// A member's notifications about their posts and comments, newest first, with the unread ones marked.

import { html } from 'hono/html';
import { byMember } from '../../../audit/doer.ts';
import {
  markRead,
  type Notification,
  type NotificationPage,
  notificationsOf,
} from '../../../community/notification.ts';
import type { User } from '../../../identity/user.ts';
import type { Timestamp } from '../../../lib/clock.ts';
import { exposureSentence, tokenSentence } from '../../pages/credential-words.ts';
import { bilingual, type Locale } from '../../pages/language.ts';
import { agoElement } from '../../pages/moments.ts';
import { numberIn } from '../../pages/numbers.ts';
import { type Html, page } from '../../pages/page.ts';
import { neighbourLinks } from '../../pages/pagination.ts';
import { postPath } from '../../pages/post-path.ts';
import { reviewSentence } from '../../pages/review-words.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { appPathOf } from '../developers/frame.ts';
import type { SiteParts } from '../site-parts.ts';

const PATH = '/notifications';

/** Show the member's notifications, and mark them as read. The new ones are marked on this page once more. */
export async function notificationsPage(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const before = numberIn(c.req.query('before'));
  const part = await notificationsOf(site.community, user.id, before);
  const [newest] = part.items;
  // Up to the newest one that the page shows, so one that arrives meanwhile stays unread.
  if (
    before === undefined &&
    newest !== undefined &&
    part.items.some(({ isRead }) => !isRead) &&
    isOpened(c)
  ) {
    await markRead(byMember(user, site.clock), site.community, newest.id);
  }
  return pageOfNotifications(c, part, before === undefined, site.clock());
}

// Browsers also load pages that the member may never see (Fetch §3.2, Sec-Purpose).
function isOpened(c: PageContext): boolean {
  return c.req.method === 'GET' && !c.req.header('sec-purpose')?.includes('prefetch');
}

function pageOfNotifications(
  c: PageContext,
  { items, before }: NotificationPage,
  isFirst: boolean,
  now: Timestamp,
): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const links = neighbourLinks(language, {
    back: isFirst ? undefined : { href: PATH },
    next: before === undefined ? undefined : { href: `${PATH}?before=${before}` },
  });
  return page(
    c,
    { title: t.title },
    html`
      <h1>${t.title}</h1>
      ${items.length === 0 ? emptyList(isFirst ? t.none : t.noMore) : notificationList(items, now, c.get('visitor'))}
      ${links}
      <p class="soft small">${t.keepingTime}</p>`,
  );
}

function emptyList(text: string): Html {
  return html`<div class="empty"><p>${text}</p></div>`;
}

function notificationList(items: readonly Notification[], now: Timestamp, locale: Locale): Html {
  return html`
    <ol class="plain notifications">
      ${items.map((item) => notificationItem(item, now, locale))}
    </ol>`;
}

function notificationItem(item: Notification, now: Timestamp, locale: Locale): Html {
  const { language } = locale;
  const path = pathOf(item);
  const text = sentence(item, locale);
  return html`
    <li${item.isRead ? '' : html` class="new"`}>
      ${item.isRead ? '' : html`<span class="badge">${words[language].isNew}</span>`}
      ${path === undefined ? html`<span class="what">${text}</span>` : html`<a class="what" href="${path}">${text}</a>`}
      <span class="soft small">${agoElement(item.createdAt, now, locale)}</span>
      ${item.reason === undefined ? '' : html`<span class="reason">${words[language].reason(item.reason)}</span>`}
    </li>`;
}

function pathOf({ kind, commentId, postId: id, postTitle: title, about }: Notification): string | undefined {
  if (kind === 'api_token') return '/settings/tokens';
  if (kind === 'exposed') return about.exposed?.kind === 'personal' ? '/settings/tokens' : '/settings/apps';
  if (kind === 'application') return about.review && appPathOf({ id: about.review.clientId }, '/status');
  if (kind === 'removal' && commentId === undefined) return '/posts/removed';
  if (id === undefined || title === undefined) return undefined;
  if (kind === 'refusal' && commentId === undefined) return `/posts/${id}`;
  if (commentId !== undefined && kind !== 'removal' && kind !== 'refusal') return `/comments/${commentId}`;
  return postPath({ id, title, status: 'published' });
}

function sentence(item: Notification, locale: Locale): string {
  const { kind, actorName = '', postTitle, commentId, about } = item;
  const { language } = locale;
  const t = words[language];
  if (kind === 'api_token' || kind === 'exposed') {
    const { token, exposed } = about;
    if (token !== undefined) return tokenSentence(token, locale);
    return exposed === undefined ? '' : exposureSentence(exposed, locale);
  }
  if (kind === 'application') return about.review === undefined ? '' : reviewSentence(about.review, language);
  const post = postTitle === undefined ? t.gone : t.quote(postTitle);
  if (kind === 'removal') return commentId === undefined ? t.postRemoved(post) : t.commentRemoved(post);
  if (kind === 'restoration') return commentId === undefined ? t.postRestored(post) : t.commentRestored(post);
  if (kind === 'approval') return commentId === undefined ? t.postApproved(post) : t.commentApproved(post);
  if (kind === 'refusal') return commentId === undefined ? t.postReturned(post) : t.commentRefused(post);
  if (kind === 'mention' && commentId !== undefined) return t.mentionedInComment(actorName, post);
  return t.sentences[kind](actorName, post);
}

const words = bilingual(
  {
    title: 'Notifications',
    none: 'No notifications yet. Comments, replies, likes and mentions from other members will appear here.',
    noMore: 'There are no older notifications.',
    keepingTime: 'Notifications are kept for 90 days.',
    isNew: 'New',
    gone: 'a post that was removed',
    quote: (title: string) => `“${title}”`,
    sentences: {
      comment: (name: string, post: string) => `${name} commented on ${post}`,
      reply: (name: string, post: string) => `${name} replied to your comment on ${post}`,
      like: (name: string, post: string) => `${name} liked ${post}`,
      mention: (name: string, post: string) => `${name} mentioned you in ${post}`,
    },
    mentionedInComment: (name: string, post: string) => `${name} mentioned you in a comment on ${post}`,
    postRemoved: (post: string) => `A moderator removed your post ${post}`,
    commentRemoved: (post: string) => `A moderator removed your comment on ${post}`,
    postRestored: (post: string) => `A moderator undid the removal of your post ${post}`,
    commentRestored: (post: string) => `A moderator restored your comment on ${post}`,
    reason: (reason: string) => `Reason: ${reason}`,
    postApproved: (post: string) => `Your post ${post} was approved and is published`,
    commentApproved: (post: string) => `Your comment on ${post} was approved and is published`,
    postReturned: (post: string) => `A moderator returned your post ${post} to your drafts`,
    commentRefused: (post: string) => `A moderator did not approve your comment on ${post}`,
  },
  {
    title: '通知',
    none: '暂无通知。其他成员评论、回复、点赞您的内容，或者提到您时，会显示在这里。',
    noMore: '没有更早的通知了。',
    keepingTime: '通知保留 90 天。',
    isNew: '新',
    gone: '一篇已移除的文章',
    quote: (title) => `《${title}》`,
    sentences: {
      comment: (name: string, post: string) => `${name} 评论了${post}`,
      reply: (name: string, post: string) => `${name} 回复了您在${post}下的评论`,
      like: (name: string, post: string) => `${name} 赞了${post}`,
      mention: (name: string, post: string) => `${name} 在${post}中提到了您`,
    },
    mentionedInComment: (name: string, post: string) => `${name} 在${post}下的评论中提到了您`,
    postRemoved: (post: string) => `版主移除了您的文章${post}`,
    commentRemoved: (post: string) => `版主移除了您在${post}下的评论`,
    postRestored: (post: string) => `版主撤销了对您的文章${post}的移除`,
    commentRestored: (post: string) => `版主恢复了您在${post}下的评论`,
    reason: (reason: string) => `原因：${reason}`,
    postApproved: (post: string) => `您的文章${post}已通过审核并发布`,
    commentApproved: (post: string) => `您在${post}下的评论已通过审核并发布`,
    postReturned: (post: string) => `版主将您的文章${post}退回草稿`,
    commentRefused: (post: string) => `您在${post}下的评论未通过审核`,
  },
);
