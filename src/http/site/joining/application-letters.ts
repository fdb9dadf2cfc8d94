// The texts of mails to owners of applications.

import type { MailSubject } from '../../../identity/mail-store.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import type { CurrentSite } from '../../pages/visitor.ts';

/** The letters by the purpose of the mail. Each is written only if it is called. */
export function applicationLetters(site: CurrentSite, language: Language, { application = '' }: MailSubject) {
  const t = words[language];
  return { endpoint_disabled: () => t.disabled(site.name, application, `${site.baseUrl}/docs/events`) };
}

const words = bilingual(
  {
    disabled: (site: string, application: string, link: string) => ({
      subject: `${site} no longer sends events to ${application}`,
      paragraphs: [
        `The address at which your application ${application} receives events from ${site} has accepted none of them for days, or said that it is gone. We stopped sending them, so the application doesn’t learn that a member removed its access.`,
        'Repair the address, and ask the operators of the community to register it again. How events work is described here:',
        link,
      ],
    }),
  },
  {
    disabled: (site: string, application: string, link: string) => ({
      subject: `${site} 已停止向 ${application} 发送事件`,
      paragraphs: [
        `您的应用 ${application} 用来接收 ${site} 事件的地址已连续多日未接收任何事件，或表示该地址已失效。我们已停止发送，应用将无法得知成员移除了它的访问权限。`,
        '请修复该地址，并请社区管理员重新登记。事件的说明见：',
        link,
      ],
    }),
  },
);
