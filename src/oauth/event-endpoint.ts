// Where applications receive events: webhooks with a secret, and logout tokens (OpenID Connect Back-Channel Logout).

import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import type { Doer } from '../audit/doer.ts';
import { DAY } from '../lib/clock.ts';
import { isPublicAddress } from '../lib/public-address.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { InvalidRegistration } from './client.ts';
import type { EndpointKind } from './event-store.ts';

/** How long the secret before a rotation still signs. */
export const SECRET_OVERLAP = 1 * DAY;

/**
 * Set the address of an endpoint and turn it on. Waiting events go to the new address. Returns the secret of a new
 * webhook, which is shown only once. An existing webhook keeps its secret. `isSet` is false if there is no such
 * application. Throws `InvalidRegistration`.
 */
export async function setEventEndpoint(
  by: Doer,
  { reads, writes }: AuthorizationServer,
  clientId: string,
  kind: EndpointKind,
  url: string,
): Promise<{ isSet: boolean; secret: string | undefined }> {
  checkEndpoint(url);
  const present = await reads.eventEndpoint(clientId, kind);
  const isNew = kind === 'webhook' && present === undefined;
  const secret = isNew ? newWebhookSecret() : undefined;
  return { isSet: await writes.setEventEndpoint(by, { clientId, kind, url, secret }), secret };
}

/** Stop sending events. Those that wait are deleted. False if there is no such endpoint. */
export function removeEventEndpoint(
  by: Doer,
  { writes }: AuthorizationServer,
  clientId: string,
  kind: EndpointKind,
): Promise<boolean> {
  return writes.removeEventEndpoint(by, clientId, kind);
}

/**
 * Replace the secret that signs an application's webhooks. For a day, both secrets sign. Undefined if the
 * application has no webhook.
 */
export async function rotateWebhookSecret(
  by: Doer,
  { writes }: AuthorizationServer,
  clientId: string,
): Promise<string | undefined> {
  const secret = newWebhookSecret();
  const isReplaced = await writes.replaceWebhookSecret(by, clientId, secret, by.at + SECRET_OVERLAP);
  return isReplaced ? secret : undefined;
}

/** Throw `InvalidRegistration` if no events can be sent to an address. */
export function checkEndpoint(text: string): void {
  const problem = problemWithEndpoint(text);
  if (problem !== undefined) throw new InvalidRegistration('endpoint', `${text}: ${problem}`);
}

// Where the name of the host leads is checked for each delivery, since it can change.
function problemWithEndpoint(text: string): string | undefined {
  if (text.length > 2048) return 'The address is longer than 2048 characters.';
  const url = URL.parse(text);
  if (url === null) return 'The address is not an absolute URL.';
  if (url.protocol !== 'https:') return 'Use https.';
  if (url.username !== '' || url.password !== '') return 'The address contains a user name or password.';
  if (text.includes('#')) return 'The address has a fragment (#), which is never sent.';
  if (url.port !== '') return 'Use the standard port of https, 443.';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isName = isIP(host) === 0;
  if (isName ? !host.includes('.') : !isPublicAddress(host)) return 'The host is not on the public internet.';
  return undefined;
}

// Standard Webhooks: 24 to 64 random bytes in base64, after a prefix.
function newWebhookSecret(): string {
  return `${SECRET_PREFIX}${randomBytes(32).toString('base64')}`;
}

export const SECRET_PREFIX = 'whsec_';
