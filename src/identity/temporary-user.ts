// The account with which `doctor` tries a sign-in. It exists for seconds and leaves nothing behind.

import { HOUR } from '../lib/clock.ts';
import { randomBase62 } from '../lib/secrets.ts';
import type { Identity } from './identity.ts';
import { newUserFrom } from './registration.ts';

/** No member can have such a name, because usernames have no tilde. */
const PREFIX = 'doctor~';
// A younger account belongs to a check that is still running.
const LEFT_OVER_AFTER = 1 * HOUR;

export interface TemporaryUser {
  id: number;
  username: string;
  password: string;
}

/** Create the account. Nothing is recorded about it, since it is deleted again. */
export async function createTemporaryUser({ writes, clock }: Identity): Promise<TemporaryUser> {
  const username = PREFIX + randomBase62(12);
  const password = randomBase62(24);
  const fields = { username, password, email: undefined, bio: '' };
  const user = await newUserFrom(fields, { email: undefined, isOperator: false, createdAt: clock() });
  return { id: await writes.addTemporaryUser(user), username, password };
}

/** Delete the account with all its rows. */
export async function deleteTemporaryUser({ writes }: Identity, id: number): Promise<void> {
  await writes.deleteTemporaryUser(id);
}

/** Delete the accounts that interrupted checks and those of older versions left. Returns how many there were. */
export async function deleteLeftOverUsers({ reads, writes, clock }: Identity): Promise<number> {
  const ids = await reads.temporaryUsers(clock() - LEFT_OVER_AFTER);
  for (const id of ids) await writes.deleteTemporaryUser(id);
  return ids.length;
}
