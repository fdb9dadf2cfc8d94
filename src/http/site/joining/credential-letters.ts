// The texts of mails about credentials: API tokens that end, and credentials that were found in public.

import type { MailSubject } from '../../../identity/mail-store.ts';
import { exposureSentence, tokenSentence } from '../../pages/credential-words.ts';
import { bilingual, type Locale } from '../../pages/language.ts';
import type { CurrentSite } from '../../pages/visitor.ts';
import { unlinked } from './letter-words.ts';

interface Text {
  subject: string;
  paragraphs: string[];
}

const TOKENS_PATH = '/settings/tokens';

/** The letters by the purpose of the mail. Each is written only if it is called. */
export function credentialLetters(
  { name: site, baseUrl }: CurrentSite,
  locale: Locale,
  username: string,
  { token, exposed }: MailSubject,
) {
  const t = words[locale.language];
  return {
    api_token: (): Text => ({
      subject: t.token.subject(site),
      paragraphs: [
        t.account(site, username),
        token === undefined
          ? ''
          : `${tokenSentence({ ...token, name: unlinked(token.name) }, locale)}${t.stop}`,
        t.token.what,
        baseUrl + TOKENS_PATH,
      ],
    }),
    credential_exposed: (): Text => ({
      subject: t.exposed.subject(site),
      paragraphs: [
        t.account(site, username),
        ...(exposed === undefined
          ? []
          : [`${exposureSentence({ ...exposed, name: unlinked(exposed.name) }, locale)}${t.stop}`]),
        ...(exposed?.url === undefined ? [] : [t.exposed.found, exposed.url]),
        exposed?.kind === 'client_secret' ? t.exposed.secret : t.exposed.what,
        `${baseUrl}/settings/security`,
      ],
    }),
  };
}

const words = bilingual(
  {
    stop: '.',
    account: (site: string, username: string) => `This is about your account ${username} on ${site}.`,
    token: {
      subject: (site: string) => `Your API token on ${site}`,
      what: 'You can create, change, regenerate or revoke API tokens on this page:',
    },
    exposed: {
      subject: (site: string) => `A credential of yours on ${site} was found in public`,
      found: 'It was found here. Remove it there too:',
      what: 'Whoever saw it could read what it allowed until now. If you don’t know how it got there, check who has access to your account, and change your password:',
      secret:
        'With the secret, someone could pose as your application. Ask the operators of the community for a new one, or replace it yourself, and check your application’s logs. Your own settings:',
    },
  },
  {
    stop: '。',
    account: (site: string, username: string) => `此邮件关于您在 ${site} 的账号 ${username}。`,
    token: {
      subject: (site: string) => `您在 ${site} 的 API 令牌`,
      what: '您可以在此页面新建、修改、重新生成或撤销 API 令牌：',
    },
    exposed: {
      subject: (site: string) => `您在 ${site} 的一个凭据已公开泄露`,
      found: '发现位置如下，请同时从那里删除：',
      what: '在此之前，看到它的人可以读取它所允许的内容。如果您不清楚它为何泄露，请检查谁可以访问您的账号，并更改密码：',
      secret:
        '他人可以凭此密钥冒充您的应用。请向社区管理员申请新密钥或自行更换，并检查应用的日志。您的设置：',
    },
  },
);
