// Where an application receives events: its webhook, and logout tokens.

import { html } from 'hono/html';
import type { User } from '../../../identity/user.ts';
import { InvalidRegistration } from '../../../oauth/client.ts';
import type { Client } from '../../../oauth/client-store.ts';
import { removeEventEndpoint, rotateWebhookSecret, setEventEndpoint } from '../../../oauth/event-endpoint.ts';
import type { EndpointKind, EndpointState } from '../../../oauth/event-store.ts';
import { inputField } from '../../pages/fields.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { dayElement } from '../../pages/moments.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { COPY_SCRIPT } from '../../static-files.ts';
import { notice } from '../notice.ts';
import { proven } from '../proof.ts';
import type { SiteParts } from '../site-parts.ts';
import { changedElsewhere, changer, type Refusal } from './changer.ts';
import { appPage, appPathOf } from './frame.ts';
import { newSecretCard } from './secret-card.ts';

const TAB = '/events';
const KINDS: readonly EndpointKind[] = ['webhook', 'logout'];

interface Shown {
  /** The text of a new webhook secret. Only this response ever shows it. */
  secret?: string | undefined;
  refused?: { kind: EndpointKind; url: string; refusal: Refusal; isAddress?: boolean };
  isSaved?: boolean;
}

/** Show both addresses. */
export function eventsPage(site: SiteParts, c: PageContext, _: User, client: Client): Promise<Response> {
  return pageOfEvents(site, c, client, { isSaved: c.req.query('saved') !== undefined });
}

/** Set or remove an address, or replace the webhook's secret. */
export async function changeEvents(
  site: SiteParts,
  c: PageContext,
  user: User,
  client: Client,
  posted: PostedForm,
): Promise<Response> {
  const { language } = c.get('visitor');
  const kind = posted.text('kind') === 'logout' ? 'logout' : 'webhook';
  const act = posted.text('act');
  const url = posted.text(`${kind}_url`).trim();
  const refuse = (refusal: Refusal, isAddress = false) =>
    pageOfEvents(site, c, client, { refused: { kind, url, refusal, isAddress } });
  const proof = act !== 'remove' && (await proven(site, c, [user, posted]));
  if (proof instanceof Response) return proof;
  const by = await changer(site, c, user, client);
  if ('refusal' in by) return refuse(by.refusal);
  try {
    let secret: string | undefined;
    if (act === 'remove') await removeEventEndpoint(by, site.oauth, client.id, kind);
    else if (act === 'rotate') {
      secret = await rotateWebhookSecret(by, site.oauth, client.id);
      if (secret === undefined) return refuse(changedElsewhere(language));
    } else {
      const outcome = await setEventEndpoint(by, site.oauth, client.id, kind, url);
      if (!outcome.isSet) return refuse(changedElsewhere(language));
      secret = outcome.secret;
    }
    if (secret === undefined) return c.redirect(`${appPathOf(client, TAB)}?saved`, 303);
    return pageOfEvents(site, c, client, { secret, isSaved: true });
  } catch (error) {
    if (!(error instanceof InvalidRegistration)) throw error;
    return refuse({ status: 400, text: words[language].badAddress }, true);
  }
}

async function pageOfEvents(
  site: SiteParts,
  c: PageContext,
  client: Client,
  { secret, refused, isSaved }: Shown,
): Promise<Response> {
  const t = words[c.get('visitor').language];
  const states = await site.oauth.reads.endpointStates(client.id);
  return appPage(
    c,
    client,
    TAB,
    { status: refused?.refusal.status ?? 200, script: COPY_SCRIPT },
    html`
      ${notice(isSaved ? t.saved : undefined)}
      ${refused !== undefined && html`<p class="notice wrong" role="alert">${refused.refusal.text}</p>`}
      ${secret !== undefined && newSecretCard(c, secret, t.newSecret)}
      <p class="soft">${t.means} <a href="/docs/events">${t.docs}</a></p>
      ${KINDS.map((kind) =>
        endpointCard(c, client, {
          kind,
          state: states.find((state) => state.kind === kind),
          refused: refused?.kind === kind ? refused : undefined,
        }),
      )}`,
  );
}

