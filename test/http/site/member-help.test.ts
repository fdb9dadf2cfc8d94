// Operators help members who can't sign in: a link for a new password, an email address, another username.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { byServer } from '../../../src/audit/doer.ts';
import { importedMember } from '../../../src/identity/imported-member.ts';
import { HOUR } from '../../../src/lib/clock.ts';
import { openApp } from '../../support/app.ts';
import { Browser, formTokenIn } from '../../support/browser.ts';
import { member, PASSWORD, person } from '../../support/people.ts';
import { startSmtpServer } from '../../support/smtp-server.ts';

const NEW_PASSWORD = 'seven green bottles on a wall';

const server = await startSmtpServer({ after });
const app = await openApp({ SMTP_URL: server.url });
const { portico } = app;
after(() => app.close());

const { browser: operator } = await member(app, 'olivia', { isOperator: true });

async function help(id: number, form: string, fields: Record<string, string> = {}): Promise<Response> {
  const page = await operator.read(`/operator/members/${id}`);
  return operator.submit(page, `/operator/members/${id}/${form}`, fields);
}

async function linkFor(id: number): Promise<string> {
  const page = await (await help(id, 'reset-link')).text();
  return /<pre class="once"[^>]*>([^<]+)</.exec(page)?.[1]?.replace(app.url, '') ?? '';
}

async function choosePassword(link: string): Promise<Response> {
  const browser = new Browser(app.url);
  const page = await (await browser.follow(link)).text();
  return browser.submit(page, '/reset-password', { password: NEW_PASSWORD });
}

async function signsIn(username: string, password = NEW_PASSWORD): Promise<number> {
  return (await new Browser(app.url).signIn(username, password)).status;
}

async function mails(): Promise<string[]> {
  server.mails.length = 0;
  while ((await portico.sendMails()) > 0);
  return server.mails.map(({ to, subject }) => `${to}: ${subject}`).sort();
}

async function lastActs(count: number): Promise<string[]> {
  const events = await portico.audit.reads.auditEvents({ limit: count });
  return events.map(({ actorName, action, subject }) => `${actorName} ${action} ${subject.id}`);
}

async function lastEvent(userId: number): Promise<string> {
  const [event] = await portico.audit.reads.securityEvents({ userId, limit: 1 });
  return `${event?.event} ${event?.by} ${event?.detail}`;
}

describe('a password link', () => {
  test('lets a member without an email address and password sign in', async () => {
    const account = await importedMember({ username: 'imported-bob', createdAt: app.clock.now });
    if ('problems' in account) throw new Error('The member is not valid.');
    const id = await portico.identity.writes.addUser(byServer(portico.clock), account.user);
    assert.ok(typeof id === 'number');

    const link = await linkFor(id);
    const acts = await lastActs(1);
    const event = await lastEvent(id);
    const answer = await choosePassword(link);

    assert.equal(answer.headers.get('location'), '/reset-password/done');
    assert.equal(await signsIn('imported-bob'), 303);
    assert.deepEqual(acts, [`olivia user.reset_link ${id}`]);
    assert.equal(event, 'password_reset_asked operator undefined');
  });

  test('is shown once, works once, and for an hour', async () => {
    const { id } = await person(portico, 'once');
    const first = await linkFor(id);
    assert.doesNotMatch(await operator.read(`/operator/members/${id}`), /class="once"/);

    assert.equal((await choosePassword(first)).status, 303);
    await assert.rejects(choosePassword(first), /no form/);
    const second = await linkFor(id);
    app.clock.advance(HOUR);
    await assert.rejects(choosePassword(second), /no form/);
    // Her next acts need a new proof of who she is.
    await operator.signIn('olivia', PASSWORD);
  });

  test('replaces the one before', async () => {
    const { id } = await person(portico, 'twice');
    const first = await linkFor(id);
    const second = await linkFor(id);

    await assert.rejects(choosePassword(first), /no form/);
    assert.equal((await choosePassword(second)).status, 303);
  });

  test('is told to the address of its member, and so is its use', async () => {
    const { id } = await person(portico, 'told');
    await help(id, 'email', { email: 'told@home.example', do: 'set' });
    await mails();

    const link = await linkFor(id);

    assert.deepEqual(await mails(), [
      'told@home.example: An operator created a password link for your account on Portico',
    ]);
    await choosePassword(link);
    assert.deepEqual(await mails(), ['told@home.example: Your password for Portico was changed']);
  });

  test('can’t be made on the pages for an operator, nor can the address be changed', async () => {
    const otto = await member(app, 'otto', { isOperator: true });
    const page = await operator.read(`/operator/members/${otto.id}`);
    assert.doesNotMatch(page, /reset-link"|\/email"/);

    for (const [form, fields] of [
      ['reset-link', {}],
      ['email', { email: 'olivia@home.example', do: 'set' }],
    ] as const) {
      const body = new URLSearchParams({ form_token: formTokenIn(page), ...fields });
      const answer = await operator.post(`/operator/members/${otto.id}/${form}`, body);
      assert.equal(answer.status, 400, form);
    }
    assert.equal((await portico.identity.reads.findUser(otto.id))?.email, undefined);
    assert.notEqual((await lastActs(1))[0], `olivia user.reset_link ${otto.id}`);
  });
});

