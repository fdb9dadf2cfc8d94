// The secrets of a server app: the present one, and the one before until its end.

import { html } from 'hono/html';
import type { User } from '../../../identity/user.ts';
import { HOUR } from '../../../lib/clock.ts';
import { endPreviousSecret, rotateClientSecret } from '../../../oauth/client.ts';
import { secretName } from '../../../oauth/client-numbers.ts';
import type { ClientUse } from '../../../oauth/client-numbers-store.ts';
import type { Client } from '../../../oauth/client-store.ts';
import { selectField } from '../../pages/fields.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { dayElement, minuteOf } from '../../pages/moments.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { COPY_SCRIPT } from '../../static-files.ts';
import { notice } from '../notice.ts';
import type { SiteParts } from '../site-parts.ts';
import { table } from '../table.ts';
import { changedElsewhere, changer, type Refusal } from './changer.ts';
import { appPage, appPathOf } from './frame.ts';
import { lastUse, lastUseElement, numbersOf } from './numbers.ts';
import { newSecretCard } from './secret-card.ts';

const TAB = '/secrets';

/** How long the earlier secret is accepted after a replacement, in hours. */
const OVERLAPS = ['168', '24', '1', '0', '720'] as const;
type Overlap = (typeof OVERLAPS)[number];

/** Show the secrets. */
export function secretsPage(site: SiteParts, c: PageContext, _: User, client: Client): Promise<Response> {
  return pageOfSecrets(site, c, client, {});
}

/** Make a new secret, and show it. */
export async function newSecret(
  site: SiteParts,
  c: PageContext,
  user: User,
  client: Client,
  posted: PostedForm,
): Promise<Response> {
  const overlap = OVERLAPS.find((hours) => hours === posted.text('overlap')) ?? '0';
  const by = await changer(site, c, user, client);
  if ('refusal' in by) return pageOfSecrets(site, c, client, { overlap, refusal: by.refusal });
  const secret = await rotateClientSecret(by, site.oauth, client.id, Number(overlap) * HOUR);
  const { language } = c.get('visitor');
  if (secret === undefined) {
    return pageOfSecrets(site, c, client, { overlap, refusal: changedElsewhere(language) });
  }
  const changed = (await site.oauth.reads.findClient(client.id)) ?? client;
  return pageOfSecrets(site, c, changed, { secret });
}

/** End the earlier secret now. */
export async function endSecret(
  site: SiteParts,
  c: PageContext,
  user: User,
  client: Client,
): Promise<Response> {
  const by = await changer(site, c, user, client);
  if ('refusal' in by) return pageOfSecrets(site, c, client, { refusal: by.refusal });
  await endPreviousSecret(by, site.oauth, client.id);
  return c.redirect(`${appPathOf(client, TAB)}?ended`, 303);
}

interface Shown {
  /** The text of the new secret. Only this response ever shows it. */
  secret?: string;
  overlap?: Overlap;
  refusal?: Refusal;
}

async function pageOfSecrets(
  site: SiteParts,
  c: PageContext,
  client: Client,
  { secret, overlap = defaultOverlap(client), refusal }: Shown,
): Promise<Response> {
  const t = words[c.get('visitor').language];
  const isPublic = client.kind === 'public';
  const { uses } = await numbersOf(site, client);
  return appPage(
    c,
    client,
    TAB,
    { status: refusal?.status ?? 200, script: COPY_SCRIPT },
    html`
      ${notice(c.req.query('ended') === undefined ? undefined : t.ended)}
      ${refusal !== undefined && html`<p class="notice wrong" role="alert">${refusal.text}</p>`}
      ${secret !== undefined && newSecretCard(c, secret)}
      ${isPublic && html`<p>${t.isPublic}</p>`}
      ${!isPublic && secretTable(site, c, client, uses)}
      ${!isPublic && newForm(site, c, client, overlap)}`,
  );
}

// The former owner of an application knows the secrets from before.
function defaultOverlap({ ownerSince = 0, secretAddedAt, createdAt }: Client): Overlap {
  return ownerSince > (secretAddedAt ?? createdAt) ? '0' : '168';
}

