// What members change about an API token that exists: its settings, its secret, and all of them at once.

import type { MemberDoer } from '../audit/doer.ts';
import { DAY, HOUR, type Timestamp } from '../lib/clock.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import {
  endingOf,
  isLive,
  LONGEST_DAYS,
  problemWithDays,
  problemWithSettings,
  type SettingsProblem,
  type TokenSettings,
} from './personal-token.ts';
import type { ChangedToken, PersonalToken } from './personal-token-store.ts';
import { mintToken } from './token.ts';

/** The new settings of a token. `days` counts from now; left out, the token ends when it did before. */
export interface TokenEdit extends TokenSettings {
  days?: number | 'never';
}

/**
 * `must_prove`: the token could do more than before, so the member has to prove their identity first. `changed`: it
 * was changed or ended meanwhile.
 */
export type EditProblem = SettingsProblem | 'days' | 'must_prove' | 'changed';

/** Change a token's settings. Undefined if that was done. */
export async function editPersonalToken(
  by: MemberDoer,
  server: AuthorizationServer,
  token: PersonalToken,
  edit: TokenEdit,
  isProven: boolean,
): Promise<EditProblem | undefined> {
  const { days, ...settings } = edit;
  const problem = problemWithSettings(settings) ?? problemWithDays(days === 'never' ? undefined : days);
  if (problem !== undefined) return problem;
  const after = { ...settings, expiresAt: endAfter(token, days, by.at) };
  if (isWider(token, after) && !isProven) return 'must_prove';
  return (await server.writes.changePersonalToken(by, token, after, natureOf(token, after)))
    ? undefined
    : 'changed';
}

function endAfter(token: PersonalToken, days: TokenEdit['days'], now: Timestamp): Timestamp | undefined {
  if (days === undefined) return token.expiresAt;
  return days === 'never' ? undefined : now + days * DAY;
}

type Powers = Pick<ChangedToken, 'scopes' | 'addresses' | 'expiresAt'>;

/** Report whether a token could do something after a change that it couldn't do before. */
function isWider(before: Powers, after: Powers): boolean {
  const endsLater =
    before.expiresAt !== undefined && (after.expiresAt === undefined || after.expiresAt > before.expiresAt);
  const hasMoreAddresses =
    before.addresses.length > 0 &&
    (after.addresses.length === 0 || !after.addresses.every((network) => before.addresses.includes(network)));
  return endsLater || hasMoreAddresses || !after.scopes.every((scope) => before.scopes.includes(scope));
}

function natureOf(before: PersonalToken, after: ChangedToken): 'widened' | 'narrowed' | 'renamed' {
  if (isWider(before, after)) return 'widened';
  return isWider(after, before) ? 'narrowed' : 'renamed';
}

/** How long the old secret may go on working after it was replaced, in hours. */
export const OVERLAPS = [0, 1, 24] as const;

/**
 * Replace a token by a new one with the same settings, which is valid as long as the old one was made for. The old
 * one works for some hours more, if at all. Undefined if it has ended, or was replaced before.
 */
export async function regeneratePersonalToken(
  by: MemberDoer,
  server: AuthorizationServer,
  token: PersonalToken,
  { overlapHours, language }: { overlapHours: (typeof OVERLAPS)[number]; language: string },
): Promise<string | undefined> {
  const { text, key, digest } = mintToken('personal', server.brand, by.at);
  const isReplaced = await server.writes.replacePersonalToken(by, token.id, {
    key,
    digest,
    ending: endingOf(text),
    expiresAt: endOfReplacement(token, by.at),
    oldEndsAt: by.at + overlapHours * HOUR,
    language,
  });
  return isReplaced ? text : undefined;
}

/** When a token ends that takes this one's place now. Undefined: it never expires. */
export function endOfReplacement(
  { expiresAt, createdAt }: PersonalToken,
  now: Timestamp,
): Timestamp | undefined {
  // Each edit of the end counts from its day, so the sum can be longer than a new token may be valid.
  return expiresAt === undefined ? undefined : now + Math.min(expiresAt - createdAt, LONGEST_DAYS * DAY);
}

/** Revoke all tokens of a member. False if there was none. */
export function revokeAllOwnPersonalTokens(by: MemberDoer, server: AuthorizationServer): Promise<boolean> {
  return server.writes.revokePersonalTokensOf(by);
}

/** Report whether the member can edit or regenerate a token: it is live, and no other has taken its place. */
export function canChange(token: PersonalToken, now: Timestamp): boolean {
  return isLive(token, now) && token.replacedAt === undefined;
}
