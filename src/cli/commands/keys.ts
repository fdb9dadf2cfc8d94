// The keys that id_tokens are signed with.

import type { Portico } from '../../compose.ts';
import { actNow } from '../../identity/act.ts';
import { Refusal } from '../../lib/refusal.ts';
import {
  prepareSigningKeys,
  rotateSigningKey,
  rotationPossibleAt,
  SIGNING_ALGORITHMS,
  type SigningAlgorithm,
  type SigningKey,
  SigningKeysMissing,
} from '../../oauth/signing-key.ts';
import { type Context, command, type Result } from '../command.ts';
import { withPortico } from '../portico.ts';

const list = command({
  name: 'keys list',
  summary: 'list the keys that id_tokens are signed with',
  details: 'The first ones are made if there never were any.',
  options: {},
  async run(_, context) {
    return withKeys(context, async ({ oauth }) => {
      const keys = await oauth.reads.signingKeys();
      return { json: keys.map(toJson), text: keys.map(toLine).join('\n') };
    });
  },
});

const rotate = command({
  name: 'keys rotate',
  summary: 'let the next key sign from now on, and retire the one that signed',
  details:
    'The server does it by itself when a key has served its time. A retired key stays published for what it signed. ' +
    'Refused while applications may not have seen the next key yet.',
  options: {
    alg: {
      kind: 'text',
      value: 'ALG',
      summary: 'the keys of this algorithm alone, all if left out',
      choices: SIGNING_ALGORITHMS,
    },
  },
  async run({ alg }, context) {
    return withKeys(context, async (portico) => {
      const algorithms = alg === undefined ? SIGNING_ALGORITHMS : [alg];
      const rotations: Rotation[] = [];
      for (const one of algorithms) rotations.push(await rotateOne(portico, one));
      return resultOf(rotations);
    });
  },
});

export const keysCommands = [list, rotate];

interface Rotation {
  alg: SigningAlgorithm;
  outcome: Awaited<ReturnType<typeof rotateSigningKey>>;
  /** The key that signs now. */
  kid: string | null;
  /** The earliest moment of the next rotation. */
  possible_at: string | null;
}

async function rotateOne({ oauth, clock }: Portico, alg: SigningAlgorithm): Promise<Rotation> {
  const outcome = await rotateSigningKey(oauth, alg, actNow(clock));
  const keys = (await oauth.reads.signingKeys()).filter((key) => key.alg === alg);
  const next = keys.find(({ state }) => state === 'next');
  return {
    alg,
    outcome,
    kid: keys.find(({ state }) => state === 'active')?.kid ?? null,
    possible_at: next === undefined ? null : moment(rotationPossibleAt(next)),
  };
}

function resultOf(rotations: readonly Rotation[]): Result {
  const early = rotations.filter(({ outcome }) => outcome === 'too_soon').map(sentence);
  return {
    json: { rotations, ...(early.length > 0 && { error: { code: 'too_soon', message: early.join(' ') } }) },
    text: rotations.map(sentence).join('\n'),
    failed: early.length > 0,
  };
}

function sentence({ alg, outcome, kid, possible_at }: Rotation): string {
  if (outcome === 'rotated') return `${alg}: ${kid} signs now.`;
  if (outcome === 'rotated_by_another') return `${alg}: rotated by another process; ${kid} signs now.`;
  return `${alg}: not rotated, applications may not have seen the next key. It can be done from ${possible_at} on.`;
}

function withKeys(context: Context, work: (portico: Portico) => Promise<Result>): Promise<Result> {
  return withPortico(context, async (portico) => {
    try {
      await prepareSigningKeys(portico.oauth);
      return await work(portico);
    } catch (error) {
      if (error instanceof SigningKeysMissing) throw new Refusal('signing_keys_missing', error.message);
      throw error;
    }
  });
}

function toJson(key: SigningKey) {
  return {
    kid: key.kid,
    alg: key.alg,
    state: key.state,
    created_at: moment(key.createdAt),
    activated_at: key.activatedAt === undefined ? null : moment(key.activatedAt),
    retired_at: key.retiredAt === undefined ? null : moment(key.retiredAt),
  };
}

function toLine(key: SigningKey): string {
  const since = moment(key.retiredAt ?? key.activatedAt ?? key.createdAt);
  return `${key.kid}  ${key.alg}  ${key.state.padEnd('retired'.length)}  since ${since}`;
}

function moment(at: number): string {
  return new Date(at).toISOString();
}
