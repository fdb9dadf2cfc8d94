// Requests that are refused, as security events: at most one a minute of each kind from each caller, and of each kind
// so many an hour that nobody fills a disk with them.

import type { Counter } from '../lib/counter.ts';
import { wholeNetworkOf } from '../lib/network.ts';
import type { AuditLog } from './audit-log.ts';
import type { NewSecurityEventOf } from './security-event.ts';

type Refused = 'access_denied' | 'requests_limited' | 'client_authentication_failed';

/** A refused request, without its time. */
export type RefusedRequest =
  NewSecurityEventOf<Refused> extends infer E ? (E extends { at: unknown } ? Omit<E, 'at'> : never) : never;

/** Of each kind, from all members, and again from all strangers. */
export const MOST_RECORDED_AN_HOUR = 500;

const MOST_OF_NETWORK_AN_HOUR = 60;
// Of one member, who can have fifty API tokens.
const MOST_FIRSTS_AN_HOUR = 100;
const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3600;

/**
 * Record a refused request, unless one like it was recorded within the last minute, or too many of its kind within an
 * hour. The first about each member, token and application is recorded all the same. Returns whether it was the last of
 * its kind for this hour.
 */
export async function recordRefusal(
  { writes, clock }: AuditLog,
  counter: Counter,
  request: RefusedRequest,
): Promise<boolean> {
  const first = await counter.hit(`security-event:${JSON.stringify(request)}`, 1, MINUTE_SECONDS);
  if (!first.allowed) return false;
  const isLast = (await isFirstAboutMember(counter, request))
    ? false
    : await isLastWithinLimits(counter, request);
  if (isLast === undefined) return false;
  await writes.recordEvent({ ...request, at: clock() });
  return isLast;
}

// A thief must not hide from a member that a stolen token is tried, by being refused often for other things before.
async function isFirstAboutMember(counter: Counter, { address, ...about }: RefusedRequest): Promise<boolean> {
  if (!('userId' in about)) return false;
  const first = await counter.hit(`first-refusal:${JSON.stringify(about)}`, 1, HOUR_SECONDS);
  if (!first.allowed) return false;
  return (
    await counter.hit(`first-refusals:${about.event}:${about.userId}`, MOST_FIRSTS_AN_HOUR, HOUR_SECONDS)
  ).allowed;
}

/** Report whether it is the last that is recorded in this hour. Undefined if too many were recorded. */
async function isLastWithinLimits(counter: Counter, request: RefusedRequest): Promise<boolean | undefined> {
  const { event, address = '' } = request;
  const network = wholeNetworkOf(address);
  const near = await counter.hit(`refusals:${event}:${network}`, MOST_OF_NETWORK_AN_HOUR, HOUR_SECONDS);
  if (!near.allowed) return undefined;
  // Strangers can send any number of requests, which must not hide those of members.
  const callers = 'userId' in request ? 'members' : 'strangers';
  const all = await counter.hit(`refusals:${event}:${callers}`, MOST_RECORDED_AN_HOUR, HOUR_SECONDS);
  return all.allowed ? all.remaining === 0 : undefined;
}
