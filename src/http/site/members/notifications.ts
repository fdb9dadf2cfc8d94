// What happened to a member's posts and comments: newest first, unread ones marked.

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
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import { agoElement } from '../../pages/moments.ts';
import { numberIn } from '../../pages/numbers.ts';
import { formTokenField, type Html, page } from '../../pages/page.ts';
import { wayOn } from '../../pages/pagination.ts';
import { postPath } from '../../pages/post-path.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';

const PATH = '/notifications';

export async function notificationsPage(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const before = numberIn(c.req.query('before'));
  const part = await notificationsOf(site.community, user.id, before);
  return pageOfNotifications(c, part, before === undefined, site.clock());
}

export async function markNotificationsRead(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  await markRead(byMember(user, site.clock), site.community, numberIn(form.text('through')) ?? 0);
  return c.redirect(PATH, 303);
}

function pageOfNotifications(
  c: PageContext,
  { items, before }: NotificationPage,
  isFirst: boolean,
  now: Timestamp,
): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const list = html`<ol class="plain notifications">${items.map((item) => notificationItem(item, now, language))}</ol>`;
  return page(
    c,
    { title: t.title },
    html`<div class="row spread"><h1>${t.title}</h1>${isFirst ? readButton(c, items) : ''}</div>
${items.length === 0 ? html`<div class="empty"><p>${isFirst ? t.none : t.noMore}</p></div>` : list}
${wayOn(language, { back: isFirst ? undefined : { href: PATH }, on: before === undefined ? undefined : { href: `${PATH}?before=${before}` } })}
<p class="soft small">${t.kept}</p>`,
  );
}

// It names the newest that is shown: what comes between showing and pressing stays unread.
function readButton(c: PageContext, items: readonly Notification[]): Html | string {
  const [newest] = items;
  if (newest === undefined) return '';
  const t = words[c.get('visitor').language];
  return html`<form method="post" action="${PATH}/read">${formTokenField(c)}<input type="hidden" name="through" value="${newest.id}"><button class="link">${t.markRead}</button></form>`;
}

function notificationItem(item: Notification, now: Timestamp, language: Language): Html {
  const t = words[language];
  const path = pathOf(item);
  const text = sentence(item, language);
  return html`<li${item.isRead ? '' : html` class="new"`}>${item.isRead ? '' : html`<span class="badge">${t.isNew}</span> `}${path === undefined ? html`<span class="what">${text}</span>` : html`<a class="what" href="${path}">${text}</a>`} <span class="soft small">${agoElement(item.createdAt, now, language)}</span></li>`;
}

function pathOf({ kind, commentId, postId: id, postTitle: title }: Notification): string | undefined {
  if (title === undefined || (kind === 'removal' && commentId === undefined)) return undefined;
  if (commentId !== undefined && kind !== 'removal') return `/comments/${commentId}`;
  return postPath({ id, title, status: 'published' });
}

function sentence({ kind, actorName = '', postTitle, commentId }: Notification, language: Language): string {
  const t = words[language];
  const post = postTitle === undefined ? t.gone : t.named(postTitle);
  if (kind === 'removal') return commentId === undefined ? t.postRemoved(post) : t.commentRemoved(post);
  return t.sentences[kind](actorName, post);
}

const words = bilingual(
  {
    title: 'Notifications',
    none: 'Nothing yet. When somebody comments on what you wrote, or likes it, you read it here.',
    noMore: 'There is nothing older.',
    markRead: 'Mark all as read',
    kept: 'They are kept for 90 days.',
    isNew: 'New',
    gone: 'a post that was removed',
    named: (title: string) => `“${title}”`,
    sentences: {
      comment: (name: string, post: string) => `${name} commented on ${post}`,
      reply: (name: string, post: string) => `${name} answered your comment on ${post}`,
      like: (name: string, post: string) => `${name} likes ${post}`,
    },
    postRemoved: (post: string) => `The operators removed your post ${post}`,
    commentRemoved: (post: string) => `The operators removed your comment on ${post}`,
  },
  {
    title: '通知',
    none: '暂无通知。有人评论或点赞您的内容时，会显示在这里。',
    noMore: '没有更早的通知了。',
    markRead: '全部标为已读',
    kept: '通知保留 90 天。',
    isNew: '新',
    gone: '一篇已移除的文章',
    named: (title: string) => `《${title}》`,
    sentences: {
      comment: (name: string, post: string) => `${name} 评论了${post}`,
      reply: (name: string, post: string) => `${name} 回复了您在${post}下的评论`,
      like: (name: string, post: string) => `${name} 赞了${post}`,
    },
    postRemoved: (post: string) => `管理员移除了您的文章${post}`,
    commentRemoved: (post: string) => `管理员移除了您在${post}下的评论`,
  },
);
