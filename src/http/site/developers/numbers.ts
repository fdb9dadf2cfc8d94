// The numbers of an application's last 30 days: calls, refusals, and what to do about them.

import { html } from 'hono/html';
import { HOUR } from '../../../lib/clock.ts';
import { readClientNumbers } from '../../../oauth/client-numbers.ts';
import type { ClientHour, ClientUse } from '../../../oauth/client-numbers-store.ts';
import type { Client } from '../../../oauth/client-store.ts';
import { countMembers } from '../../../oauth/member-count.ts';
import { dayBars } from '../../pages/day-bars.ts';
import { bilingual } from '../../pages/language.ts';
import { agoElement, countOf } from '../../pages/moments.ts';
import type { Html } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { beginningOf, diaryDays, requestsByDay } from '../settings/diary-days.ts';
import type { SiteParts } from '../site-parts.ts';

const API_REFUSALS = ['401', '403', '429'] as const;
const TOKEN_REFUSALS = ['invalid_client', 'invalid_grant', 'invalid_request', 'rate_limited'] as const;
const SHOWN = ['token', 'api', ...API_REFUSALS, ...TOKEN_REFUSALS] as const;

export type Numbers = Awaited<ReturnType<typeof readClientNumbers>>;

/** The numbers of an application, up to date in this process. */
export async function numbersOf({ oauth, numbers }: SiteParts, client: Client): Promise<Numbers> {
  await numbers.flush();
  return readClientNumbers(oauth, client.id);
}

/** Show the numbers, with a chart of calls and one of refusals. */
export async function numbersCard(
  site: SiteParts,
  c: PageContext,
  client: Client,
  { hours, replays }: Numbers,
): Promise<Html> {
  const visitor = c.get('visitor');
  const t = words[visitor.language];
  const members = await countMembers(site.oauth, client);
  const count = (what: string) => timesOf(hours, [what]);
  const days = diaryDays(site, c);
  const chart = (kinds: readonly string[]) => {
    const lines = hours
      .filter(({ what }) => kinds.includes(what))
      .map(({ hour, times }) => ({ beginsAt: beginningOf(days, hour), requests: times }));
    return dayBars(requestsByDay(lines, days), visitor.language);
  };
  const shown = SHOWN.filter((what) => what === 'token' || what === 'api' || count(what) > 0);
  return html`
    <section class="card">
      <h2>${t.title}</h2>
      <dl class="facts">
        <dt>${t.members}</dt>
        <dd>${countOf(members)}</dd>
        ${shown.map((what) => fact(t.counts[what], count(what), t.fixes[what] ?? ''))}
        ${replays > 0 && fact(t.replays, replays, t.replayFix)}
      </dl>
      <h3>${t.calls}</h3>
      ${chart(['api'])}
      <h3>${t.refusals}</h3>
      ${chart([...API_REFUSALS, ...TOKEN_REFUSALS])}
    </section>`;
}

function fact(name: string, times: number, fix: string): Html {
  return html`<dt>${name}</dt><dd>${countOf(times)} <span class="soft small">${fix}</span></dd>`;
}

/** When a callback or a secret was last used, to the hour. Undefined if it wasn't in the last 30 days. */
export function lastUse(uses: readonly ClientUse[], name: string): number | undefined {
  return uses.find((use) => use.name === name)?.lastHour;
}

/** Say how long ago something was last used. Only its hour is known. */
export function lastUseElement({ clock }: SiteParts, c: PageContext, hour: number): Html {
  const visitor = c.get('visitor');
  const now = clock();
  return now - hour < HOUR ? html`${words[visitor.language].thisHour}` : agoElement(hour, now, visitor);
}

function timesOf(hours: readonly ClientHour[], kinds: readonly string[]): number {
  return hours.reduce((sum, { what, times }) => (kinds.includes(what) ? sum + times : sum), 0);
}

type Count = (typeof SHOWN)[number];

const words = bilingual(
  {
    title: 'The last 30 days',
    thisHour: 'within the last hour',
    members: 'Members now',
    counts: {
      token: 'Tokens issued',
      api: 'API calls',
      '401': 'API: token refused (401)',
      '403': 'API: scope missing (403)',
      '429': 'API: too many calls (429)',
      invalid_client: 'Wrong secret',
      invalid_grant: 'Code or refresh token refused',
      invalid_request: 'Parameter missing',
      rate_limited: 'Too many token requests',
    } satisfies Record<Count, string>,
    fixes: {
      '401': 'Refresh the token when it has expired, and forget it when the refresh is refused.',
      '403': 'Members can untick scopes: read “scope” in the token response.',
      '429': 'Wait as long as Retry-After says.',
      invalid_client: 'Compare the secret with the endings under Secrets.',
      invalid_grant:
        'A code works once and for five minutes. Store each new refresh token before you use it.',
      invalid_request: 'The answer names the parameter.',
      rate_limited: 'Keep the access token for its hour instead of asking for one with each call.',
    } as Partial<Record<Count, string>>,
    replays: 'Old refresh tokens used',
    replayFix:
      'Each of these ended a sign-in. Refresh one at a time, also across processes, and store the new token before anything else.',
    calls: 'API calls a day',
    refusals: 'Refused requests a day',
  },
  {
    title: '最近 30 天',
    thisHour: '一小时内',
    members: '当前成员数',
    counts: {
      token: '已签发的令牌',
      api: 'API 调用',
      '401': 'API：令牌被拒绝（401）',
      '403': 'API：缺少权限（403）',
      '429': 'API：调用过多（429）',
      invalid_client: '密钥错误',
      invalid_grant: '授权码或刷新令牌被拒绝',
      invalid_request: '缺少参数',
      rate_limited: '令牌请求过多',
    },
    fixes: {
      '401': '令牌过期时请刷新；刷新被拒绝时请丢弃它。',
      '403': '成员可以取消勾选权限：请查看令牌响应中的 scope。',
      '429': '请按 Retry-After 的时间等待。',
      invalid_client: '请与“密钥”页面中的结尾核对。',
      invalid_grant: '授权码只能在五分钟内使用一次。使用新的刷新令牌之前请先保存。',
      invalid_request: '响应中会说明是哪个参数。',
      rate_limited: '访问令牌一小时内有效，请保存使用，不要每次调用都重新获取。',
    },
    replays: '使用了旧的刷新令牌',
    replayFix: '每次都会使一次登录失效。同一时间（包括多个进程）只刷新一次，并先保存新令牌。',
    calls: '每日 API 调用',
    refusals: '每日被拒绝的请求',
  },
);
