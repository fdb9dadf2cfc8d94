// The service for breached passwords: visitors' questions to it are limited.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { breachProblem } from '../../src/identity/breach-check.ts';
import { requestReset, resetPassword } from '../../src/identity/password-reset.ts';
import { HOUR } from '../../src/lib/clock.ts';
import { addAlice, openAccounts } from './accounts.ts';
import { testMailer } from './test-mailer.ts';

const HOME = '192.0.2.1';
const BREACHED = 'another walk, in the snow';

test('A reset asks at most 30 times an hour from one address, and the link stays valid', async (t) => {
  const accounts = await openAccounts(t);
  const mailer = testMailer(accounts);
  await addAlice(accounts, 'alice@home.example');
  await requestReset(accounts.identity, { account: 'alice', address: HOME, language: 'en' });
  await mailer.send();
  const asked: string[] = [];
  const isBreached = async (password: string) => asked.push(password) > 0 && password === BREACHED;
  const passwordRules = { ...accounts.identity.passwordRules, isBreached };
  const identity = { ...accounts.identity, passwordRules };
  const reset = (password: string, address = HOME) =>
    resetPassword(identity, { token: mailer.lastToken(), password, language: 'en', address });

  const outcomes = [];
  for (let round = 1; round <= 31; round += 1) outcomes.push(await reset(BREACHED));
  const common = await reset('password');
  const elsewhere = await reset('a walk on another day', '192.0.2.2');

  assert.deepEqual(outcomes.slice(0, 30), Array(30).fill({ outcome: 'problem', problem: 'breached' }));
  assert.deepEqual(outcomes[30], { outcome: 'too_many', retryAfterSeconds: HOUR / 1000 });
  assert.deepEqual(common, { outcome: 'problem', problem: 'common' });
  assert.equal(elsewhere.outcome, 'done');
  assert.equal(asked.length, 31);
});

test('From one IPv6 network of 48 bits the service is asked at most 120 times an hour', async (t) => {
  const { identity } = await openAccounts(t);
  const passwordRules = { ...identity.passwordRules, isBreached: async () => true };
  const ask = (network: number) =>
    breachProblem({ ...identity, passwordRules }, BREACHED, `2001:db8:1:${network.toString(16)}::/64`);

  const answers = [];
  for (let network = 1; network <= 121; network += 1) answers.push(await ask(network));

  assert.equal(answers.filter((answer) => answer === 'breached').length, 120);
  assert.deepEqual(answers[120], { retryAfterSeconds: HOUR / 1000 });
});
