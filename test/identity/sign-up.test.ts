// Signing up: who can sign up, with what, and how often.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { byCommandLine, byMember, byServer } from '../../src/audit/doer.ts';
import { confirmEmail } from '../../src/identity/email.ts';
import {
  invitations,
  invite,
  openInvitation,
  revokeInvitation,
  stateOfInvitation,
} from '../../src/identity/invitation.ts';
import { type SignUp, type SignUpRequest, signUpVisitor } from '../../src/identity/sign-up.ts';
import { createFirstOperator, createUser } from '../../src/identity/user-creation.ts';
import { DAY, HOUR } from '../../src/lib/clock.ts';
import { type Accounts, NEW_YEAR, openAccounts, ALICES_PASSWORD as PASSWORD } from './accounts.ts';
import { testMailer } from './test-mailer.ts';

function signUp(
  { identity }: Accounts,
  username: string,
  { email, ...more }: Partial<SignUpRequest> & { email?: string } = {},
): Promise<SignUp> {
  return signUpVisitor(identity, {
    registration: { username, password: PASSWORD, email },
    mode: 'open',
    invitation: undefined,
    address: '192.0.2.1',
    language: 'zh',
    ...more,
  });
}

async function invitation({ identity }: Accounts, days?: number): Promise<{ key: string; text: string }> {
  const invitation = await invite(byCommandLine(identity.clock), identity, { days, note: ' for eve ' });
  assert.ok('text' in invitation);
  return invitation;
}

describe('signing up', () => {
  test('with an email address creates an account without it, until the mailed link is used', async (t) => {
    const accounts = await openAccounts(t);
    const mailer = testMailer(accounts);

    const account = await signUp(accounts, 'alice', { email: 'alice@home.example' });
    await mailer.send();
    assert.ok('id' in account);
    const before = await accounts.identity.reads.findUser(account.id);
    await confirmEmail(
      byMember(account, accounts.identity.clock),
      accounts.identity,
      mailer.lastToken(),
      'en',
    );

    assert.equal(before?.email, undefined);
    assert.deepEqual(
      mailer.arrived.map(({ kind, username, email, language }) => [kind, username, email, language]),
      [['confirm', 'alice', 'alice@home.example', 'zh']],
    );
    assert.equal((await accounts.identity.reads.findUser(account.id))?.email, 'alice@home.example');
  });

  test('with another member’s email address gets the same answer; only the mail tells its owner', async (t) => {
    const accounts = await openAccounts(t);
    const mailer = testMailer(accounts);
    await createUser(byServer(accounts.identity.clock), accounts.identity, {
      username: 'bob',
      password: PASSWORD,
      email: 'bob@home.example',
    });

    const account = await signUp(accounts, 'mallory', { email: 'bob@home.example' });
    await mailer.send();

    assert.ok('id' in account);
    assert.deepEqual(mailer.arrived, [
      { kind: 'taken', username: 'bob', email: 'bob@home.example', language: 'zh', about: {} },
    ]);
  });

  test('asks a service about the password last, and at most 30 times an hour for one address', async (t) => {
    const accounts = await openAccounts(t);
    const asked: string[] = [];
    const isBreached = async (password: string) => asked.push(password) > 0;
    const passwordRules = { ...accounts.identity.passwordRules, isBreached };
    const asking = { ...accounts, identity: { ...accounts.identity, passwordRules } };
    await createUser(byServer(accounts.identity.clock), accounts.identity, {
      username: 'bob',
      password: PASSWORD,
    });

    const taken = await signUp(asking, 'bob');
    const outcomes: SignUp[] = [];
    for (let round = 1; round <= 31; round += 1) outcomes.push(await signUp(asking, 'alice'));
    const elsewhere = await signUp(asking, 'alice', { address: '192.0.2.2' });

    assert.deepEqual(taken, { problems: { username: 'taken' } });
    assert.deepEqual(outcomes.slice(0, 30), Array(30).fill({ problems: { password: 'breached' } }));
    assert.deepEqual(outcomes[30], { refused: 'too_many', retryAfterSeconds: 3600 });
    assert.deepEqual(elsewhere, { problems: { password: 'breached' } });
    assert.equal(asked.length, 31);
  });

  test('never creates an operator, whatever the registration says', async (t) => {
    const accounts = await openAccounts(t);

    const registration = { username: 'mallory', password: PASSWORD, isOperator: true };
    const account = await signUp(accounts, 'mallory', { registration });

    assert.ok('id' in account);
    assert.equal((await accounts.identity.reads.findUser(account.id))?.isOperator, false);
  });

  test('is possible five times an hour from one network address; refused registrations do not count', async (t) => {
    const accounts = await openAccounts(t);
    for (let count = 0; count < 5; count += 1) {
      await signUp(accounts, 'x');
      assert.ok('id' in (await signUp(accounts, `guest${count}`)));
      assert.deepEqual(await signUp(accounts, 'GUEST0'), { problems: { username: 'taken' } });
    }

    const sixth = await signUp(accounts, 'guest5');
    const elsewhere = await signUp(accounts, 'guest6', { address: '198.51.100.7' });
    const invited = await signUp(accounts, 'guest7', { invitation: (await invitation(accounts)).text });
    accounts.setClock(HOUR);
    const later = await signUp(accounts, 'guest8');

    assert.deepEqual(sixth, { refused: 'too_many', retryAfterSeconds: 3600 });
    for (const account of [elsewhere, invited, later]) assert.ok('id' in account);
    assert.equal(await accounts.identity.reads.findUserByName('guest5'), undefined);
  });

  test('sends at most three mails an hour to one email address, without telling the visitor', async (t) => {
    const accounts = await openAccounts(t);
    const mailer = testMailer(accounts);
    for (let count = 0; count < 5; count += 1) {
      assert.ok('id' in (await signUp(accounts, `guest${count}`, { email: 'bob@home.example' })));
    }

    assert.equal(await mailer.send(), 3);
  });

  test('on a closed site is impossible, even with an invitation', async (t) => {
    const accounts = await openAccounts(t);
    const { text } = await invitation(accounts);

    const answers = [
      await signUp(accounts, 'alice', { mode: 'closed' }),
      await signUp(accounts, 'alice', { mode: 'closed', invitation: text }),
    ];

    assert.deepEqual(answers, [{ refused: 'closed' }, { refused: 'closed' }]);
  });

  test('by invitation needs an invitation and uses it up', async (t) => {
    const accounts = await openAccounts(t);
    const { key, text } = await invitation(accounts);
    const mode = 'invitation';

    const without = await signUp(accounts, 'alice', { mode });
    const short = await signUp(accounts, 'alice', { mode, invitation: text.slice(0, -1) });
    const wrongSecret = await signUp(accounts, 'alice', { mode, invitation: `${key}${'x'.repeat(32)}` });
    const mistaken = await signUp(accounts, 'x', { mode, invitation: text });
    const right = await signUp(accounts, 'alice', { mode, invitation: text });
    const again = await signUp(accounts, 'bob', { mode, invitation: text });

    const refused = { refused: 'invitation' };
    assert.deepEqual([without, short, wrongSecret, again], [refused, refused, refused, refused]);
    assert.ok('problems' in mistaken && 'id' in right);
    const [item] = await invitations(accounts.identity);
    assert.ok(item);
    assert.deepEqual([item.note, item.usedBy?.username], ['for eve', 'alice']);
    assert.equal(stateOfInvitation(item, NEW_YEAR), 'used');
  });

  test('is possible for one of eight people who use one invitation at once', async (t) => {
    const accounts = await openAccounts(t);
    const { text } = await invitation(accounts);

    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        signUp(accounts, `guest${index}`, { mode: 'invitation', invitation: text }),
      ),
    );

    assert.equal(answers.filter((answer) => 'id' in answer).length, 1);
  });
});

