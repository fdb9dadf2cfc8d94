// Security events: what happens to accounts, sessions, tokens and keys, and attacks on them. Names and fields
// are fixed. No field holds a secret, a password, a token or an email address.

import type { AttemptLimit } from '../lib/attempt.ts';
import { DAY, type Timestamp } from '../lib/clock.ts';
import { inPieces } from '../lib/pieces.ts';
import type { CredentialKind, ExposureSource } from './credential-notice.ts';
import type { Doer } from './doer.ts';

/** How long the rows are kept. */
export const SECURITY_EVENT_LIFETIME = 90 * DAY;

interface OfMember {
  userId: number;
}

interface OfClient {
  clientId: string;
}

/** The network address that the act came from. For IPv6 it is the /64 network. */
interface From {
  address: string | undefined;
}

interface By {
  by: Doer['kind'];
}

interface Detail<D extends string> {
  detail: D;
}

/** The key or number of a token, or the id of a signing key. It is no secret. */
interface OfThing {
  subject: string;
}

/** The fields of each event, besides its name and its time. */
interface Fields {
  signed_in: OfMember & From & Detail<SessionStart['method']>;
  /** A member signed in with a browser that the account did not know. The subject is the program. */
  new_browser: OfMember & From & Partial<OfThing>;
  /** An attempt that was checked and failed. The member is left out if the username is unknown. */
  sign_in_failed: Partial<OfMember> & From & Detail<SignInFailure>;
  /** The limit on failures was reached. Once for each window. */
  sign_in_locked: Partial<OfMember> &
    From &
    Detail<'account' | 'address' | 'reauthentication' | 'second_factor'>;
  signed_out: OfMember & From;
  session_ended: OfMember & Partial<From> & Detail<SessionEndReason>;
  password_changed: OfMember & From;
  /** `by` is set if an operator made the link. */
  password_reset_asked: Partial<OfMember> & From & Partial<By>;
  password_reset: OfMember & From;
  email_change_asked: OfMember & From;
  /** `set`: operators gave the account this address. `by` is set for changes by operators. */
  email_changed: OfMember & From & Partial<By> & Detail<'confirmed' | 'removed' | 'set'>;
  email_change_undone: OfMember & From;
  /** The member used the link "This wasn't me" in a mail. The detail is the purpose of the mail. */
  activity_disowned: OfMember & From & Partial<OfClient & OfThing> & Detail<string>;
  username_changed: OfMember & By;
  /** A factor, or new recovery codes, which replace the old ones. */
  factor_added: OfMember & From & Detail<Factor | 'recovery_codes'>;
  /** `all`: an operator's removal of a lost factor took effect. */
  factor_removed: OfMember & From & Partial<By> & Detail<Factor | 'all'>;
  /** A code or a passkey that was checked and refused. */
  factor_failed: OfMember & From & Detail<FactorFailure>;
  recovery_code_used: OfMember & From;
  /** An operator asked for the removal of a lost factor, which takes effect a day later. */
  factor_reset_asked: OfMember & By;
  factor_reset_cancelled: OfMember & From;
  account_status_changed: OfMember & From & By & Detail<'active' | 'suspended' | 'closed'>;
  api_token_created: OfMember & From & By & OfThing;
  /** `unused`: the server revoked it, because it was not used for a year. */
  api_token_revoked: OfMember & From & By & OfThing & Partial<Detail<'unused'>>;
  /** `replaced`: another token takes its place, and it works some hours more. */
  api_token_changed: OfMember & From & By & OfThing & Detail<'widened' | 'narrowed' | 'renamed' | 'replaced'>;
  /** The detail is the scopes that are allowed now. */
  consent_granted: OfMember & OfClient & From & Detail<string>;
  /** `deactivated`: the server withdrew it, because the application was deactivated for long. */
  consent_withdrawn: OfMember & OfClient & From & By & Partial<Detail<'deactivated'>>;
  /** The detail is the scopes that are allowed now. */
  consent_narrowed: OfMember & OfClient & From & By & Detail<string>;
  consent_paused: OfMember & OfClient & From & By;
  consent_resumed: OfMember & OfClient & From & By;
  diary_switched_off: OfMember & From;
  diary_switched_on: OfMember & From;
  /** A sign-in to a public application that the member allowed before. The subject is the program. */
  application_signed_in: OfMember & OfClient & From & Partial<OfThing>;
  /** The member ended one sign-in at an application. */
  application_signed_out: OfMember & OfClient & From & By & OfThing;
  /** An authorization code was used again. At most once a minute for each code. */
  code_replayed: OfMember & OfClient & From & OfThing;
  /** An old refresh token was used, so its token family (the whole sign-in) was revoked. */
  refresh_token_reused: OfMember & OfClient & From & OfThing;
  /** At most once a minute for each application and address. Unknown applications count as one. */
  client_authentication_failed: Partial<OfClient> & From;
  /** The member is the owner of the application. */
  client_secret_rotated: Partial<OfMember> & OfClient & By;
  /**
   * An application was registered or changed. The detail says how, or names what is new, such as `redirectUris`. The
   * member is its owner.
   */
  client_changed: Partial<OfMember> & OfClient & From & By & Detail<string>;
  /** The detail tells why, unless it was an ordinary rotation. */
  keys_rotated: By & OfThing & Partial<Detail<'compromised' | 'lost'>>;
  /** A token that somebody found in public was revoked by operators. */
  token_reported: OfMember & Partial<OfClient> & By & OfThing & Detail<'access' | 'refresh' | 'personal'>;
  /** A credential was found in public. All but the secret of an application were revoked. */
  token_leaked: Partial<OfMember & OfClient> & OfThing & Detail<`${CredentialKind} ${ExposureSource}`>;
  /** A request that is not allowed. At most once a minute for each address, member and detail. */
  access_denied: Partial<OfMember & OfThing> &
    From &
    Detail<'operator_page' | 'forged_form' | 'scope' | 'token_address'>;
  /** A limit on requests was reached. At most once a minute for each address, member and detail. */
  requests_limited: Partial<OfMember> & Partial<OfClient> & From & Detail<'page' | 'api' | 'token_endpoint'>;
}

