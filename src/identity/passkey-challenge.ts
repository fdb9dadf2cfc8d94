// The challenge that a passkey signs. It is sealed for one purpose, one browser and one member, is valid for five
// minutes, and works once.

import { createHmac, randomBytes } from 'node:crypto';
import { attempted } from '../lib/attempt.ts';
import { MINUTE, type Timestamp } from '../lib/clock.ts';
import { digestOf, sameDigest } from '../lib/secrets.ts';
import type { Identity } from './identity.ts';

export const CHALLENGE_LIFETIME = 5 * MINUTE;

/** What a challenge is for, and who gets it. */
export interface ChallengeUse {
  purpose: 'sign-in' | 'registration' | 'proof';
  /** The secret of the server that seals it. */
  secret: string;
  /** A secret that only this browser has. */
  browser: string;
  /** 0: nobody is signed in. */
  userId: number;
}

export interface Challenge {
  /** Random bytes in base64url, for the passkey. */
  challenge: string;
  /** The challenge with its seal, for the form. */
  sealed: string;
}

/** Make a challenge. Nothing is stored. */
export function makeChallenge(use: ChallengeUse, now: Timestamp): Challenge {
  const challenge = randomBytes(32).toString('base64url');
  const expiresAt = now + CHALLENGE_LIFETIME;
  return { challenge, sealed: `${challenge}.${expiresAt}.${sealOf(use, challenge, expiresAt)}` };
}

/** Use up a challenge. Undefined if it is not valid, or was used before. */
export async function takeChallenge(
  identity: Identity,
  use: ChallengeUse,
  sealed: string,
): Promise<string | undefined> {
  const [, challenge, expiry, seal = ''] = /^([\w-]{43})\.(\d{1,15})\.([\w-]{43})$/.exec(sealed) ?? [];
  const now = identity.clock();
  const expiresAt = Number(expiry);
  if (challenge === undefined || expiresAt <= now) return undefined;
  if (!sameDigest(seal, sealOf(use, challenge, expiresAt))) return undefined;
  const first = { subject: digestOf(`challenge\n${challenge}`), most: 1, now, closesAt: expiresAt };
  return (await attempted(identity, first)) === undefined ? challenge : undefined;
}

function sealOf(
  { purpose, secret, browser, userId }: ChallengeUse,
  challenge: string,
  expiresAt: Timestamp,
): string {
  return createHmac('sha256', secret)
    .update(`${purpose} ${userId} ${challenge} ${expiresAt} ${browser}`)
    .digest('base64url');
}
