// Webhooks in the form of Standard Webhooks: a small JSON document with a signature. Nothing in it tells why access
// changed, except for what the member decided about this application: suspending an account looks like a pause.

import { createHmac } from 'node:crypto';
import { SECOND, type Timestamp } from '../lib/clock.ts';
import { SECRET_PREFIX } from './event-endpoint.ts';
import type { ApplicationEvent, EventEndpoint } from './event-store.ts';
import { subjectOf } from './id-token.ts';

/** A request to an endpoint. */
export interface EventMessage {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** Write the request that delivers an event. The id stays the same over all attempts. */
export function webhookMessage(
  endpoint: EventEndpoint,
  event: ApplicationEvent,
  now: Timestamp,
): EventMessage {
  const body = JSON.stringify(payloadOf(event));
  // A restored database counts on from an earlier id, so the id alone is not unique.
  const id = `evt_${event.at}_${event.id}`;
  const timestamp = String(Math.floor(now / SECOND));
  const signatures = secretsOf(endpoint, now).map(
    (secret) => `v1,${sign(secret, `${id}.${timestamp}.${body}`)}`,
  );
  return {
    url: endpoint.url,
    headers: {
      'Content-Type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatures.join(' '),
    },
    body,
  };
}

function payloadOf({ type, at, clientId, userId, scopes, deletesData }: ApplicationEvent): object {
  const data = { client_id: clientId, sub: subjectOf(userId) };
  const timestamp = new Date(at).toISOString();
  if (type === 'access.ended')
    return { type, timestamp, data: { ...data, data_deletion_required: deletesData } };
  if (type === 'access.paused') return { type, timestamp, data };
  return { type, timestamp, data: { ...data, scopes } };
}

function secretsOf({ secret, previousSecret, previousUntil = 0 }: EventEndpoint, now: Timestamp): string[] {
  const secrets = previousUntil > now ? [secret, previousSecret] : [secret];
  return secrets.filter((one) => one !== undefined);
}

function sign(secret: string, text: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return createHmac('sha256', key).update(text).digest('base64');
}
