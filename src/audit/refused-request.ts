// Requests that are refused, as security events: at most one a minute of each kind from each caller.

import type { Counter } from '../lib/counter.ts';
import type { AuditLog } from './audit-log.ts';
import type { NewSecurityEventOf } from './security-event.ts';

type Refused = 'access_denied' | 'requests_limited' | 'client_authentication_failed';

/** A refused request, without its time. */
export type RefusedRequest =
  NewSecurityEventOf<Refused> extends infer E ? (E extends { at: unknown } ? Omit<E, 'at'> : never) : never;

const WINDOW_SECONDS = 60;

/** Record a refused request, unless one like it was recorded within the last minute. */
export async function recordRefusal(
  { writes, clock }: AuditLog,
  counter: Counter,
  request: RefusedRequest,
): Promise<void> {
  const first = await counter.hit(`security-event:${JSON.stringify(request)}`, 1, WINDOW_SECONDS);
  if (first.allowed) await writes.recordEvent({ ...request, at: clock() });
}
