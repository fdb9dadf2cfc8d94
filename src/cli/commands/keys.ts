// The signing keys of id_tokens.

import { byCommandLine } from '../../audit/doer.ts';
import type { Portico } from '../../compose.ts';
import { Refusal } from '../../lib/refusal.ts';
import { SIGNING_ALGORITHMS, type SigningAlgorithm } from '../../oauth/signing-algorithm.ts';
import {
  activeKey,
  prepareSigningKeys,
  replaceCompromisedKeys,
  replaceLostKeys,
  rotateSigningKey,
  rotationPossibleAt,
  SigningKeysMissing,
} from '../../oauth/signing-key.ts';
import type { SigningKey } from '../../oauth/signing-key-store.ts';
import { type Context, command, listText, type Result } from '../command.ts';
import { withPortico } from '../portico.ts';

const list = command({
  name: 'keys list',
  summary: 'list the keys that id_tokens are signed with',
  details: 'Creates the first keys if the database has never had any.',
  options: {},
  async run(_, context) {
    return withKeys(context, async ({ oauth }) => {
      const keys = await oauth.reads.signingKeys();
      return { json: keys.map(toJson), text: listText(keys, toLine) };
    });
  },
});

const rotateCommand = command({
  name: 'keys rotate',
  summary: 'make the next key the active one, and retire the active one',
  details:
    'The server rotates keys by itself. A retired key stays published so that its signatures can be verified. ' +
    'Refused while applications may still use a cached key list without the next key.',
  options: {
    alg: {
      kind: 'text',
      value: 'ALG',
      summary: 'only the keys of this algorithm, all if left out',
      choices: SIGNING_ALGORITHMS,
    },
    compromised: {
      kind: 'flag',
      summary: 'a private key leaked: replace all keys at once, and stop trusting the old ones',
    },
    lost: {
      kind: 'flag',
      summary: 'create the keys that are missing from the database, or damaged',
    },
  },
  async run({ alg, compromised, lost }, context) {
    if (lost) return replaceLost(context);
    if (compromised) return replaceCompromised(context, alg === undefined ? SIGNING_ALGORITHMS : [alg]);
    return withKeys(context, async (portico) => {
      const algorithms = alg === undefined ? SIGNING_ALGORITHMS : [alg];
      const rotations: Rotation[] = [];
      for (const algorithm of algorithms) rotations.push(await rotate(portico, algorithm));
      return resultOf(rotations);
    });
  },
});

async function replaceCompromised(
  context: Context,
  algorithms: readonly SigningAlgorithm[],
): Promise<Result> {
  return withKeys(context, async ({ oauth, clock }) => {
    const rotations: Rotation[] = [];
    for (const alg of algorithms) {
      await replaceCompromisedKeys(byCommandLine(clock), oauth, alg);
      const { kid } = await activeKey(oauth, alg);
      rotations.push({ alg, outcome: 'rotated', kid, possible_at: null });
    }
    const advice = 'Applications may trust the old keys for 5 minutes, until they fetch the new list.';
    return { json: { rotations }, text: [...rotations.map(sentence), advice].join('\n') };
  });
}

async function replaceLost(context: Context): Promise<Result> {
  return withPortico(context, async ({ oauth, clock }) => {
    const count = await replaceLostKeys(byCommandLine(clock), oauth);
    if (count === 0) throw new Refusal('signing_keys_not_lost', 'All signing keys are there.');
    return { json: { replaced: count }, text: `Created ${count} signing keys.` };
  });
}

export const keysCommands = [list, rotateCommand];

interface Rotation {
  alg: SigningAlgorithm;
  outcome: Awaited<ReturnType<typeof rotateSigningKey>>;
  /** The active key. */
  kid: string | null;
  /** The earliest time of the next rotation. */
  possible_at: string | null;
}

async function rotate({ oauth, clock }: Portico, alg: SigningAlgorithm): Promise<Rotation> {
  const outcome = await rotateSigningKey(byCommandLine(clock), oauth, alg);
  const keys = (await oauth.reads.signingKeys()).filter((key) => key.alg === alg);
  const next = keys.find(({ state }) => state === 'next');
  return {
    alg,
    outcome,
    kid: keys.find(({ state }) => state === 'active')?.kid ?? null,
    possible_at: next === undefined ? null : isoTime(rotationPossibleAt(next)),
  };
}

function resultOf(rotations: readonly Rotation[]): Result {
  const refusals = rotations.filter(({ outcome }) => outcome === 'too_soon').map(sentence);
  return {
    json: {
      rotations,
      ...(refusals.length > 0 && { error: { code: 'too_soon', message: refusals.join(' ') } }),
    },
    text: rotations.map(sentence).join('\n'),
    failed: refusals.length > 0,
  };
}

function sentence({ alg, outcome, kid, possible_at }: Rotation): string {
  if (outcome === 'rotated') return `${alg}: ${kid} is active now.`;
  if (outcome === 'rotated_by_another')
    return `${alg}: another process rotated the key; ${kid} is active now.`;
  return `${alg}: not rotated, since applications may still lack the next key. Possible from ${possible_at}.`;
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
    created_at: isoTime(key.createdAt),
    activated_at: key.activatedAt === undefined ? null : isoTime(key.activatedAt),
    retired_at: key.retiredAt === undefined ? null : isoTime(key.retiredAt),
  };
}

function toLine(key: SigningKey): string {
  const since = isoTime(key.retiredAt ?? key.activatedAt ?? key.createdAt);
  return `${key.kid}  ${key.alg}  ${key.state.padEnd('retired'.length)}  since ${since}`;
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}
