// Codes of authenticator apps and recovery codes: each works once, within its time, and guessing is limited.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Identity } from '../../src/identity/identity.ts';
import { knowMember } from '../../src/identity/known-browser.ts';
import { type CodeSource, openSignIn, sealSignIn, signInWithCode } from '../../src/identity/second-factor.ts';
import { findVisit } from '../../src/identity/session.ts';
import { signIn } from '../../src/identity/sign-in.ts';
import { DAY, MINUTE, SECOND } from '../../src/lib/clock.ts';
import { codeAt, STEP, withApp } from '../support/codes.ts';
import type { TestScope } from '../support/databases.ts';
import { ALICES_PASSWORD, aliceIn, NEW_YEAR, openAccounts } from './accounts.ts';

const SECRET = 'a secret of the server';
const STRANGE: CodeSource = { address: '192.0.2.66', browser: { cookie: undefined, secret: SECRET } };

/** alice with an app, a minute after it was set up. */
async function openAlice(scope: TestScope) {
  const accounts = await openAccounts(scope);
  const { identity, setClock } = accounts;
  const alice = await aliceIn(accounts);
  const app = await withApp(identity, alice);
  setClock(MINUTE);
  const passwordHash = (await identity.reads.findPasswordHash(alice.id)) ?? '';
  const account = { userId: alice.id, passwordHash };
  const enter = (code: string, from = STRANGE) => signInWithCode(identity, account, code, from);
  return { identity, setClock, alice, account, enter, ...app };
}

const outcomesOf = (results: { outcome: string }[]) => results.map(({ outcome }) => outcome);

/** The present code of the app, and 200 others. */
function guesses(identity: Identity, secret: string): { right: string; wrong: string[] } {
  const right = codeAt(secret, identity.clock());
  const near = [-1, 0, 1].map((steps) => codeAt(secret, identity.clock() + steps * STEP));
  const all = Array.from({ length: 203 }, (_, number) => String(100_000 + number));
  return { right, wrong: all.filter((code) => !near.includes(code)).slice(0, 200) };
}