function secretTable(site: SiteParts, c: PageContext, client: Client, uses: readonly ClientUse[]): Html {
  const visitor = c.get('visitor');
  const t = words[visitor.language];
  const {
    secretEnding,
    secretAddedAt = client.createdAt,
    previousSecretEnding,
    previousSecretUntil = 0,
  } = client;
  const isLive = previousSecretUntil > site.clock();
  const row = (ending: string | undefined, added: Html | '', until: string, act: Html | '') => {
    const usedAt = lastUse(uses, secretName(ending));
    return html`
      <tr>
        <td data-label="${t.secret}"><code>…${ending ?? ''}</code></td>
        <td data-label="${t.added}">${added}</td>
        <td data-label="${t.lastUse}">${usedAt === undefined ? t.unused : lastUseElement(site, c, usedAt)}</td>
        <td data-label="${t.until}">${until}</td>
        <td>${act}</td>
      </tr>`;
  };
  const present = row(secretEnding, dayElement(secretAddedAt, visitor), t.noEnd, '');
  const earlier =
    isLive && row(previousSecretEnding, '', minuteOf(previousSecretUntil, visitor), endForm(c, client));
  return html`
    <section class="card">
      <h2>${t.live}</h2>
      ${table([t.secret, t.added, t.lastUse, t.until, ''], earlier === false ? [present] : [present, earlier])}
    </section>`;
}

function endForm(c: PageContext, client: Client): Html {
  return html`
    <form method="post" action="${appPathOf(client, '/secrets/end')}">
      ${formTokenField(c)}
      <button class="link">${words[c.get('visitor').language].end}</button>
    </form>`;
}

function newForm(site: SiteParts, c: PageContext, client: Client, overlap: Overlap): Html {
  const t = words[c.get('visitor').language];
  const isLive = (client.previousSecretUntil ?? 0) > site.clock();
  const options = OVERLAPS.map((value) => ({ value, label: t.overlaps[value] }));
  return html`
    <section class="card">
      <h2>${t.new}</h2>
      <p class="soft">${t.means}</p>
      ${isLive && html`<p class="notice">${t.third}</p>`}
      <form method="post" action="${appPathOf(client, TAB)}">
        ${formTokenField(c)}
        ${selectField({ name: 'overlap', label: t.overlap, hint: t.overlapHint, value: overlap, options })}
        <div class="actions"><button class="primary">${t.create}</button></div>
      </form>
    </section>`;
}

const words = bilingual(
  {
    isPublic:
      'This application has no secret, because everyone who has the program could read it. It proves each sign-in with PKCE.',
    live: 'Live secrets',
    secret: 'Ending',
    added: 'Added',
    until: 'Accepted until',
    noEnd: 'You replace it',
    lastUse: 'Last used',
    unused: 'Not in 30 days',
    end: 'End now',
    ended: 'The earlier secret is no longer accepted.',
    new: 'New secret',
    means:
      'The new secret works at once. The present one is accepted a while longer, so that you can change it on your servers without an interruption.',
    third: 'At most two secrets are live. A new one ends the earlier of the two now.',
    overlap: 'The present secret is accepted',
    overlapHint: 'Choose “no longer” if it may have leaked.',
    overlaps: {
      '0': 'No longer',
      '1': 'For one hour',
      '24': 'For a day',
      '168': 'For a week',
      '720': 'For 30 days',
    },
    create: 'Create secret',
  },
  {
    isPublic: '此应用没有密钥，因为任何拥有程序的人都能读取它。它用 PKCE 证明每次登录。',
    live: '有效的密钥',
    secret: '结尾',
    added: '添加于',
    until: '有效至',
    noEnd: '直到您更换',
    lastUse: '最近使用',
    unused: '30 天内未使用',
    end: '立即停用',
    ended: '旧密钥已停用。',
    new: '新密钥',
    means: '新密钥立即可用。现有密钥会再保留一段时间，便于您在服务器上更换而不中断服务。',
    third: '最多同时有两个有效密钥。新建后，较早的那个会立即停用。',
    overlap: '现有密钥继续有效',
    overlapHint: '如果可能已泄露，请选择“立即停用”。',
    overlaps: {
      '0': '立即停用',
      '1': '一小时',
      '24': '一天',
      '168': '一周',
      '720': '30 天',
    },
    create: '创建密钥',
  },
);
