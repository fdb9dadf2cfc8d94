// Finding an account by what a member types: the username, an earlier one, or the email address.

import { emailKeyOf } from './email-address.ts';
import type { Identity } from './identity.ts';
import type { User } from './user.ts';
import { usernameKey } from './username.ts';

/** Find the account, by its confirmed address if the text is one: no username contains an @. */
export function findAccount({ reads }: Pick<Identity, 'reads'>, text: string): Promise<User | undefined> {
  return text.includes('@')
    ? reads.findUserByEmail(emailKeyOf(text.trim()))
    : reads.findUserByAnyName(usernameKey(text));
}

/** Two texts with the same key find the same account. */
export function accountKey(text: string): string {
  return text.includes('@') ? emailKeyOf(text.trim()) : usernameKey(text);
}
