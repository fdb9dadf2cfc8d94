// Tokens that members create for their own scripts (spec §5.1, contract §8). Pages call them "API tokens".

import type { Doer, MemberDoer, OperatorDoer, SystemDoer } from '../audit/doer.ts';
import { DAY, type Timestamp } from '../lib/clock.ts';
import { isNetwork } from '../lib/network.ts';
import { hasHiddenCharacters } from '../lib/one-line.ts';
import { isTimeOrderedKey, timeOrderedKey } from '../lib/secrets.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { PersonalToken } from './personal-token-store.ts';
import { isApiScope, type ScopeSet } from './scope.ts';
import { mintToken } from './token.ts';

export const MOST_PERSONAL_TOKENS = 50;
export const DEFAULT_PERSONAL_TOKEN_DAYS = 90;
export const LONGEST_DAYS = 3650;
const ENDING_LENGTH = 4;
export const MOST_NOTE_CHARACTERS = 200;
export const MOST_ADDRESSES = 20;

export interface PersonalTokenRequest {
  /** The member on whose behalf the token reads. */
  userId: number;
  name: string;
  /** None if left out. */
  note?: string | undefined;
  scopes: ScopeSet;
  /** From everywhere if left out or empty. */
  addresses?: readonly string[] | undefined;
  /** Undefined: it never expires. */
  days: number | undefined;
  /** From `personalTokenKey`, for a form that creates one token, however often it is sent. */
  key?: string | undefined;
  /** Of the notice that the member's address gets. English by default. */
  language?: string;
}

/** Choose the key of the token that a form will create. */
export function personalTokenKey(server: AuthorizationServer): string {
  return timeOrderedKey(server.clock());
}

/** Why a personal token can't be created. The member can change the request. */
export type PersonalTokenProblem = SettingsProblem | 'days' | 'too_many' | 'made_already';

/** What a member sets and can change later. */
export interface TokenSettings {
  name: string;
  note: string;
  scopes: ScopeSet;
  addresses: readonly string[];
}

export type SettingsProblem = 'name' | 'note' | 'scopes' | 'addresses';

/** Create a token. Its text is returned in clear here and never again. */
export async function createPersonalToken(
  by: Doer,
  server: AuthorizationServer,
  request: PersonalTokenRequest,
): Promise<{ id: number; text: string } | { problem: PersonalTokenProblem }> {
  const problem = problemWith(request);
  if (problem !== undefined) return { problem };
  if (request.key !== undefined && (await isUsed(server, request.key))) return { problem: 'made_already' };
  const { text, key, digest } = mintToken('personal', server.brand, by.at, request.key);
  const id = await server.writes.addPersonalToken(
    by,
    {
      key,
      digest,
      ending: endingOf(text),
      userId: request.userId,
      ...settingsOf(request),
      expiresAt: request.days === undefined ? undefined : by.at + request.days * DAY,
    },
    MOST_PERSONAL_TOKENS,
    request.language ?? 'en',
  );
  if (id !== undefined) return { id, text };
  // The same form may have been sent twice at once.
  return { problem: request.key !== undefined && (await isUsed(server, key)) ? 'made_already' : 'too_many' };
}

/** The last characters of a token, which are stored. */
export function endingOf(text: string): string {
  return text.slice(-ENDING_LENGTH);
}

/** Revoke a member's own token. False if they have no such live token. */
export function revokeOwnPersonalToken(
  by: MemberDoer,
  server: AuthorizationServer,
  id: number,
): Promise<boolean> {
  return server.writes.revokePersonalToken(by, id);
}

/** Revoke a token of any member. False if there is no such live token. */
export function revokePersonalToken(
  by: OperatorDoer | SystemDoer,
  server: AuthorizationServer,
  id: number,
): Promise<boolean> {
  return server.writes.revokePersonalToken(by, id);
}

// A malformed key counts as used, so a tampered form creates nothing.
async function isUsed(server: AuthorizationServer, key: string): Promise<boolean> {
  return !isTimeOrderedKey(key) || (await server.reads.findPersonalToken(key)) !== undefined;
}

/** Report whether the token is neither revoked nor expired. Doesn't check the state of the account. */
export function isLive(token: PersonalToken, now: Timestamp): boolean {
  return token.revokedAt === undefined && (token.expiresAt === undefined || token.expiresAt > now);
}

function problemWith(request: PersonalTokenRequest): PersonalTokenProblem | undefined {
  return problemWithSettings(settingsOf(request)) ?? problemWithDays(request.days);
}

/** Why these can't be a token's settings. */
export function problemWithSettings({
  name,
  note,
  scopes,
  addresses,
}: TokenSettings): SettingsProblem | undefined {
  const length = [...name].length;
  if (length < 1 || length > 60 || hasHiddenCharacters(name)) return 'name';
  if ([...note].length > MOST_NOTE_CHARACTERS || hasHiddenCharacters(note)) return 'note';
  if (scopes.length === 0 || !scopes.every(isApiScope)) return 'scopes';
  if (addresses.length > MOST_ADDRESSES || !addresses.every(isNetwork)) return 'addresses';
  return undefined;
}

export function problemWithDays(days: number | undefined): 'days' | undefined {
  const isAllowed = days === undefined || (Number.isInteger(days) && days >= 1 && days <= LONGEST_DAYS);
  return isAllowed ? undefined : 'days';
}

function settingsOf({ name, note = '', scopes, addresses = [] }: PersonalTokenRequest): TokenSettings {
  return { name: name.trim(), note: note.trim(), scopes, addresses };
}
