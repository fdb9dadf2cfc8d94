// The events of members' consents: for the security log, and for the applications.

import type { Doer, MemberDoer } from '../../audit/doer.ts';
import type { NewSecurityEvent } from '../../audit/security-event.ts';
import type { ScopeSet } from '../../oauth/scope.ts';
import type { GrantState, NewAuthorizationCode } from '../../oauth/store.ts';
import { addressOf, securityEvent } from '../audit/security-events.ts';
import type { Bound } from '../engine/sql.ts';
import { addConsentEvent } from './event-additions.ts';
import type { GrantChange } from './grant-effects.ts';
import { scopesColumn, withoutScopes } from './scopes-column.ts';

interface Approval {
  inForce: GrantState | undefined;
  scopes: ScopeSet;
  code: NewAuthorizationCode;
  /** Whether the sign-in is an event although the member consented to nothing new. */
  isNoted: boolean;
}

/**
 * The events of an answer. The same answer again is none, except for single sign-ins, each of which is a consent of its
 * own, and for a sign-in that is noted.
 */
export function approvalEvents(
  by: MemberDoer,
  { inForce, scopes, code, isNoted }: Approval,
): Bound<unknown>[] {
  const { clientId, duration } = code;
  const { at, userId, address } = by;
  const change = { userId, clientId, at };
  const detail = scopesColumn(scopes);
  const before = inForce?.scopes ?? [];
  const isWider = withoutScopes(scopes, before).length > 0;
  const events: Bound<unknown>[] = [];
  if (inForce?.pausedAt !== undefined)
    events.push(...grantEvents(by, { event: 'consent_resumed', ...change }));
  if (withoutScopes(before, scopes).length > 0) {
    events.push(...grantEvents(by, { event: 'consent_narrowed', ...change, detail }));
  }
  if (isWider || duration !== inForce?.duration || duration === 'once') {
    const widened = isWider ? 'application_widened' : undefined;
    const purpose = before.length === 0 ? 'application_allowed' : widened;
    events.push(securityEvent({ event: 'consent_granted', ...change, address, detail }, purpose));
  } else if (isNoted) {
    events.push(signInEvent(by, code));
  }
  return events;
}

/** The event of a sign-in without a new consent. */
export function signInEvent(
  { at, userId, address }: MemberDoer,
  { clientId, program: subject }: NewAuthorizationCode,
): Bound<unknown> {
  const about = { at, userId, clientId, address, ...(subject !== undefined && { subject }) };
  return securityEvent({ event: 'application_signed_in', ...about });
}

const WEBHOOKS = {
  consent_narrowed: 'access.narrowed',
  consent_paused: 'access.paused',
  consent_resumed: 'access.resumed',
  consent_withdrawn: 'access.ended',
} as const;

/** The security event, and the event for the application. */
export function grantEvents(
  by: Doer,
  { event, userId, clientId, at, detail }: GrantChange & { event: keyof typeof WEBHOOKS; detail?: string },
): Bound<unknown>[] {
  const about = { at, userId, clientId, address: addressOf(by), by: by.kind };
  return [
    securityEvent({ event, ...about, ...(detail !== undefined && { detail }) } as NewSecurityEvent),
    addConsentEvent({ userId, clientId, type: WEBHOOKS[event], at }),
  ];
}
