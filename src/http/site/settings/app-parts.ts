// What the list of connected applications and the page of one have in common.

import { html } from 'hono/html';
import { nameOf } from '../../../oauth/client-looks.ts';
import type { Client } from '../../../oauth/client-store.ts';
import type { Grant } from '../../../oauth/store.ts';
import type { Locale } from '../../pages/language.ts';
import { dayElement } from '../../pages/moments.ts';
import type { Html } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { appsWords } from './apps-words.ts';

/** The page of a connected application. Applications may link to it. */
export function appPath({ id }: Pick<Client, 'id'>): string {
  return `/settings/apps/${encodeURIComponent(id)}`;
}

/** The same badges on a line of their own, if there are any. */
export function stateLine(
  client: Pick<Client, 'status' | 'deactivation'>,
  grant: Grant,
  locale: Locale,
): Html | false {
  const hasState = client.status !== 'active' || grant.pausedAt !== undefined || grant.endsAt !== undefined;
  return hasState && html`<p class="chips">${stateBadge(client, grant, locale)}</p>`;
}

/** Whether an application can read now, as badges. Nothing if it can, without an end. */
export function stateBadge(
  client: Pick<Client, 'status' | 'deactivation'>,
  grant: Grant,
  locale: Locale,
): Html {
  const t = appsWords[locale.language];
  const inactive = client.deactivation === 'deleted' ? t.deleted : t.deactivated;
  return html`
    ${client.status !== 'active' && html`<span class="badge">${inactive}</span>`}
    ${grant.pausedAt !== undefined && html`<span class="badge warning">${t.paused}</span>`}
    ${grant.endsAt !== undefined && html`<span class="badge">${t.ends} ${dayElement(grant.endsAt, locale)}</span>`}`;
}

/** Say what changed since the member allowed it: the name, and the developer. */
export function changesSince(c: PageContext, client: Client, grant: Grant): Html {
  const visitor = c.get('visitor');
  const t = appsWords[visitor.language];
  const { renamedAt, ownerSince = 0 } = client;
  const { grantedAt, allowedAs = nameBefore(client, grant) } = grant;
  const renamedOn = renamedAt && html`${t.renamedOn} ${dayElement(renamedAt, visitor)}`;
  return html`
    ${allowedAs !== nameOf(client) && html`<p class="notice">${t.renamed(allowedAs)} ${renamedOn}</p>`}
    ${ownerSince > grantedAt && html`<p class="notice">${t.otherOwner} ${dayElement(ownerSince, visitor)}</p>`}`;
}

// Of a consent that doesn't say under which name it was given.
function nameBefore(client: Client, { grantedAt }: Grant): string {
  const { formerName, renamedAt = 0 } = client;
  return (renamedAt > grantedAt ? formerName : undefined) ?? nameOf(client);
}
