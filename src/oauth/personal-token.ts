// Tokens that members make for their own scripts (spec §5.1, contract §8). Pages call them "API tokens".

import { DAY, type Timestamp } from '../lib/clock.ts';
import { hasHidden } from '../lib/one-line.ts';
import { isTimeOrderedKey, timeOrderedKey } from '../lib/secrets.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { isApiScope, type ScopeSet } from './scope.ts';
import type { PersonalToken } from './store.ts';
import { mintToken } from './token.ts';

export const MOST_PERSONAL_TOKENS = 50;
export const DEFAULT_PERSONAL_TOKEN_DAYS = 90;
const LONGEST_DAYS = 3650;
const ENDING_LENGTH = 4;

export interface PersonalTokenRequest {
  userId: number;
  name: string;
  scopes: ScopeSet;
  /** Undefined: it never expires. */
  days: number | undefined;
  /** From `personalTokenKey`, for a form that may make one token only, however often it is sent. */
  key?: string | undefined;
}

/** A key for one form. */
export function personalTokenKey(server: AuthorizationServer): string {
  return timeOrderedKey(server.clock());
}

/** Why a personal token can't be made; the member can mend it. */
export type PersonalTokenProblem = 'name' | 'scopes' | 'days' | 'too_many' | 'made_already';

/** Makes a token. Its text is in clear here and never again. */
export async function createPersonalToken(
  server: AuthorizationServer,
  request: PersonalTokenRequest,
): Promise<{ id: number; text: string } | { problem: PersonalTokenProblem }> {
  const problem = problemWith(request);
  if (problem !== undefined) return { problem };
  const now = server.clock();
  if (request.key !== undefined && (await isUsed(server, request.key))) return { problem: 'made_already' };
  const { text, key, digest } = mintToken('personal', server.brand, now, request.key);
  const id = await server.writes.addPersonalToken(
    {
      key,
      digest,
      ending: text.slice(-ENDING_LENGTH),
      userId: request.userId,
      name: request.name.trim(),
      scopes: request.scopes,
      createdAt: now,
      expiresAt: request.days === undefined ? undefined : now + request.days * DAY,
    },
    MOST_PERSONAL_TOKENS,
  );
  return id === undefined ? { problem: 'too_many' } : { id, text };
}

// A key that is none of ours counts as used: nothing is made with it.
async function isUsed(server: AuthorizationServer, key: string): Promise<boolean> {
  return !isTimeOrderedKey(key) || (await server.reads.findPersonalToken(key)) !== undefined;
}

/** Reports whether the token would be honoured now, as far as the token itself goes. */
export function isLive(token: PersonalToken, now: Timestamp): boolean {
  return token.revokedAt === undefined && (token.expiresAt === undefined || token.expiresAt > now);
}

function problemWith({ name, scopes, days }: PersonalTokenRequest): PersonalTokenProblem | undefined {
  const length = [...name.trim()].length;
  if (length < 1 || length > 60) return 'name';
  if (hasHidden(name)) return 'name';
  if (scopes.length === 0 || !scopes.every(isApiScope)) return 'scopes';
  if (days !== undefined && (!Number.isInteger(days) || days < 1 || days > LONGEST_DAYS)) return 'days';
  return undefined;
}
