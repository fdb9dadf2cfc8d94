// The texts of mails about moderation: to the author of a removed text, to a suspended member, and about reports.

import { MOST_REPORTS } from '../../../identity/mail.ts';
import type { MailSubject } from '../../../identity/mail-store.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import type { CurrentSite } from '../../pages/visitor.ts';
import { unlinked } from './letter-words.ts';

interface Text {
  subject: string;
  paragraphs: string[];
}

/** The letters by the purpose of the mail. Each is written only if it is called. */
export function moderationLetters(
  site: CurrentSite,
  language: Language,
  username: string,
  { reason, post: title = '', isComment = false, reports = 0, role = 'member' }: MailSubject,
) {
  const t = words[language];
  const post = unlinked(title);
  const why = reason === undefined ? [] : [t.reason, unlinked(reason)];
  const more = [t.more, `${site.baseUrl}/notifications`];
  const what = isComment ? 'comment' : 'post';
  const count = reports > MOST_REPORTS ? `${MOST_REPORTS}+` : String(reports);
  return {
    role_changed: (): Text => ({
      subject: t.role.subject(site.name),
      paragraphs: [t.role.text[role](site.name, username), t.role.contact],
    }),
    account_suspended: (): Text => ({
      subject: t.suspended.subject(site.name),
      paragraphs: [t.suspended.text(site.name, username), ...why, t.contact],
    }),
    content_removed: (): Text => ({
      subject: t.removed.subject[what](site.name),
      paragraphs: [t.removed.text[what](site.name, post), ...why, ...more, t.contact],
    }),
    content_restored: (): Text => ({
      subject: t.restored.subject[what](site.name),
      paragraphs: [t.restored.text[what](site.name, post), ...more],
    }),
    new_reports: (): Text => ({
      subject: t.reports.subject(site.name, count),
      paragraphs: [t.reports.text(count), `${site.baseUrl}/operator/reports`, t.reports.pace],
    }),
  };
}

const words = bilingual(
  {
    reason: 'The reason given:',
    contact: 'If you disagree, contact the operators of the community.',
    more: 'You get at most one of these emails an hour. All decisions about your texts are on this page:',
    role: {
      subject: (site: string) => `Your role on ${site} was changed`,
      text: {
        operator: (site: string, username: string) =>
          `Your account ${username} on ${site} is now an operator’s.`,
        moderator: (site: string, username: string) =>
          `Your account ${username} on ${site} is now a moderator’s.`,
        member: (site: string, username: string) =>
          `Your account ${username} on ${site} is now an ordinary member’s, neither an operator’s nor a moderator’s.`,
      },
      contact: 'If you didn’t expect this, contact the operators of the community at once.',
    },
    suspended: {
      subject: (site: string) => `Your account on ${site} was suspended`,
      text: (site: string, username: string) =>
        `Your account ${username} on ${site} was suspended. You can’t sign in, and connected applications and API tokens don’t work. Your posts and comments stay.`,
    },
    removed: {
      subject: {
        post: (site: string) => `Your post on ${site} was removed`,
        comment: (site: string) => `Your comment on ${site} was removed`,
      },
      text: {
        post: (site: string, title: string) =>
          `Your post “${title}” on ${site} was removed by its moderators.`,
        comment: (site: string, title: string) =>
          `Your comment on the post “${title}” on ${site} was removed by its moderators.`,
      },
    },
    restored: {
      subject: {
        post: (site: string) => `The removal of your post on ${site} was undone`,
        comment: (site: string) => `Your comment on ${site} was restored`,
      },
      text: {
        post: (site: string, title: string) =>
          `The moderators of ${site} have undone the removal of your post “${title}”.`,
        comment: (site: string, title: string) =>
          `The moderators of ${site} have restored your comment on the post “${title}”.`,
      },
    },
    reports: {
      subject: (site: string, count: string) =>
        count === '1' ? `1 open report on ${site}` : `${count} open reports on ${site}`,
      text: (count: string) =>
        count === '1'
          ? 'A member reported a post or a comment. Review the report on this page:'
          : `Members reported posts or comments. ${count} reports are open. Review them on this page:`,
      pace: 'You get at most one of these emails an hour.',
    },
  },
  {
    reason: '说明的原因：',
    contact: '如有异议，请联系社区管理员。',
    more: '此类邮件每小时最多一封。有关您文字的全部处理结果见此页面：',
    role: {
      subject: (site: string) => `您在 ${site} 的角色已更改`,
      text: {
        operator: (site: string, username: string) => `您在 ${site} 的账号 ${username} 现在是管理员账号。`,
        moderator: (site: string, username: string) => `您在 ${site} 的账号 ${username} 现在是版主账号。`,
        member: (site: string, username: string) =>
          `您在 ${site} 的账号 ${username} 现在是普通成员账号，不再是管理员或版主。`,
      },
      contact: '如果您不知道此事，请立即联系社区管理员。',
    },
    suspended: {
      subject: (site: string) => `您在 ${site} 的账号已被暂停`,
      text: (site: string, username: string) =>
        `您在 ${site} 的账号 ${username} 已被暂停。您暂时无法登录，已连接的应用和 API 令牌也无法使用。您的文章和评论保持不变。`,
    },
    removed: {
      subject: {
        post: (site: string) => `您在 ${site} 的文章已被移除`,
        comment: (site: string) => `您在 ${site} 的评论已被移除`,
      },
      text: {
        post: (site: string, title: string) => `您在 ${site} 发表的文章《${title}》已被版主移除。`,
        comment: (site: string, title: string) => `您在 ${site} 的文章《${title}》下发表的评论已被版主移除。`,
      },
    },
    restored: {
      subject: {
        post: (site: string) => `您在 ${site} 的文章不再处于被移除状态`,
        comment: (site: string) => `您在 ${site} 的评论已恢复`,
      },
      text: {
        post: (site: string, title: string) => `${site} 的版主撤销了对您的文章《${title}》的移除。`,
        comment: (site: string, title: string) => `${site} 的版主恢复了您在文章《${title}》下的评论。`,
      },
    },
    reports: {
      subject: (site: string, count: string) => `${site} 有 ${count} 份待处理的举报`,
      text: (count: string) => `成员举报了文章或评论，共有 ${count} 份举报待处理。请在此页面处理：`,
      pace: '此类邮件每小时最多一封。',
    },
  },
);
