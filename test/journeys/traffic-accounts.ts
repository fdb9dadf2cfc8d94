// The codes and sign-ins that an application has for a member while it uses the service.

import type { Portico } from '../../src/compose.ts';
import type { RegisteredClient } from '../support/people.ts';
import { addCode, addMember, addSignIn } from '../support/seeding.ts';

export interface SignIn {
  access: string[];
  refresh: string;
  /** Earlier refresh tokens. */
  spent: string[];
  /** The last request that got no answer: it may have had its effect or not. */
  doubt?: 'refresh' | 'revoke access' | 'revoke all';
  doubtful?: string;
}

/** What one application has for one member. */
export interface Account {
  client: RegisteredClient;
  codes: { text: string; expiresAt: number }[];
  signIns: SignIn[];
}

/** Add a member with `each` sign-ins and codes. */
export async function openAccount(
  portico: Portico,
  client: RegisteredClient,
  username: string,
  each: number,
): Promise<Account> {
  const userId = await addMember(portico, username);
  const account: Account = { client, codes: [], signIns: [] };
  for (let index = 0; index < each; index += 1) {
    const { access, refresh } = await addSignIn(portico, client, userId);
    account.signIns.push({ access: [access], refresh, spent: [] });
    const { text, record } = await addCode(portico, client, userId);
    account.codes.push({ text, expiresAt: record.expiresAt });
  }
  return account;
}
