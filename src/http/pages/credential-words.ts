// What members are told about their credentials, in words: for notifications and mails.

import type {
  AboutExposure,
  AboutToken,
  CredentialKind,
  ExposureSource,
} from '../../audit/credential-notice.ts';
import { bilingual, type Locale } from './language.ts';
import { countOf, dayOf } from './moments.ts';

/** Say what happens to an API token. */
export function tokenSentence({ notice, name, endsAt }: AboutToken, locale: Locale): string {
  return words[locale.language].tokens[notice](name, dayOf(endsAt, locale));
}

/** Say which credential was found where, and what became of it. */
export function exposureSentence(
  { kind, source, name, others = 0 }: AboutExposure,
  { language }: Locale,
): string {
  const t = words[language];
  const sentence = t.exposed[kind](name, t.sources[source]);
  return others === 0 ? sentence : sentence + t.others(others);
}

/** Tells an author why a text of theirs has masked characters. */
export const maskedText = bilingual(
  'There was a working token of this site in your text. Anyone could have used it, so we revoked it, told its owner, and hid its characters.',
  '您的文字中含有本站一个有效的令牌。任何人都可能使用它，因此我们撤销了它、通知了其主人，并隐去了它的字符。',
);

const words = bilingual(
  {
    tokens: {
      ends_in_7_days: (name: string, day: string) =>
        `Your API token “${name}” expires within 7 days, on ${day}`,
      ends_in_1_day: (name: string, day: string) =>
        `Your API token “${name}” expires within a day, on ${day}`,
      ended: (name: string, day: string) => `Your API token “${name}” expired on ${day}`,
      unused_30_days: (name: string, day: string) =>
        `Your API token “${name}” hasn’t been used for 11 months. We’ll revoke it on ${day} unless you use it`,
      unused_7_days: (name: string, day: string) =>
        `Your API token “${name}” hasn’t been used for almost a year. We’ll revoke it on ${day} unless you use it`,
      unused: (name: string) => `We revoked your API token “${name}”, because it wasn’t used for a year`,
    },
    sources: {
      report: 'by someone who reported it',
      github: 'in public on GitHub',
      post: 'in a post on this site',
      comment: 'in a comment on this site',
      bio: 'in a profile on this site',
    } satisfies Record<ExposureSource, string>,
    exposed: {
      personal: (name: string, where: string) => `Your API token “${name}” was found ${where}. We revoked it`,
      access: (name: string, where: string) =>
        `An access token of the application “${name}” for your account was found ${where}. We revoked it`,
      refresh: (name: string, where: string) =>
        `A refresh token of the application “${name}” for your account was found ${where}. We ended that sign-in`,
      client_secret: (name: string, where: string) =>
        `The client secret of the application “${name}” was found ${where}. Replace it now: it still works`,
    } satisfies Record<CredentialKind, unknown>,
    others: (count: number) =>
      `. ${countOf(count)} more ${count === 1 ? 'credential' : 'credentials'} of your account ${count === 1 ? 'was' : 'were'} found with it, and revoked too`,
  },
  {
    tokens: {
      ends_in_7_days: (name: string, day: string) => `您的 API 令牌“${name}”将在 7 天内到期（${day}）`,
      ends_in_1_day: (name: string, day: string) => `您的 API 令牌“${name}”将在一天内到期（${day}）`,
      ended: (name: string, day: string) => `您的 API 令牌“${name}”已于 ${day} 到期`,
      unused_30_days: (name: string, day: string) =>
        `您的 API 令牌“${name}”已有 11 个月未使用。如继续不用，我们将于 ${day} 撤销它`,
      unused_7_days: (name: string, day: string) =>
        `您的 API 令牌“${name}”已近一年未使用。如继续不用，我们将于 ${day} 撤销它`,
      unused: (name: string) => `您的 API 令牌“${name}”一年未使用，已被撤销`,
    },
    sources: {
      report: '被人发现并举报',
      github: '在 GitHub 上公开可见',
      post: '出现在本站的一篇文章中',
      comment: '出现在本站的一条评论中',
      bio: '出现在本站的一份个人简介中',
    },
    exposed: {
      personal: (name: string, where: string) => `您的 API 令牌“${name}”${where}，已被撤销`,
      access: (name: string, where: string) => `应用“${name}”访问您账号的一个访问令牌${where}，已被撤销`,
      refresh: (name: string, where: string) =>
        `应用“${name}”访问您账号的一个刷新令牌${where}，相应的登录已终止`,
      client_secret: (name: string, where: string) => `应用“${name}”的密钥${where}。它仍然有效，请立即更换`,
    },
    others: (count) => `。同时发现了您账号的另外 ${countOf(count)} 个凭据，也已撤销`,
  },
);
