// What the server does by itself, for operators: its background work and its signing keys.

import { html } from 'hono/html';
import { type BackgroundWork, isFailing } from '../../../audit/background-work.ts';
import type { Timestamp } from '../../../lib/clock.ts';
import { retiredKeyLeavesAt, rotationDueAt } from '../../../oauth/signing-key.ts';
import type { SigningKey } from '../../../oauth/signing-key-store.ts';
import { bilingual, type Locale } from '../../pages/language.ts';
import { agoElement, dayElement } from '../../pages/moments.ts';
import type { Html } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { table } from '../table.ts';
import { operatorPage, operatorTitle } from './page.ts';

const PATH = '/operator/server';
// Each running server does this work.
const ALWAYS = ['purging', 'rendering', 'mails', 'diary', 'tokens', 'events'] as const;

/** Show when background work last ran, and the states of the signing keys. */
export async function serverPage({ audit, oauth, clock }: SiteParts, c: PageContext): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const title = operatorTitle(c, PATH);
  const [records, keys] = await Promise.all([audit.reads.backgroundWork(), oauth.reads.signingKeys()]);
  const others = ALWAYS.filter((name) => !records.some((record) => record.name === name)).map(neverRan);
  const now = clock();
  return operatorPage(
    c,
    PATH,
    { title },
    html`
      <h1>${title}</h1>
      <h2>${t.work}</h2>
      <p class="soft">${t.aboutWork}</p>
      ${table(
        [t.what, t.lastRun, t.lastError],
        [...records, ...others].map((work) => workRow(work, now, c.get('visitor'))),
      )}
      <h2>${t.keys}</h2>
      <p class="soft">${t.aboutKeys}</p>
      ${table(
        [t.key, t.state, t.created, t.next],
        keys.map((key) => keyRow(key, now, c.get('visitor'))),
      )}`,
  );
}

function neverRan(name: BackgroundWork['name']): BackgroundWork {
  return { name, ranAt: undefined, failedAt: undefined, error: undefined };
}

function workRow(work: BackgroundWork, now: Timestamp, locale: Locale): Html {
  const t = words[locale.language];
  const { name, ranAt, failedAt, error } = work;
  const badge = html`<span class="badge warning">${t.failing}</span>`;
  return html`
    <tr>
      <th scope="row">
        ${name === 'mails' ? html`<a href="/operator/mails">${t.works.mails}</a>` : t.works[name]}
        ${isFailing(work) && badge}
      </th>
      <td data-label="${t.lastRun}">${ranAt === undefined ? t.never : agoElement(ranAt, now, locale)}</td>
      <td data-label="${t.lastError}">
        <span>
          ${failedAt === undefined ? t.none : agoElement(failedAt, now, locale)}
          ${error !== undefined && html`<br><span class="soft small">${error}</span>`}
        </span>
      </td>
    </tr>`;
}

function keyRow(key: SigningKey, now: Timestamp, locale: Locale): Html {
  const t = words[locale.language];
  const { kid, alg, state, createdAt } = key;
  return html`
    <tr>
      <th scope="row">${alg}<br><span class="soft small"><code>${kid}</code></span></th>
      <td data-label="${t.state}">${t.states[state]}</td>
      <td data-label="${t.created}">${agoElement(createdAt, now, locale)}</td>
      <td data-label="${t.next}">${nextStep(key, locale)}</td>
    </tr>`;
}

function nextStep(key: SigningKey, locale: Locale): Html {
  const t = words[locale.language];
  if (key.state === 'active') return html`${t.rotates} ${dayElement(rotationDueAt(key), locale)}`;
  if (key.state === 'next') return html`${t.waits}`;
  return html`${t.leaves} ${dayElement(retiredKeyLeavesAt(key), locale)}`;
}

const words = bilingual(
  {
    work: 'Background work',
    aboutWork: 'The server does this by itself, and tries again after an error.',
    what: 'Work',
    lastRun: 'Last run without an error',
    lastError: 'Last error',
    failing: 'Failing',
    never: 'Never',
    none: 'None',
    works: {
      purging: 'Delete expired data',
      rendering: 'Render texts',
      diary: 'Write access diaries',
      tokens: 'Watch API tokens and consents that end',
      mails: 'Send mail',
      events: 'Send events to applications',
      backups: 'Back up',
    },
    keys: 'Signing keys',
    aboutKeys:
      'Applications verify sign-ins with the public parts of these keys. The server replaces a key every 90 days. To replace one sooner, use “keys rotate” on the command line.',
    key: 'Key',
    state: 'Status',
    created: 'Created',
    next: 'Next',
    states: { next: 'Published, not used yet', active: 'Signs', retired: 'Retired' },
    rotates: 'Retires on',
    waits: 'Signs when the active key retires',
    leaves: 'No longer published from',
  },
  {
    work: '后台任务',
    aboutWork: '这些任务由服务器自动执行，出错后会自动重试。',
    what: '任务',
    lastRun: '最近一次成功',
    lastError: '最近一次错误',
    failing: '出错',
    never: '从未',
    none: '无',
    works: {
      purging: '清理过期数据',
      rendering: '渲染文章',
      mails: '发送邮件',
      events: '向应用发送事件',
      diary: '写入访问日记',
      tokens: '检查即将到期的 API 令牌和授权',
      backups: '备份',
    },
    keys: '签名密钥',
    aboutKeys:
      '应用用这些密钥的公开部分验证登录。服务器每 90 天更换一次密钥；如需提前更换，请使用命令行 keys rotate。',
    key: '密钥',
    state: '状态',
    created: '创建于',
    next: '下一步',
    states: { next: '已公布，尚未使用', active: '正在签名', retired: '已停用' },
    rotates: '停用日期：',
    waits: '当前密钥停用后开始签名',
    leaves: '停止公布日期：',
  },
);
