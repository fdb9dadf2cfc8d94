// What is wrong with a callback address, and what to know about it. The form says so after it was sent, and with
// JavaScript while the developer types.

import { domainToUnicode } from 'node:url';
import {
  canonicalRedirectUri,
  isSharedByDevice,
  type RedirectUriProblem,
  redirectUriProblem,
  reservedParameter,
} from '../../../oauth/redirect-uri.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { CONSOLE_PATH } from './frame.ts';

export const CALLBACK_CHECK_PATH = `${CONSOLE_PATH}/check-callback`;

/** What a row of the form says. */
export interface CallbackCheck {
  problem?: string;
  note?: string;
}

/** Check the address in the query, for the script. */
export function checkCallback(_: SiteParts, c: PageContext): Response {
  c.header('Cache-Control', 'no-store');
  const { language } = c.get('visitor');
  const check = callbackCheck(c.req.query('uri') ?? '', language);
  return c.json({ ...check, twice: words[language].twice });
}

/** Check an address, in words. `earlier` are the addresses of the rows above. */
export function callbackCheck(
  uri: string,
  language: Language,
  earlier: readonly string[] = [],
): CallbackCheck {
  const t = words[language];
  if (uri === '') return {};
  if (earlier.includes(uri)) return { problem: t.twice };
  const problem = redirectUriProblem(uri);
  if (problem === 'spelling') return { problem: t.spelling(canonicalRedirectUri(uri)) };
  if (problem === 'parameter') return { problem: t.parameter(reservedParameter(uri) ?? '') };
  if (problem !== undefined) return { problem: t.problems[problem] };
  const { hostname } = new URL(uri);
  const readable = domainToUnicode(hostname);
  if (hostname.includes('xn--') && readable !== '') return { note: t.readable(readable) };
  return isSharedByDevice(uri) ? { note: t.onDevice } : {};
}

type PlainProblem = Exclude<RedirectUriProblem, 'spelling' | 'parameter'>;

const words = bilingual(
  {
    twice: 'This address is listed twice.',
    spelling: (address: string) => `Write the address as ${address}`,
    parameter: (name: string) => `The address has a parameter ${name}. Portico adds that one itself.`,
    problems: {
      too_long: 'The address is longer than 2048 characters.',
      not_ascii: 'The address contains a space, or a character that must be percent-encoded.',
      wildcard: 'The address contains a wildcard, or a character that must be percent-encoded.',
      not_absolute: 'Write the whole address, such as https://app.example/callback.',
      fragment: 'Remove the fragment (#…). Browsers never send it.',
      user: 'Remove the user name and the password.',
      http: 'Use https. Only an address of this computer, such as http://localhost:3000, can use http.',
      scheme:
        'Use https. A phone app can also use a reversed domain name, such as com.example.app:/callback.',
    } satisfies Record<PlainProblem, string>,
    readable: (host: string) => `Members read the host as ${host}.`,
    onDevice: 'An address on the member’s own device. Members are asked each time they sign in.',
  },
  {
    twice: '此地址重复了。',
    spelling: (address) => `请将地址写为 ${address}`,
    parameter: (name) => `地址中包含参数 ${name}，该参数由 Portico 添加。`,
    problems: {
      too_long: '地址超过 2048 个字符。',
      not_ascii: '地址中有空格，或有需要百分号编码的字符。',
      wildcard: '地址中有通配符，或有需要百分号编码的字符。',
      not_absolute: '请填写完整地址，例如 https://app.example/callback。',
      fragment: '请删除片段（#…），浏览器不会发送它。',
      user: '请删除用户名和密码。',
      http: '请使用 https。只有本机地址（如 http://localhost:3000）可以使用 http。',
      scheme: '请使用 https。手机应用还可以使用反向域名，例如 com.example.app:/callback。',
    },
    readable: (host) => `成员看到的主机名是 ${host}。`,
    onDevice: '此地址位于成员自己的设备上，因此成员每次登录都需要确认。',
  },
);
