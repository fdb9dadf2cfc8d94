// Joining a site: who can, with what, and how often.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { confirmEmail } from '../../src/identity/email.ts';
import {
  invitations,
  invite,
  openInvitation,
  revokeInvitation,
  stateOfInvitation,
} from '../../src/identity/invitation.ts';
import { type Joined, type Joining, join, signUp, signUpFirstOperator } from '../../src/identity/sign-up.ts';
import { DAY, HOUR } from '../../src/lib/clock.ts';
import { type Accounts, NEW_YEAR, openAccounts, ALICES_PASSWORD as PASSWORD } from './accounts.ts';
import { postOffice } from './post-office.ts';

function joins(
  { identity }: Accounts,
  username: string,
  { email, ...more }: Partial<Joining> & { email?: string } = {},
): Promise<Joined> {
  return join(identity, {
    registration: { username, password: PASSWORD, email },
    mode: 'open',
    invitation: undefined,
    address: '192.0.2.1',
    language: 'zh',
    ...more,
  });
}

async function invitation(accounts: Accounts, days?: number): Promise<{ key: string; text: string }> {
  const invitation = await invite(accounts.identity, { days, note: ' for eve ' });
  assert.ok('text' in invitation);
  return invitation;
}

describe('joining', () => {
  test('with an address makes an account without it, until the mailed link was used', async (t) => {
    const accounts = await openAccounts(t);
    const post = postOffice(accounts);

    const joined = await joins(accounts, 'alice', { email: 'alice@home.example' });
    await post.send();
    assert.ok('id' in joined);
    const before = await accounts.identity.reads.findUser(joined.id);
    await confirmEmail(accounts.identity, post.lastToken(), 'en');

    assert.equal(before?.email, undefined);
    assert.deepEqual(
      post.arrived.map(({ kind, username, email, language }) => [kind, username, email, language]),
      [['confirm', 'alice', 'alice@home.example', 'zh']],
    );
    assert.equal((await accounts.identity.reads.findUser(joined.id))?.email, 'alice@home.example');
  });

  test('with an address that is somebody’s is answered alike; the mail tells its owner', async (t) => {
    const accounts = await openAccounts(t);
    const post = postOffice(accounts);
    await signUp(accounts.identity, { username: 'bob', password: PASSWORD, email: 'bob@home.example' });

    const joined = await joins(accounts, 'mallory', { email: 'bob@home.example' });
    await post.send();

    assert.ok('id' in joined);
    assert.deepEqual(post.arrived, [
      { kind: 'taken', username: 'bob', email: 'bob@home.example', language: 'zh' },
    ]);
  });

  test('never makes an operator, whatever is sent', async (t) => {
    const accounts = await openAccounts(t);

    const registration = { username: 'mallory', password: PASSWORD, isOperator: true };
    const joined = await joins(accounts, 'mallory', { registration });

    assert.ok('id' in joined);
    assert.equal((await accounts.identity.reads.findUser(joined.id))?.isOperator, false);
  });

  test('is possible five times in an hour from one address; mistakes and taken names do not count', async (t) => {
    const accounts = await openAccounts(t);
    for (let count = 0; count < 5; count += 1) {
      await joins(accounts, 'x');
      assert.ok('id' in (await joins(accounts, `guest${count}`)));
      assert.deepEqual(await joins(accounts, 'GUEST0'), { problems: { username: 'taken' } });
    }

    const sixth = await joins(accounts, 'guest5');
    const elsewhere = await joins(accounts, 'guest6', { address: '198.51.100.7' });
    const invited = await joins(accounts, 'guest7', { invitation: (await invitation(accounts)).text });
    accounts.setClock(HOUR);
    const later = await joins(accounts, 'guest8');

    assert.deepEqual(sixth, { refused: 'too_many', retryAfterSeconds: 3600 });
    for (const joined of [elsewhere, invited, later]) assert.ok('id' in joined);
    assert.equal(await accounts.identity.reads.findUserByName('guest5'), undefined);
  });

  test('makes no more than three mails in an hour to one address, and tells nobody', async (t) => {
    const accounts = await openAccounts(t);
    const post = postOffice(accounts);
    for (let count = 0; count < 5; count += 1) {
      assert.ok('id' in (await joins(accounts, `guest${count}`, { email: 'bob@home.example' })));
    }

    assert.equal(await post.send(), 3);
  });

  test('a closed site is possible for nobody, also not with an invitation', async (t) => {
    const accounts = await openAccounts(t);
    const { text } = await invitation(accounts);

    const answers = [
      await joins(accounts, 'alice', { mode: 'closed' }),
      await joins(accounts, 'alice', { mode: 'closed', invitation: text }),
    ];

    assert.deepEqual(answers, [{ refused: 'closed' }, { refused: 'closed' }]);
  });

  test('by invitation needs one, and uses it up', async (t) => {
    const accounts = await openAccounts(t);
    const { key, text } = await invitation(accounts);
    const mode = 'invitation';

    const without = await joins(accounts, 'alice', { mode });
    const short = await joins(accounts, 'alice', { mode, invitation: text.slice(0, -1) });
    const wrongSecret = await joins(accounts, 'alice', { mode, invitation: `${key}${'x'.repeat(32)}` });
    const mistaken = await joins(accounts, 'x', { mode, invitation: text });
    const right = await joins(accounts, 'alice', { mode, invitation: text });
    const again = await joins(accounts, 'bob', { mode, invitation: text });

    const refused = { refused: 'invitation' };
    assert.deepEqual([without, short, wrongSecret, again], [refused, refused, refused, refused]);
    assert.ok('problems' in mistaken && 'id' in right);
    const [listed] = await invitations(accounts.identity);
    assert.ok(listed);
    assert.deepEqual([listed.note, listed.usedBy?.username], ['for eve', 'alice']);
    assert.equal(stateOfInvitation(listed, NEW_YEAR), 'used');
  });

  test('of eight people at once with one invitation is possible for one', async (t) => {
    const accounts = await openAccounts(t);
    const { text } = await invitation(accounts);

    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        joins(accounts, `guest${index}`, { mode: 'invitation', invitation: text }),
      ),
    );

    assert.equal(answers.filter((answer) => 'id' in answer).length, 1);
  });
});

