// The texts of mails to owners of applications.

import type { MailSubject } from '../../../identity/mail-store.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import { reviewSentence } from '../../pages/review-words.ts';
import type { CurrentSite } from '../../pages/visitor.ts';
import { unlinked } from './letter-words.ts';

/** The letters by the purpose of the mail. Each is written only if it is called. */
export function applicationLetters(
  site: CurrentSite,
  language: Language,
  { application: name = '', review, reason }: MailSubject,
) {
  const t = words[language];
  const application = unlinked(name);
  return {
    endpoint_disabled: () => t.disabled(site.name, application, `${site.baseUrl}/docs/events`),
    callbacks_changed: () => t.callbacks(site.name, application, `${site.baseUrl}/developers/apps`),
    application_reviewed: () => ({
      subject: t.reviewed(site.name),
      paragraphs: [
        ...(review === undefined
          ? []
          : [`${reviewSentence({ ...review, name: unlinked(review.name) }, language)}${t.stop}`]),
        ...(reason === undefined ? [] : [t.reason, unlinked(reason)]),
        t.page,
        `${site.baseUrl}/developers/apps/${review?.clientId ?? ''}`,
      ],
    }),
  };
}

const words = bilingual(
  {
    stop: '.',
    reviewed: (site: string) => `Your application on ${site}`,
    reason: 'The reason given:',
    page: 'You can see and change your application on this page:',
    disabled: (site: string, application: string, link: string) => ({
      subject: `${site} no longer sends events to your application`,
      paragraphs: [
        `The address at which your application “${application}” receives events from ${site} has accepted none of them for days, or said that it is gone. We stopped sending them, so the application doesn’t learn that a member removed its access.`,
        'Repair the address, and ask the operators of the community to register it again. How events work is described here:',
        link,
      ],
    }),
    callbacks: (site: string, application: string, link: string) => ({
      subject: `The addresses of your application on ${site} were changed`,
      paragraphs: [
        `The callback addresses of your application “${application}”, or its addresses after signing out, were changed. ${site} sends members there with their sign-ins.`,
        'If it was you, nothing else is needed. If not, change your password, and then correct the addresses here:',
        link,
      ],
    }),
  },
  {
    stop: '。',
    reviewed: (site: string) => `您在 ${site} 的应用`,
    reason: '原因：',
    page: '您可以在此页面查看和修改您的应用：',
    disabled: (site: string, application: string, link: string) => ({
      subject: `${site} 已停止向您的应用发送事件`,
      paragraphs: [
        `您的应用“${application}”用来接收 ${site} 事件的地址已连续多日未接收任何事件，或表示该地址已失效。我们已停止发送，应用将无法得知成员移除了它的访问权限。`,
        '请修复该地址，并请社区管理员重新登记。事件的说明见：',
        link,
      ],
    }),
    callbacks: (site: string, application: string, link: string) => ({
      subject: `您的应用在 ${site} 的地址已更改`,
      paragraphs: [
        `您的应用“${application}”的回调地址或退出后返回的地址已更改。成员登录时，${site} 会把他们送到这些地址。`,
        '如果是您本人操作，无需处理。如果不是，请更改密码，然后在此页面更正地址：',
        link,
      ],
    }),
  },
);