/** How a session starts. */
export interface SessionStart extends From {
  /** Undefined: nothing is known of it, as at the command line. */
  browser?: StartedBrowser | undefined;
  /** As for a password alone: none starts if the account has a second factor by now. */
  isWithoutFactor?: boolean;
  method: 'password' | 'app' | 'recovery_code' | 'passkey' | 'sign_up' | 'set_up' | 'password_change';
}

/** The browser of a session. */
export interface StartedBrowser {
  /** Its short name, such as "Firefox on Linux". Empty if it sent none. */
  program: string;
  /** Whether the account did not know it, so that the member is told. */
  isNew: boolean;
}

export type Factor = 'app' | 'passkey';

/** `passkey_counter`: the number of its signatures did not go up, so it may have been copied. */
export type FactorFailure = Factor | 'recovery_code' | 'passkey_counter';

export type SignInFailure = 'unknown_account' | 'wrong_password' | 'account_suspended' | 'reauthentication';

export type SessionEndReason =
  | 'replaced'
  | 'ended_by_member'
  | 'activity_disowned'
  | 'password_changed'
  | 'password_reset'
  | 'email_change_undone'
  | 'ended_by_operator'
  | 'factors_changed'
  | 'account_suspended'
  | 'account_closed';

export type SecurityEventName = keyof Fields;

/** An event of this name, before it is recorded. */
export type NewSecurityEventOf<E extends SecurityEventName> = E extends unknown
  ? { event: E; at: Timestamp } & Fields[E]
  : never;

export type NewSecurityEvent = NewSecurityEventOf<SecurityEventName>;

/** A recorded event. Fields that the event doesn't have are undefined. */
export interface SecurityEvent {
  id: number;
  at: Timestamp;
  event: SecurityEventName;
  userId: number | undefined;
  clientId: string | undefined;
  address: string | undefined;
  by: Doer['kind'] | undefined;
  detail: string | undefined;
  subject: string | undefined;
}

export interface SecurityEventPage {
  /** The page has events with ids below this one; undefined for the newest events. */
  before?: number | undefined;
  limit: number;
  userId?: number | undefined;
  event?: SecurityEventName | undefined;
  /** With `userId` and `event`: only of this kind, among the newest 5,000. */
  detail?: string | undefined;
}

export interface SecurityEventReads {
  /** A page of the security events, newest first. */
  securityEvents(page: SecurityEventPage): Promise<SecurityEvent[]>;
}

/** For refused requests, which write nothing else. Other events are written in the transaction of their act. */
export interface SecurityEventWrites {
  recordEvent(event: NewSecurityEvent): Promise<void>;
  /** Counts an attempt as `countAttempt` does, and records the event within the limit. False beyond it. */
  recordEventWithin(limit: AttemptLimit, event: NewSecurityEvent): Promise<boolean>;
}

// Signs of an attack, or of a stolen credential. Their log lines are warnings.
const WARNINGS: ReadonlySet<SecurityEventName> = new Set([
  'sign_in_locked',
  'email_change_undone',
  'activity_disowned',
  'code_replayed',
  'refresh_token_reused',
  'client_authentication_failed',
  'token_reported',
  'token_leaked',
  'access_denied',
  'requests_limited',
] as const);

/** The level of an event's log line. */
export function levelOf(event: SecurityEventName): 'info' | 'warn' {
  return WARNINGS.has(event) ? 'warn' : 'info';
}

/** All names, in the order in which lists show them. */
export const SECURITY_EVENT_NAMES: readonly SecurityEventName[] = [
  'signed_in',
  'new_browser',
  'sign_in_failed',
  'sign_in_locked',
  'signed_out',
  'session_ended',
  'password_changed',
  'password_reset_asked',
  'password_reset',
  'email_change_asked',
  'email_changed',
  'email_change_undone',
  'activity_disowned',
  'username_changed',
  'factor_added',
  'factor_removed',
  'factor_failed',
  'recovery_code_used',
  'factor_reset_asked',
  'factor_reset_cancelled',
  'account_status_changed',
  'api_token_created',
  'api_token_revoked',
  'api_token_changed',
  'consent_granted',
  'consent_withdrawn',
  'consent_narrowed',
  'consent_paused',
  'consent_resumed',
  'diary_switched_off',
  'diary_switched_on',
  'application_signed_in',
  'application_signed_out',
  'code_replayed',
  'refresh_token_reused',
  'client_authentication_failed',
  'client_secret_rotated',
  'client_changed',
  'keys_rotated',
  'token_reported',
  'token_leaked',
  'access_denied',
  'requests_limited',
];

/** Read the name of an event. Returns undefined for anything else. */
export function readSecurityEventName(text: string | undefined): SecurityEventName | undefined {
  return SECURITY_EVENT_NAMES.find((name) => name === text);
}

// Events are read in batches that fit into memory, since a member can have many.
const PIECE = 200;

/** All events of a member that are kept, newest first. */
export function eventsOfMember(reads: SecurityEventReads, userId: number): AsyncGenerator<SecurityEvent> {
  return inPieces(PIECE, (last: SecurityEvent | undefined) =>
    reads.securityEvents({ userId, before: last?.id, limit: PIECE }),
  );
}
