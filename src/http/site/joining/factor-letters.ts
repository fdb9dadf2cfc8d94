// The mail about a second factor that operators remove at a member's request.

import { bilingual, type Language } from '../../pages/language.ts';

/** Tell a member that an operator removes the second factor a day later, with a link that keeps it. */
export function factorResetLetter(
  language: Language,
  { site, username, link, until }: { site: string; username: string; link: string; until: string },
): { subject: string; paragraphs: string[] } {
  const t = words[language];
  return {
    subject: t.subject(site),
    paragraphs: [t.asked(site, username, until), t.keep, link, t.otherwise],
  };
}

const words = bilingual(
  {
    subject: (site: string) => `Your second factor on ${site} will be removed`,
    asked: (site: string, username: string, until: string) =>
      `An operator of ${site} was told that you have lost the second factor of your account ${username}. It will be removed after ${until}. Then your password alone signs you in.`,
    keep: 'If you didn’t ask for this, keep your second factor on this page, and change your password:',
    otherwise: 'Signing in with your second factor before then keeps it too.',
  },
  {
    subject: (site) => `您在 ${site} 的第二重验证即将移除`,
    asked: (site, username, until) =>
      `${site} 的管理员得知，您丢失了账号 ${username} 的第二重验证。它将在 ${until} 之后被移除，此后仅凭密码即可登录。`,
    keep: '如果这不是您的请求，请打开以下页面保留第二重验证，并更改密码：',
    otherwise: '在此之前用第二重验证登录，也会保留它。',
  },
);
