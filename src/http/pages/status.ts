// The status of the service for everyone: whether the database answers, since when the server runs, and its version.

import { html } from 'hono/html';
import type { Clock, Timestamp } from '../../lib/clock.ts';
import { VERSION } from '../../lib/version.ts';
import { contactLine } from './contact.ts';
import { bilingual } from './language.ts';
import { agoElement } from './moments.ts';
import { page } from './page.ts';
import type { PageContext } from './visitor.ts';

export const STATUS_PATH = '/status';

/** Show the status. Works without the database. */
export function statusPage(
  { clock, startedAt }: { clock: Clock; startedAt: Timestamp },
  c: PageContext,
  isReady: boolean,
): Promise<Response> {
  const visitor = c.get('visitor');
  const t = words[visitor.language];
  if (!isReady) c.header('Retry-After', '5');
  return page(
    c,
    { title: t.title, status: isReady ? 200 : 503 },
    html`
      <h1>${t.title}</h1>
      <p class="notice${isReady ? '' : ' wrong'}" role="status">${isReady ? t.works : t.fails}</p>
      <dl class="facts">
        <dt>${t.database}</dt>
        <dd>${isReady ? t.answers : t.silent}</dd>
        <dt>${t.running}</dt>
        <dd>${agoElement(startedAt, clock(), visitor)}</dd>
        <dt>${t.api}</dt>
        <dd>v1</dd>
        <dt>${t.version}</dt>
        <dd>Portico ${VERSION}</dd>
      </dl>
      <p><a href="/docs/status">${t.more}</a></p>
      ${contactLine(c)}`,
  );
}

const words = bilingual(
  {
    title: 'Status',
    works: 'The site, the sign-in and the API work.',
    fails:
      'The database can’t be reached. Signing in and the API don’t work now. Nothing is lost; try again soon.',
    database: 'Database',
    answers: 'Answers',
    silent: 'Doesn’t answer',
    running: 'Server started',
    api: 'API',
    version: 'Software',
    more: 'For programs, and what to do during an outage',
  },
  {
    title: '服务状态',
    works: '网站、登录和 API 均正常。',
    fails: '无法连接数据库，登录和 API 暂时不可用。数据不会丢失，请稍后再试。',
    database: '数据库',
    answers: '正常响应',
    silent: '没有响应',
    running: '服务器启动于',
    api: 'API',
    version: '软件',
    more: '供程序使用的地址，以及服务中断时怎么办',
  },
);
