// Important changes ask who sits at the browser, unless the member proved it within ten minutes.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { MINUTE } from '../../../src/lib/clock.ts';
import { openApp } from '../../support/app.ts';
import { Browser, formTokenIn } from '../../support/browser.ts';
import { codeAt, STEP, withApp } from '../../support/codes.ts';
import { member, PASSWORD, person } from '../../support/people.ts';
import { everyForm } from './every-form.ts';

const app = await openApp();
const { portico, clock } = app;
after(() => app.close());

const SECURITY = '/settings/security';

test('An operator’s act is kept while the page asks for the password, and goes on afterwards', async () => {
  const { browser } = await member(app, 'olivia', { isOperator: true });
  const { id } = await person(portico, 'nina');
  const path = `/operator/members/${id}/username`;
  const page = await browser.read(`/operator/members/${id}`);
  clock.advance(10 * MINUTE + 1);

  const question = await browser.submit(page, path, { username: 'nina_k' });
  const text = await question.text();
  const wrong = await browser.submit(text, path, { proof_password: 'wrong' });
  const done = await browser.submit(await wrong.text(), path, { proof_password: PASSWORD });

  assert.match(text, /Confirm your identity/);
  assert.equal(wrong.status, 400);
  assert.equal(done.status, 303);
  assert.equal((await portico.identity.reads.findUser(id))?.username, 'nina_k');
  // It counts for ten minutes, in this browser.
  clock.advance(10 * MINUTE);
  const next = await browser.submit(page, path, { username: 'nina' });
  assert.equal(next.status, 303);
});

test('A moderator’s act asks for a proof too', async () => {
  const moderator = await person(portico, 'milo');
  await portico.identity.writes.setRole({ kind: 'server', at: clock.now }, moderator.id, 'moderator');
  const browser = new Browser(app.url);
  await browser.signIn('milo', PASSWORD);
  const page = await browser.read('/operator/categories');
  clock.advance(10 * MINUTE + 1);

  const question = await browser.submit(page, '/operator/categories', { name: 'Crafts' });

  assert.match(await question.text(), /Confirm your identity/);
  assert.deepEqual(
    (await portico.community.reads.categories()).map(({ name }) => name),
    ['General'],
  );
});

test('A member with a second factor proves it with password and code, and types no password elsewhere', async () => {
  const user = await person(portico, 'otto');
  const { secret } = await withApp(portico.identity, user);
  clock.advance(STEP);
  const browser = new Browser(app.url);
  const page = await browser.read((await browser.signIn('otto', PASSWORD)).headers.get('location') ?? '');
  await browser.submit(page, '/login/verify', { code: codeAt(secret, clock.now) });
  const form = await browser.read(SECURITY);
  clock.advance(10 * MINUTE + 1);
  const path = `${SECURITY}/email`;

  const question = await browser.submit(form, path, { email: 'otto@home.example', do: 'change' });
  const text = await question.text();
  const [password, code] = [PASSWORD, codeAt(secret, clock.now)];
  const noCode = await browser.submit(text, path, { proof_password: password, proof_code: '000000' });
  const done = await browser.submit(await noCode.text(), path, {
    proof_password: password,
    proof_code: code,
  });

  assert.ok(!form.includes('name="email_password"'));
  assert.match(text, /name="proof_code"/);
  assert.equal(noCode.status, 400);
  assert.equal(done.headers.get('location'), `${SECURITY}?done=mailed`);
  assert.match(await browser.read(SECURITY), /otto@home\.example is not confirmed yet/);
});

test('A member with a second factor sees the form for a new password only after a proof', async () => {
  const user = await person(portico, 'petra');
  const { secret } = await withApp(portico.identity, user);
  clock.advance(STEP);
  const browser = new Browser(app.url);
  const page = await browser.read((await browser.signIn('petra', PASSWORD)).headers.get('location') ?? '');
  await browser.submit(page, '/login/verify', { code: codeAt(secret, clock.now) });
  clock.advance(10 * MINUTE + 1);

  const locked = await browser.read(SECURITY);
  const confirm = `${SECURITY}/confirm`;
  const question = await browser.read(`${confirm}?return_to=${encodeURIComponent(SECURITY)}`);
  const proof = { proof_password: PASSWORD, proof_code: codeAt(secret, clock.now) };
  const back = await browser.submit(question, confirm, proof);
  const path = `${SECURITY}/password`;
  const open = await browser.read(SECURITY);
  const changed = await browser.submit(open, path, { new_password: 'another walk, in the snow' });

  assert.ok(!locked.includes('name="new_password"'));
  assert.match(back.headers.get('location') ?? '', /^\/settings\/security\/confirm/);
  assert.equal((await browser.follow(back.headers.get('location') ?? '')).status, 200);
  assert.equal(changed.status, 303);
});

test('A proof in one browser does not count in another', async () => {
  const { browser, id } = await member(app, 'rosa');
  const other = new Browser(app.url);
  await other.signIn('rosa', PASSWORD);
  const path = '/settings/tokens';
  const fields = { name: 'script', scope: ['profile:read'] };
  const [page, otherPage] = [await browser.read(path), await other.read(path)];
  clock.advance(10 * MINUTE + 1);

  const question = await (await browser.submit(page, path, fields)).text();
  await browser.submit(question, path, { proof_password: PASSWORD });
  const refused = await other.submit(otherPage, path, fields);

  assert.match(await refused.text(), /Confirm your identity/);
  assert.equal((await portico.oauth.reads.personalTokensOf(id)).length, 1);
});

/** Sign in with password and code, more than ten minutes ago. */
async function signedInWithFactor(username: string): Promise<Browser> {
  const user = await person(portico, username);
  await portico.identity.writes.setRole({ kind: 'server', at: clock.now }, user.id, 'operator');
  const { secret } = await withApp(portico.identity, user);
  clock.advance(STEP);
  const browser = new Browser(app.url);
  const page = await browser.read((await browser.signIn(username, PASSWORD)).headers.get('location') ?? '');
  await browser.submit(page, '/login/verify', { code: codeAt(secret, clock.now) });
  clock.advance(10 * MINUTE + 1);
  return browser;
}

// Revoking, and taking access away, never waits for a proof.
const IMPORTANT = [
  /^\/operator\//,
  /^\/settings\/security\/(?:email$|password|app|recovery-codes|passkeys)/,
  /^\/settings\/account\/close/,
  /^\/settings\/tokens(?:\/\d+\/regenerate)?$/,
];

describe('This act asks for a proof first:', () => {
  const ids = { post: 1, draft: 1, gone: 1, others: 1, liked: 1, comment: 1, token: 1, member: 1 };
  const forms = everyForm({ ...ids, setupToken: '' }).filter(([path]) =>
    IMPORTANT.some((pattern) => pattern.test(path)),
  );

  test('forty forms, by their paths', () => assert.ok(forms.length >= 40));
  for (const [index, [path, fields]] of forms.entries()) {
    test(path, async () => {
      const browser = await signedInWithFactor(`tilda_${index}`);
      const pairs = Object.entries({
        ...fields,
        form_token: formTokenIn(await browser.read('/settings/profile')),
      });
      const body = path.endsWith('/logo') ? new FormData() : new URLSearchParams();
      for (const [name, value] of pairs) body.append(name, value);

      const answer = await browser.open(path, { method: 'POST', body });

      // A file can't be kept, so the page with the form follows the proof.
      const location = answer.headers.get('location');
      const question = location === null ? await answer.text() : await browser.read(location);
      assert.match(question, /Confirm your identity/);
    });
  }
});
