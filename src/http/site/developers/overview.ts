// The first page of an application: its id, its state, and how it is registered. After registration, also its secret.

import { html } from 'hono/html';
import { callbackName } from '../../../oauth/client-numbers.ts';
import type { ClientUse } from '../../../oauth/client-numbers-store.ts';
import type { Client } from '../../../oauth/client-store.ts';
import { bilingual } from '../../pages/language.ts';
import { dayElement } from '../../pages/moments.ts';
import type { Html } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { trialPath } from '../../routes.ts';
import { COPY_SCRIPT } from '../../static-files.ts';
import { notice } from '../notice.ts';
import type { SiteParts } from '../site-parts.ts';
import { sandboxHint } from './apps.ts';
import { appPage } from './frame.ts';
import { lastUse, lastUseElement, numbersCard, numbersOf } from './numbers.ts';
import { newSecretCard } from './secret-card.ts';

/** Show the application in the path. */
export function overviewPage(site: SiteParts, c: PageContext, _: unknown, client: Client): Promise<Response> {
  return pageOfOverview(site, c, client, '');
}

/** Show an application that was just registered, with its secret. Only this response ever shows it. */
export function newAppPageOf(
  site: SiteParts,
  c: PageContext,
  client: Client,
  secret: string | undefined,
): Promise<Response> {
  const t = words[c.get('visitor').language];
  const isWaiting = client.deactivation === 'approval';
  return pageOfOverview(
    site,
    c,
    client,
    html`
      ${notice(isWaiting ? t.registeredWaiting : t.registered)}
      ${secret !== undefined && newSecretCard(c, secret)}`,
  );
}

async function pageOfOverview(
  parts: SiteParts,
  c: PageContext,
  client: Client,
  news: Html | '',
): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const numbers = await numbersOf(parts, client);
  return appPage(
    c,
    client,
    '',
    { script: COPY_SCRIPT },
    html`
      ${news}
      ${stateNotice(c, client)}
      <section class="card">
        <h2>${t.title}</h2>
        <dl class="facts">
          <dt>${t.id}</dt>
          <dd>
            <code id="client-id">${client.id}</code>
            <button type="button" class="link small" hidden data-copy="client-id" data-done="${t.copied}"
              aria-live="polite">${t.copy}</button>
          </dd>
          <dt>${t.kind}</dt>
          <dd>${t.kinds[client.kind]}</dd>
          <dt>${t.callbacks}</dt>
          <dd>${client.redirectUris.map((uri) => callbackLine(parts, c, uri, numbers.uses))}</dd>
          <dt>${t.scopes}</dt>
          <dd>${client.scopes.map((scope) => html`<span class="chip">${scope}</span> `)}</dd>
          <dt>${t.discovery}</dt>
          <dd><code>${parts.site.baseUrl}/.well-known/openid-configuration</code></dd>
          <dt>${t.since}</dt>
          <dd>${dayElement(client.createdAt, c.get('visitor'))}</dd>
        </dl>
        <p><a href="${trialPath(client.id)}">${t.tryIt}</a></p>
      </section>
      ${await numbersCard(parts, c, client, numbers)}
      ${sandboxHint(parts, c)}`,
  );
}

function callbackLine(site: SiteParts, c: PageContext, uri: string, uses: readonly ClientUse[]): Html {
  const visitor = c.get('visitor');
  const usedAt = lastUse(uses, callbackName(uri));
  const t = words[visitor.language];
  const use = usedAt === undefined ? t.unused : html`${t.matched} ${lastUseElement(site, c, usedAt)}`;
  return html`<code>${uri}</code><br><span class="soft small">${use}</span><br>`;
}

/** Say why an application doesn't work, with the operators' reason if they refused it. Empty for an active one. */
export function stateNotice(
  c: PageContext,
  { status, deactivation = 'operators', reviewNote }: Client,
): Html | '' {
  if (status === 'active') return '';
  const t = words[c.get('visitor').language];
  const note = deactivation === 'refused' && reviewNote !== undefined && html`<br>${t.reason} ${reviewNote}`;
  return html`<p class="notice">${t.states[deactivation]}${note}</p>`;
}

const words = bilingual(
  {
    registered: 'Application registered. It works from now on.',
    registeredWaiting: 'Application registered. It works once an operator has approved it.',
    states: {
      approval: 'An operator has to approve this application before it works.',
      refused:
        'The operators did not approve this application. Change what they ask for under Settings, and ask again under Status.',
      deleted: '',
      owner: 'You deactivated this application. It signs nobody in, and its tokens are refused.',
      operators: 'Operators deactivated this application. It signs nobody in, and its tokens are refused.',
      suspension: 'Operators deactivated this application. It signs nobody in, and its tokens are refused.',
    },
    reason: 'Their reason:',
    title: 'For your program',
    id: 'Client ID',
    copy: 'Copy',
    copied: 'Copied',
    kind: 'Type',
    kinds: { confidential: 'Server app', public: 'Browser or native app' },
    callbacks: 'Callback addresses',
    matched: 'last matched',
    unused: 'not matched in 30 days',
    scopes: 'Scopes',
    discovery: 'Discovery',
    since: 'Registered',
    tryIt: 'Try the whole sign-in in this browser',
  },
  {
    registered: '应用已注册，现在即可使用。',
    registeredWaiting: '应用已注册，管理员批准后即可使用。',
    states: {
      approval: '管理员批准此应用后才能使用。',
      refused: '管理员未批准此应用。请在“设置”中按要求修改，然后在“状态”中再次申请。',
      deleted: '',
      owner: '您已停用此应用。它无法让成员登录，令牌均被拒绝。',
      operators: '管理员已停用此应用。它无法让成员登录，令牌均被拒绝。',
      suspension: '管理员已停用此应用。它无法让成员登录，令牌均被拒绝。',
    },
    reason: '原因：',
    title: '程序所需的值',
    id: '客户端 ID',
    copy: '复制',
    copied: '已复制',
    kind: '类型',
    kinds: { confidential: '机密客户端', public: '公开客户端' },
    callbacks: '回调地址',
    matched: '最近匹配：',
    unused: '30 天内未匹配',
    scopes: '权限',
    discovery: '发现文档',
    since: '注册于',
    tryIt: '在此浏览器中试运行整个登录流程',
  },
);