describe('the second step of a sign-in', () => {
  test('follows a right password, which opens no session alone', async (t) => {
    const { identity, account } = await openAlice(t);

    const right = { username: 'alice', password: ALICES_PASSWORD, address: '192.0.2.7' };
    const result = await signIn(identity, right);
    const wrong = await signIn(identity, { ...right, password: 'wrong' });

    assert.equal(result.outcome, 'second_factor');
    assert.equal(wrong.outcome, 'wrong');
    assert.equal(await identity.reads.countSessions(account.userId, 0, 0), 0);
  });

  test('opens a session with the code of the app', async (t) => {
    const { identity, enter, secret } = await openAlice(t);

    const result = await enter(codeAt(secret, identity.clock()));

    assert.ok(result.outcome === 'signed_in');
    const visit = await findVisit(identity, result.cookie);
    assert.deepEqual([visit?.user.username, visit?.provenAt], ['alice', NEW_YEAR + MINUTE]);
  });

  test('refuses a code that was used, also the one that confirmed the app', async (t) => {
    const { identity, setClock, enter, secret } = await openAlice(t);
    const code = codeAt(secret, identity.clock());

    setClock(0);
    const confirming = await enter(codeAt(secret, NEW_YEAR));
    setClock(MINUTE);
    const first = await enter(code);
    const replayed = await enter(code);
    const older = await enter(codeAt(secret, identity.clock() - STEP));

    assert.deepEqual(outcomesOf([confirming, first, replayed, older]), [
      'wrong',
      'signed_in',
      'wrong',
      'wrong',
    ]);
  });

  test('accepts a code once, however often it is sent at the same time', async (t) => {
    const { identity, enter, secret, recoveryCodes } = await openAlice(t);
    const code = codeAt(secret, identity.clock());

    const answers = await Promise.all(Array.from({ length: 8 }, () => enter(code)));
    const recoveries = await Promise.all(Array.from({ length: 8 }, () => enter(recoveryCodes[0] ?? '')));

    for (const outcomes of [outcomesOf(answers), outcomesOf(recoveries)]) {
      assert.equal(outcomes.filter((outcome) => outcome === 'signed_in').length, 1);
    }
  });

  test('accepts the code of a clock that is off by 30 seconds, and none of one off by 60', async (t) => {
    for (const [off, expected] of [
      [-60, 'wrong'],
      [-30, 'signed_in'],
      [30, 'signed_in'],
      [60, 'wrong'],
    ] as const) {
      const { identity, enter, secret } = await openAlice(t);
      assert.equal(
        (await enter(codeAt(secret, identity.clock() + off * SECOND))).outcome,
        expected,
        `${off} s`,
      );
    }
  });

  test('checks ten of 200 guesses in 15 minutes, and then not even the right code', async (t) => {
    const { identity, setClock, enter, secret } = await openAlice(t);
    const { right, wrong } = guesses(identity, secret);

    const results = await Promise.all(wrong.map((code) => enter(code)));
    const late = await enter(right);
    setClock(16 * MINUTE);
    const later = await enter(codeAt(secret, identity.clock()));

    assert.equal(results.filter(({ outcome }) => outcome === 'wrong').length, 10);
    assert.deepEqual(late, { outcome: 'too_many', retryAfterSeconds: 900 });
    assert.equal(later.outcome, 'signed_in');
  });

  test('does not lock out a browser that signed the member in before, nor a recovery code', async (t) => {
    const { identity, account, enter, secret, recoveryCodes } = await openAlice(t);
    const { right, wrong } = guesses(identity, secret);
    for (const code of wrong.slice(0, 20)) await enter(code);
    const cookie = knowMember({ cookie: undefined, secret: SECRET }, { ...account, hasFactor: true });

    const known = await enter(right, { address: '192.0.2.66', browser: { cookie, secret: SECRET } });
    const recovered = await enter(recoveryCodes[3] ?? '');

    assert.deepEqual(outcomesOf([known, recovered]), ['signed_in', 'signed_in']);
  });

  test('checks 50 wrong codes of unknown browsers in 30 days, and then a recovery code, or a new password', async (t) => {
    const { identity, setClock, account, enter, secret, recoveryCodes } = await openAlice(t);
    const outcomes: string[] = [];
    for (let quarter = 1; quarter <= 6; quarter += 1) {
      setClock(quarter * 16 * MINUTE);
      const { wrong } = guesses(identity, secret);
      for (const code of wrong.slice(0, 12)) outcomes.push((await enter(code)).outcome);
    }
    setClock(10 * DAY);
    const cookie = knowMember({ cookie: undefined, secret: SECRET }, { ...account, hasFactor: true });
    const present = () => codeAt(secret, identity.clock());

    const locked = await enter(present());
    const recovered = await enter(recoveryCodes[0] ?? '');
    const known = await enter(present(), { ...STRANGE, browser: { cookie, secret: SECRET } });
    await identity.writes.renewPasswordHash(account.userId, account.passwordHash, 'another hash');
    setClock(10 * DAY + MINUTE);
    const renewed = await signInWithCode(
      identity,
      { ...account, passwordHash: 'another hash' },
      present(),
      STRANGE,
    );

    assert.equal(outcomes.filter((outcome) => outcome === 'wrong').length, 50);
    assert.deepEqual(outcomesOf([locked, recovered, known, renewed]), [
      'too_many',
      'signed_in',
      'signed_in',
      'signed_in',
    ]);
  });

  test('accepts each of ten recovery codes once, however it is typed', async (t) => {
    const { identity, alice, enter, recoveryCodes } = await openAlice(t);
    const [first = '', second = ''] = recoveryCodes;

    const typed = await enter(` ${first.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O')} `);
    const again = await enter(first);
    const other = await enter(second);

    assert.equal(new Set(recoveryCodes).size, 10);
    assert.deepEqual(outcomesOf([typed, again, other]), ['signed_in', 'wrong', 'signed_in']);
    assert.equal((await identity.reads.factorsOf(alice.id)).recoveryCodes, 8);
  });
});

describe('the note between the steps', () => {
  test('is valid for ten minutes, for one account and its present password', async (t) => {
    const { identity, setClock, account } = await openAlice(t);
    const note = sealSignIn(SECRET, account, identity.clock());
    const open = (text = note, secret = SECRET) => openSignIn(identity, secret, text);

    setClock(11 * MINUTE - 1);
    assert.deepEqual(await open(), account);
    assert.equal(await open(note.replace(/^\d+/, '999')), undefined);
    assert.equal(await open(note, 'another secret'), undefined);
    setClock(11 * MINUTE);
    assert.equal(await open(), undefined);
    setClock(MINUTE);
    await identity.writes.renewPasswordHash(account.userId, account.passwordHash, 'another hash');
    assert.equal(await open(), undefined);
  });
});
