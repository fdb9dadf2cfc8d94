// Proving the password again before a change of the account.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byMember } from '../../src/audit/doer.ts';
import { reauthenticate } from '../../src/identity/reauthentication.ts';
import { ALICES_PASSWORD, aliceIn, openAccounts } from './accounts.ts';

test('A right password gives the member ten new guesses', async (t) => {
  const accounts = await openAccounts(t);
  const alice = await aliceIn(accounts);
  const prove = (password: string) =>
    reauthenticate(byMember(alice, accounts.identity.clock), accounts.identity, password);
  for (let guess = 0; guess < 9; guess += 1) await prove('wrong');
  await prove(ALICES_PASSWORD);

  const answers = [];
  for (let guess = 0; guess < 11; guess += 1) answers.push((await prove('wrong'))?.problem);

  assert.deepEqual(answers, [...Array(10).fill('wrong_password'), 'too_many_attempts']);
});