describe('an invitation', () => {
  test('is valid for seven days, or for the requested number of days', async (t) => {
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
    // Both have the same time, so either may be listed first.
    assert.deepEqual(states.toSorted(), ['expired', 'unused']);
  });

  test('that was revoked can’t be used', async (t) => {
    const accounts = await openAccounts(t);
    const { key, text } = await invitation(accounts);
    const by = byCommandLine(accounts.identity.clock);

    const answers = [
      await revokeInvitation(by, accounts.identity, key),
      await revokeInvitation(by, accounts.identity, key),
      await revokeInvitation(by, accounts.identity, 'no key'),
    ];

    assert.deepEqual(answers, [true, false, false]);
    assert.equal(await openInvitation(accounts.identity, text), undefined);
    const [item] = await invitations(accounts.identity);
    assert.equal(item && stateOfInvitation(item, NEW_YEAR), 'revoked');
  });

  for (const [what, request, problem] of [
    ['a note of two lines', { note: 'a\nb' }, 'note'],
    ['a note of 101 characters', { note: 'x'.repeat(101) }, 'note'],
    ['no days', { days: 0 }, 'days'],
    ['more days than a year has', { days: 366 }, 'days'],
    ['half a day', { days: 0.5 }, 'days'],
  ] as const) {
    test(`is not created with ${what}`, async (t) => {
      const { identity } = await openAccounts(t);

      assert.deepEqual(await invite(byCommandLine(identity.clock), identity, request), { problem });
      assert.deepEqual(await invitations(identity), []);
    });
  }
});

test('The first operator confirms an email address as any member does.', async (t) => {
  const accounts = await openAccounts(t);
  const mailer = testMailer(accounts);

  const account = await createFirstOperator(
    byCommandLine(accounts.identity.clock),
    accounts.identity,
    { username: 'olivia', password: PASSWORD, email: 'olivia@home.example' },
    'en',
  );
  await mailer.send();

  assert.ok(account !== undefined && 'id' in account);
  assert.equal((await accounts.identity.reads.findUser(account.id))?.email, undefined);
  await confirmEmail(byMember(account, accounts.identity.clock), accounts.identity, mailer.lastToken(), 'en');
  assert.equal((await accounts.identity.reads.findUser(account.id))?.email, 'olivia@home.example');
});

test('At most twenty accounts an hour can be created from one IPv6 /48 network, and five from one /64.', async (t) => {
  const accounts = await openAccounts(t);
  let number = 0;
  const joins = async (address: string) => 'id' in (await signUp(accounts, `member${number++}`, { address }));

  const small = [];
  for (let tried = 0; tried < 6; tried += 1) small.push(await joins('2001:db8:1:0::/64'));
  const large = [];
  for (let tried = 1; tried <= 18; tried += 1)
    large.push(await joins(`2001:db8:1:${tried.toString(16)}::/64`));

  assert.deepEqual(small, [true, true, true, true, true, false]);
  assert.equal(large.filter(Boolean).length, 15);
  assert.equal(await joins('2001:db8:2:1::/64'), true);
  assert.equal(await joins('192.0.2.1'), true);
});

test('An invitation may be valid for a year, and its note may have 100 characters.', async (t) => {
  const { identity, setClock } = await openAccounts(t);

  const request = { days: 365, note: 'x'.repeat(100) };
  const invitation = await invite(byCommandLine(identity.clock), identity, request);

  assert.ok('text' in invitation);
  setClock(365 * DAY - 1);
  assert.notEqual(await openInvitation(identity, invitation.text), undefined);
  setClock(365 * DAY);
  assert.equal(await openInvitation(identity, invitation.text), undefined);
});
