// Which failed sign-ins leave a security event. test/audit/security-events.test.ts has their contents.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signIn } from '../../src/identity/sign-in.ts';
import { addAlice, openAccounts } from './accounts.ts';

const WRONG = { username: 'alice', password: 'wrong password', address: '192.0.2.1' };

test('Only the first sign-in beyond the limit records an event', async (t) => {
  const accounts = await openAccounts(t);
  await addAlice(accounts);
  for (let guess = 0; guess < 11; guess += 1) await signIn(accounts.identity, WRONG);
  const recordEventWithin = () => assert.fail('Another refusal was recorded.');
  const identity = { ...accounts.identity, writes: { ...accounts.identity.writes, recordEventWithin } };

  const answer = await signIn(identity, WRONG);

  assert.equal(answer.outcome, 'too_many');
});
