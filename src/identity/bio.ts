// The bio: one line of a member about themselves.

import type { MemberDoer } from '../audit/doer.ts';
import { hasHiddenCharacters } from '../lib/one-line.ts';
import type { Identity } from './identity.ts';

/** Contract §7. */
export const MOST_BIO_CHARACTERS = 160;

export type BioProblem = 'too_long' | 'hidden_characters';

/** Say why a bio is refused. Undefined if it is accepted. */
export function problemWithBio(bio: string): BioProblem | undefined {
  if ([...bio].length > MOST_BIO_CHARACTERS) return 'too_long';
  if (hasHiddenCharacters(bio)) return 'hidden_characters';
  return undefined;
}

/** Replace a member's bio, without credentials of this site, or say why the new one is refused. */
export async function setBio(
  by: MemberDoer,
  { writes, maskCredentials }: Identity,
  bio: string,
): Promise<BioProblem | undefined> {
  const problem = problemWithBio(bio);
  if (problem === undefined) await writes.setBio(by, await maskCredentials(bio, 'bio'));
  return problem;
}