interface Endpoint {
  kind: EndpointKind;
  state: EndpointState | undefined;
  refused: Shown['refused'];
}

function endpointCard(c: PageContext, client: Client, { kind, state, refused }: Endpoint): Html {
  const t = words[c.get('visitor').language];
  const field = inputField({
    name: `${kind}_url`,
    label: t.address,
    value: refused?.url ?? state?.url ?? '',
    problem: refused?.isAddress ? refused.refusal.text : undefined,
    required: true,
    attributes: html`inputmode="url" placeholder="https://"`,
  });
  return html`
    <section class="card">
      <h2>${t.kinds[kind]}</h2>
      <p>${t.kindsMean[kind]}</p>
      ${state !== undefined && stateFacts(c, state)}
      <form method="post" action="${appPathOf(client, TAB)}">
        ${formTokenField(c)}
        <input type="hidden" name="kind" value="${kind}">
        ${field}
        <div class="actions">
          <button class="primary" name="act" value="set">${t.set}</button>
          ${state !== undefined && kind === 'webhook' && html`<button name="act" value="rotate">${t.rotate}</button>`}
          ${state !== undefined && html`<button name="act" value="remove" formnovalidate>${t.remove}</button>`}
        </div>
      </form>
    </section>`;
}

function stateFacts(
  c: PageContext,
  { waiting, givenUp, problem, disabledAt, previousUntil }: EndpointState,
): Html {
  const visitor = c.get('visitor');
  const t = words[visitor.language];
  return html`
    <dl class="facts">
      <dt>${t.state}</dt>
      <dd>
        ${disabledAt === undefined ? t.on : html`<span class="badge warning">${t.off}</span>`}
        <br><span class="soft small">${t.counts(waiting, givenUp)}</span>
      </dd>
      ${problem !== undefined && html`<dt>${t.lastError}</dt><dd>${problem}</dd>`}
      ${previousUntil !== undefined && html`<dt>${t.earlier}</dt><dd>${dayElement(previousUntil, visitor)}</dd>`}
    </dl>`;
}

const words = bilingual(
  {
    saved: 'Saved.',
    newSecret: 'Copy the webhook secret now',
    means: 'Learn within seconds when a member takes access back, instead of with your next request.',
    docs: 'How events work',
    kinds: { webhook: 'Webhook', logout: 'Logout tokens' },
    kindsMean: {
      webhook: 'Tells when a member narrows, pauses, resumes or removes your access. Signed with a secret.',
      logout: 'Tells when a member signs out here (OpenID Connect Back-Channel Logout).',
    },
    address: 'Address',
    badAddress: 'Enter an address on the public internet that begins with https://, without a port.',
    set: 'Save address',
    rotate: 'Replace secret',
    remove: 'Remove',
    state: 'State',
    on: 'Turned on',
    off: 'Turned off after failures. Save the address to turn it on again.',
    counts: (waiting: number, givenUp: number) => `${waiting} waiting, ${givenUp} given up in 30 days`,
    lastError: 'Last error',
    earlier: 'Earlier secret until',
  },
  {
    saved: '已保存。',
    newSecret: '请立即复制 Webhook 密钥',
    means: '成员收回授权时，您几秒内就会得知，而不必等到下一次请求。',
    docs: '事件的工作方式',
    kinds: { webhook: 'Webhook', logout: '退出令牌' },
    kindsMean: {
      webhook: '成员缩小、暂停、恢复或移除授权时通知您，用密钥签名。',
      logout: '成员在本站退出时通知您（OpenID Connect Back-Channel Logout）。',
    },
    address: '地址',
    badAddress: '请填写公共互联网上以 https:// 开头、不含端口的地址。',
    set: '保存地址',
    rotate: '更换密钥',
    remove: '移除',
    state: '状态',
    on: '已开启',
    off: '多次失败后已关闭。重新保存地址即可开启。',
    counts: (waiting, givenUp) => `待发送 ${waiting} 个，30 天内放弃 ${givenUp} 个`,
    lastError: '最近一次错误',
    earlier: '旧密钥有效至',
  },
);
