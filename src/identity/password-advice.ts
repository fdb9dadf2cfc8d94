// What could be better about a password that was accepted, by the estimate of zxcvbn. Advice, and no rule.

import { namesOf, type PasswordOwner, type PasswordRules } from './password-rules.ts';

export type Weakness = 'keyboard' | 'repeated' | 'sequence' | 'date' | 'names' | 'similar' | 'guessable';

// The estimate takes far longer for a long password, and a long one needs no advice.
const MOST_CHARACTERS = 24;
// Scores go from 0 to 4. From 3 on, a password withstands guesses at a stolen hash for a while.
const GOOD_SCORE = 3;

/** Say what makes a password easy to guess. Undefined if it isn't. */
export async function weaknessOf(
  { siteNames }: PasswordRules,
  password: string,
  owner: PasswordOwner,
): Promise<Weakness | undefined> {
  if ([...password].length > MOST_CHARACTERS) return undefined;
  estimator ??= openEstimator();
  const { score, feedback } = (await estimator).check(password, [...(await siteNames()), ...namesOf(owner)]);
  return score < GOOD_SCORE ? (WEAKNESSES[feedback.warning ?? ''] ?? 'guessable') : undefined;
}

const WEAKNESSES: Record<string, Weakness> = {
  straightRow: 'keyboard',
  keyPattern: 'keyboard',
  simpleRepeat: 'repeated',
  extendedRepeat: 'repeated',
  sequences: 'sequence',
  recentYears: 'date',
  dates: 'date',
  userInputs: 'names',
  common: 'similar',
  topTen: 'similar',
  topHundred: 'similar',
  similarToCommon: 'similar',
};

let estimator: ReturnType<typeof openEstimator> | undefined;

async function openEstimator() {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  // With all substitutions of letters, 24 characters can take 200 ms of the only event loop.
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, l33tMaxSubstitutions: 1 });
}