describe('an invitation', () => {
  test('holds for seven days, or as long as was said', async (t) => {
    const accounts = await openAccounts(t);
    const [week, day] = [await invitation(accounts), await invitation(accounts, 1)];

    accounts.setClock(DAY);
    const afterADay = [
      await openInvitation(accounts.identity, week.text),
      await openInvitation(accounts.identity, day.text),
    ];
    accounts.setClock(7 * DAY);

    assert.deepEqual(afterADay, [week.key, undefined]);
    assert.equal(await openInvitation(accounts.identity, week.text), undefined);
    const states = (await invitations(accounts.identity)).map((invitation) =>
      stateOfInvitation(invitation, NEW_YEAR + DAY),
    );
    // Both were made in one moment: either may be listed first.
    assert.deepEqual(states.toSorted(), ['expired', 'unused']);
  });

  test('that was revoked is worthless', async (t) => {
    const accounts = await openAccounts(t);
    const { key, text } = await invitation(accounts);

    const answers = [
      await revokeInvitation(accounts.identity, key),
      await revokeInvitation(accounts.identity, key),
      await revokeInvitation(accounts.identity, 'no key'),
    ];

    assert.deepEqual(answers, [true, false, false]);
    assert.equal(await openInvitation(accounts.identity, text), undefined);
    const [listed] = await invitations(accounts.identity);
    assert.equal(listed && stateOfInvitation(listed, NEW_YEAR), 'revoked');
  });

  for (const [what, request, problem] of [
    ['a note of two lines', { note: 'a\nb' }, 'note'],
    ['a note of 101 characters', { note: 'x'.repeat(101) }, 'note'],
    ['no days', { days: 0 }, 'days'],
    ['more days than a year has', { days: 366 }, 'days'],
    ['half a day', { days: 0.5 }, 'days'],
  ] as const) {
    test(`is not made with ${what}`, async (t) => {
      const { identity } = await openAccounts(t);

      assert.deepEqual(await invite(identity, request), { problem });
      assert.deepEqual(await invitations(identity), []);
    });
  }
});

test('The first operator confirms an address like anyone.', async (t) => {
  const accounts = await openAccounts(t);
  const post = postOffice(accounts);

  const account = await signUpFirstOperator(
    accounts.identity,
    { username: 'olivia', password: PASSWORD, email: 'olivia@home.example' },
    'en',
  );
  await post.send();

  assert.ok(account !== undefined && 'id' in account);
  assert.equal((await accounts.identity.reads.findUser(account.id))?.email, undefined);
  await confirmEmail(accounts.identity, post.lastToken(), 'en');
  assert.equal((await accounts.identity.reads.findUser(account.id))?.email, 'olivia@home.example');
});