describe('an email address that an operator sets', () => {
  test('is the member’s at once, and both addresses are told', async () => {
    const { id } = await person(portico, 'moved');
    await help(id, 'email', { email: 'moved@old.example', do: 'set' });
    await mails();

    const answer = await help(id, 'email', { email: 'moved@new.example', do: 'set' });

    const page = await operator.read(answer.headers.get('location') ?? '');
    assert.match(page, /moved@new\.example\s*<span class="badge">Confirmed/);
    assert.deepEqual(await mails(), [
      'moved@new.example: Your email address on Portico',
      'moved@old.example: Your email address on Portico was changed',
    ]);
    assert.equal(await signsIn('moved@new.example', PASSWORD), 303);
    assert.deepEqual(await lastActs(1), [`olivia user.set_email ${id}`]);
  });

  test('can be removed again', async () => {
    const { id } = await person(portico, 'removed');
    await help(id, 'email', { email: 'removed@home.example', do: 'set' });

    await help(id, 'email', { do: 'remove' });

    assert.equal((await portico.identity.reads.findUser(id))?.email, undefined);
    assert.equal(await lastEvent(id), 'email_changed operator removed');
    assert.equal(await signsIn('removed@home.example', PASSWORD), 400);
  });

  test('is refused with the reason, and what was typed stays', async () => {
    const { id } = await person(portico, 'refused');
    const other = await person(portico, 'other');
    await help(other.id, 'email', { email: 'other@home.example', do: 'set' });

    for (const [email, reason] of [
      ['nobody', 'Enter an email address'],
      ['Other@home.example', 'Another account has this email address'],
    ] as const) {
      const answer = await help(id, 'email', { email, do: 'set' });
      const page = await answer.text();
      assert.equal(answer.status, 400);
      assert.match(page, new RegExp(reason));
      assert.match(page, new RegExp(`value="${email}"`));
    }
  });

  test('waits for no link: links that were mailed before stop working', async () => {
    const { id } = await person(portico, 'links');
    await help(id, 'email', { email: 'links@home.example', do: 'set' });
    const link = await linkFor(id);

    await help(id, 'email', { email: 'links@work.example', do: 'set' });

    await assert.rejects(choosePassword(link), /no form/);
  });
});

describe('a renamed member', () => {
  test('is told by mail and at the next sign-in, and can still sign in with the old name', async () => {
    const { id } = await person(portico, 'deadname');
    await help(id, 'email', { email: 'd@home.example', do: 'set' });
    await mails();

    await help(id, 'username', { username: 'newname' });

    assert.deepEqual(await mails(), ['d@home.example: Your username on Portico was changed']);
    const browser = new Browser(app.url);
    const answer = await browser.signIn('deadname', PASSWORD, '/drafts');
    assert.equal(answer.headers.get('location'), '/renamed?return_to=%2Fdrafts');
    const page = await browser.read(answer.headers.get('location') ?? '');
    assert.match(page, /changed your username, which was “deadname”/);
    assert.match(page, /<strong>newname<\/strong>/);
    assert.match(page, /href="\/drafts"/);
    const again = await new Browser(app.url).signIn('newname', PASSWORD, '/drafts');
    assert.equal(again.headers.get('location'), '/drafts');
    const settings = await browser.read('/settings/account');
    const download = await browser.submit(settings, '/settings/account/export');
    const { earlier_usernames: names } = (await download.json()) as { earlier_usernames: object[] };
    const renamedAt = new Date(app.clock.now).toISOString();
    assert.deepEqual(names, [{ username: 'deadname', renamed_at: renamedAt }]);
  });

  test('keeps the old name: nobody else can have it', async () => {
    const { id } = await person(portico, 'wanted');
    const rival = await person(portico, 'rival');
    await help(id, 'username', { username: 'famous' });

    const visitor = new Browser(app.url);
    const form = await visitor.read('/signup');
    const signUp = await visitor.submit(form, '/signup', { username: 'Wanted', password: NEW_PASSWORD });
    const renaming = await help(rival.id, 'username', { username: 'wanted' });

    assert.match(await signUp.text(), /This username is taken/);
    assert.match(await renaming.text(), /This username is taken/);
    assert.equal((await help(id, 'username', { username: 'wanted' })).status, 303);
    assert.equal((await visitor.open('/u/wanted')).status, 200);
    assert.equal((await visitor.open('/u/famous')).status, 404);
    const [event] = await portico.audit.reads.auditEvents({ limit: 1 });
    assert.deepEqual(event?.detail, { from: 'famous', to: 'wanted' });
  });

  test('gets no name that a new member couldn’t have', async () => {
    const { id } = await person(portico, 'plain');

    for (const username of ['x', 'a b', 'plain', 'olivia']) {
      const answer = await help(id, 'username', { username });
      assert.equal(answer.status, 400, username);
      assert.match(await answer.text(), new RegExp(`value="${username}"`));
    }
  });
});

test('An operator signs a member out everywhere', async () => {
  const lost = await member(app, 'lost-phone');
  const page = await operator.read(`/operator/members/${lost.id}/sign-out`);

  const answer = await operator.submit(page, `/operator/members/${lost.id}/sign-out`);

  assert.equal(answer.headers.get('location'), `/operator/members/${lost.id}?helped=signed_out`);
  assert.equal((await lost.browser.open('/settings/profile')).status, 303);
  assert.equal(await lastEvent(lost.id), 'session_ended undefined ended_by_operator');
  assert.deepEqual(await lastActs(1), [`olivia user.sign_out ${lost.id}`]);
});

test('An operator finds a member by the email address, and the members with a membership', async () => {
  const { id } = await person(portico, 'findable');
  await help(id, 'email', { email: 'findable@home.example', do: 'set' });
  await help(id, 'membership', { membership: 'never' });

  const byAddress = await operator.read('/operator/members?name=Findable%40home.example');
  const withMembership = await operator.read('/operator/members?filter=membership');

  const link = new RegExp(`/operator/members/${id}"`);
  assert.match(byAddress, link);
  assert.match(withMembership, link);
  assert.doesNotMatch(withMembership, /\/operator\/members\/1"/);
});
