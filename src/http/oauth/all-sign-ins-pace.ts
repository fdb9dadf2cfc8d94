// How often a member signs in without a page: at one application, and at all together. Each sign-in leaves rows
// that are kept for long, and a member with many applications of their own has the pace of each.

import type { SignInPace } from '../../oauth/authorization.ts';
import type { Client } from '../../oauth/client-store.ts';
import { OAuthError } from '../../oauth/errors.ts';
import type { OAuthParts } from './oauth-parts.ts';
import { tooManySignIns } from './sign-in-pace.ts';

const MOST_A_DAY = 2000;
const DAY_SECONDS = 24 * 60 * 60;

/** Make the function that counts a sign-in at the application. */
export function paceOfSignIns(parts: OAuthParts, client: Client): SignInPace {
  return async ({ userId }) =>
    (await tooManySignIns(parts, userId, client)) ?? (await tooManySignInsInAll(parts, userId));
}

async function tooManySignInsInAll({ counter }: OAuthParts, userId: number): Promise<OAuthError | undefined> {
  const { allowed } = await counter.hit(`authorize:${userId}`, MOST_A_DAY, DAY_SECONDS);
  if (allowed) return undefined;
  return new OAuthError(
    'temporarily_unavailable',
    'The member signed in at applications very often within a day. Try again tomorrow.',
    { rule: 'too_many_sign_ins' },
  );
}
