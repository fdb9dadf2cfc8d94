// The settings page for API tokens.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byServer } from '../../../src/audit/doer.ts';
import { DAY, HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { createPersonalToken } from '../../../src/oauth/personal-token.ts';
import { openApp } from '../../support/app.ts';
import { Browser, formIn } from '../../support/browser.ts';
import { json } from '../../support/json.ts';
import { PASSWORD, type Person, person } from '../../support/people.ts';

const PATH = '/settings/tokens';
const app = await openApp();
const { portico } = app;
after(() => app.close());
let members = 0;

/** Add a member for one test. */
async function member(): Promise<{ browser: Browser; user: Person }> {
  members += 1;
  const user = await person(portico, `alice${members}`);
  const browser = new Browser(app.url);
  await browser.signIn(user.username, PASSWORD);
  return { browser, user };
}

async function create(browser: Browser, fields: Record<string, string | string[]>): Promise<Response> {
  const page = await (await browser.open(PATH)).text();
  return browser.submit(page, PATH, fields);
}

function tokenIn(page: string): string {
  return /svcp_[0-9A-Za-z]{60}/.exec(page)?.[0] ?? '';
}

function meWith(token: string): Promise<Response> {
  return fetch(`${app.url}/api/open/v1/me`, { headers: { Authorization: `Bearer ${token}` } });
}

test('Reloading the page after creating a token does not create a second one', async () => {
  const { browser, user } = await member();
  const page = await (await browser.open(PATH)).text();
  const fields = { name: 'backup script', scope: ['profile:read'] };

  const first = await browser.submit(page, PATH, fields);
  const again = await browser.submit(page, PATH, fields);

  assert.equal(first.status, 200);
  assert.equal(again.status, 400);
  assert.match(await again.text(), /This form has already created a token/);
  assert.equal((await portico.oauth.reads.personalTokensOf(user.id)).length, 1);
});

test('A token needs a proof if the last one is more than ten minutes ago; what was typed is kept', async () => {
  const { browser, user } = await member();
  const fields = { name: 'backup script', scope: ['profile:read'] };
  app.clock.advance(10 * MINUTE);
  const soon = await create(browser, fields);
  app.clock.advance(1);

  const question = await create(browser, fields);
  const page = await question.text();
  const wrong = await browser.submit(page, PATH, { proof_password: 'wrong' });
  const right = await browser.submit(page, PATH, { proof_password: PASSWORD });
  const another = await create(browser, fields);

  assert.equal(soon.status, 200);
  assert.equal(question.status, 200);
  assert.match(page, /<h1>Confirm your identity</);
  assert.deepEqual([wrong.status, right.status, another.status], [400, 200, 200]);
  assert.match(await wrong.text(), /id="proof_password-problem">The password is incorrect/);
  assert.notEqual(tokenIn(await right.text()), '');
  const names = (await portico.oauth.reads.personalTokensOf(user.id)).map(({ name }) => name);
  assert.deepEqual(names, ['backup script', 'backup script', 'backup script']);
});

test('Ten wrong passwords are checked, then the page says when to come back', async () => {
  const { browser, user } = await member();
  app.clock.advance(HOUR);
  const page = await (await create(browser, { name: 'backup script', scope: ['profile:read'] })).text();
  for (let tried = 0; tried < 10; tried += 1) {
    await browser.submit(page, PATH, { proof_password: `wrong ${tried}` });
  }

  const answer = await browser.submit(page, PATH, { proof_password: PASSWORD });

  assert.equal(answer.status, 429);
  assert.equal(answer.headers.get('retry-after'), '900');
  assert.deepEqual(await portico.oauth.reads.personalTokensOf(user.id), []);
});

test('The form is read 20 times an hour, and then says when to come back', async () => {
  const { browser, user } = await member();
  for (let number = 0; number < 20; number += 1) {
    assert.equal((await create(browser, { name: 'x', scope: 'profile:read' })).status, 200);
  }

  const answer = await create(browser, { name: 'one more', scope: 'profile:read' });

  assert.equal(answer.status, 429);
  assert.equal(answer.headers.get('retry-after'), '3600');
  assert.match(await answer.text(), /You’ve sent this form many times already/);
  assert.equal((await portico.oauth.reads.personalTokensOf(user.id)).length, 20);
});

test('A member can’t choose the key of a token, nor find out whether another token has that key', async () => {
  const { browser, user } = await member();
  const page = await (await browser.open(PATH)).text();
  const once = new Map(formIn(page, PATH)).get('once') ?? '';
  const [key = '', seal] = once.split('.');
  const fields = { name: 'chosen', scope: ['profile:read'] };

  for (const chosen of ['z'.repeat(22), key, `${'z'.repeat(22)}.${seal}`, `${key}.`, `.${seal}`]) {
    const answer = await browser.submit(page, PATH, { ...fields, once: chosen });

    assert.equal(answer.status, 403, chosen);
    assert.match(await answer.text(), /This form is out of date/);
  }
  assert.deepEqual(await portico.oauth.reads.personalTokensOf(user.id), []);
});

test('A form that is sent eight times at once makes one token, and no response is a server error', async () => {
  const { browser, user } = await member();
  const page = await (await browser.open(PATH)).text();
  const fields = { name: 'backup script', scope: ['profile:read'] };

  const answers = await Promise.all(Array.from({ length: 8 }, () => browser.submit(page, PATH, fields)));

  const statuses = answers.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [200, ...Array(7).fill(400)]);
  assert.equal((await portico.oauth.reads.personalTokensOf(user.id)).length, 1);
});

test('A new token is shown once, with a command to try it, and works', async () => {
  const { browser } = await member();

  const answer = await create(browser, { name: 'backup script', scope: ['profile:read', 'posts:read'] });

  const page = await answer.text();
  const token = tokenIn(page);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  assert.ok(page.includes(`Authorization: Bearer ${token}&quot; ${app.url}/api/open/v1/me<`));
  const list = await (await browser.open(PATH)).text();
  assert.equal((await meWith(token)).status, 200);
  assert.ok(!list.includes(token));
  assert.ok(list.includes(`${token.slice(0, 9)}…${token.slice(-4)}`));
  assert.match(list, /backup script[\s\S]*profile:read[\s\S]*posts:read[\s\S]*Never[\s\S]*in 90 days/);
});

test('A token belongs to the signed-in member, whatever the form or the address says', async () => {
  const { browser, user } = await member();
  const other = await person(portico, 'mallory');
  const page = await (await browser.open(PATH)).text();
  const others = { user_id: String(other.id), userId: String(other.id), username: other.username };
  const form = new URLSearchParams([...formIn(page, PATH), ...Object.entries(others)]);
  form.set('name', 'mine');
  form.append('scope', 'profile:read');

  const answer = await browser.post(`${PATH}?${new URLSearchParams(others)}`, form);

  assert.equal((await json(await meWith(tokenIn(await answer.text())))).id, user.id);
  assert.deepEqual(await portico.oauth.reads.personalTokensOf(other.id), []);
});

const lifetimes: [string, Record<string, string>, number | undefined][] = [
  ['7 days', { expires: '7' }, 7],
  ['365 days', { expires: '365' }, 365],
  ['90 days by default', {}, 90],
  ['a custom number of days', { expires: 'custom', days: '45' }, 45],
  ['an unlimited time, after a tick', { expires: 'none', no_expiry: 'yes' }, undefined],
];

for (const [title, fields, days] of lifetimes) {
  test(`A token can be valid for ${title}`, async () => {
    const { browser, user } = await member();

    await create(browser, { name: 'script', scope: 'profile:read', ...fields });

    const [token] = await portico.oauth.reads.personalTokensOf(user.id);
    assert.equal(token?.expiresAt, days === undefined ? undefined : app.clock.now + days * DAY);
    assert.equal((await (await browser.open(PATH)).text()).includes('>Never expires<'), days === undefined);
  });
}

const mistakes: [string, Record<string, string | string[]>, string, RegExp][] = [
  ['no name', { name: ' ' }, 'name', /Enter a name of 1 to 60 characters/],
  ['no scope', { scope: [] }, 'scopes', /Tick at least one/],
  ['days that are not a number', { expires: 'custom', days: 'soon' }, 'days', /whole number of days/],
  ['too many days', { expires: 'custom', days: '3651' }, 'days', /whole number of days/],
  ['no days', { expires: 'custom', days: '' }, 'days', /whole number of days/],
  ['a lifetime that is not offered', { expires: 'x' }, 'days', /whole number of days/],
  ['no expiry date and no tick to confirm that', { expires: 'none' }, 'no_expiry', /Tick the box to confirm/],
];

for (const [title, fields, field, words] of mistakes) {
  test(`A form with ${title} creates nothing, names the problem and keeps the other fields`, async () => {
    const { browser, user } = await member();

    const answer = await create(browser, { name: 'kept name', scope: 'posts:read', ...fields });

    const page = await answer.text();
    assert.equal(answer.status, 400);
    assert.match(page, words);
    assert.ok(page.includes(`id="${field}-problem"`));
    assert.match(page, /role="alert"/);
    if (!('name' in fields)) assert.match(page, /value="kept name"/);
    if (!('scope' in fields)) assert.match(page, /value="posts:read" checked/);
    assert.equal(page.includes('value="profile:read" checked'), false);
    assert.deepEqual(await portico.oauth.reads.personalTokensOf(user.id), []);
  });
}

test('A member can have at most 50 tokens, and the page says so', async () => {
  const { browser, user } = await member();
  for (let number = 0; number < 50; number += 1) {
    await createPersonalToken(byServer(portico.clock), portico.oauth, {
      userId: user.id,
      name: 'x',
      scopes: ['profile:read'],
      days: 7,
    });
  }

  const answer = await create(browser, { name: 'one more', scope: 'profile:read' });

  assert.equal(answer.status, 400);
  assert.match(await answer.text(), /You already have 50 tokens/);
});

test('A link can fill in the form, but not tick the box for a token that never expires', async () => {
  const { browser } = await member();
  const query = 'name=Backup%20%26%20more&scopes=posts:read,unknown&expires=none&no_expiry=yes';

  const moved = await browser.open(`${PATH}/new?${query}`);
  const page = await (await browser.open(moved.headers.get('location') ?? '')).text();

  const fields = new Map(formIn(page, PATH));
  assert.equal(fields.get('name'), 'Backup & more');
  assert.equal(fields.get('scope'), 'posts:read');
  assert.equal(fields.get('expires'), 'none');
  assert.equal(fields.has('no_expiry'), false);
});

test('A lifetime in a link that is not in the list becomes a custom number of days', async () => {
  const { browser } = await member();

  const page = await (await browser.open(`${PATH}?expires=45`)).text();

  const fields = new Map(formIn(page, PATH));
  assert.equal(fields.get('expires'), 'custom');
  assert.equal(fields.get('days'), '45');
});

test('A token is revoked after a confirmation, and refused on the next request', async () => {
  const { browser, user } = await member();
  const text = tokenIn(await (await create(browser, { name: 'old', scope: 'profile:read' })).text());
  const [token] = await portico.oauth.reads.personalTokensOf(user.id);
  const path = `${PATH}/${token?.id}/revoke`;
  const question = await (await browser.open(path)).text();
  assert.match(question, /Revoke this token\?/);
  assert.equal((await meWith(text)).status, 200);

  const answer = await browser.submit(question, path);

  assert.equal(answer.status, 303);
  assert.equal((await meWith(text)).status, 401);
  const list = await (await browser.open(answer.headers.get('location') ?? '')).text();
  assert.match(list, /role="status">Token revoked/);
  assert.doesNotMatch(list, />\s*old\s*</);
});

test('A member can’t see or revoke another member’s token', async () => {
  const { browser, user } = await member();
  const text = tokenIn(await (await create(browser, { name: 'mine', scope: 'profile:read' })).text());
  const [token] = await portico.oauth.reads.personalTokensOf(user.id);
  const mallory = (await member()).browser;
  const formToken = new Map(formIn(await (await mallory.open(PATH)).text(), PATH)).get('form_token') ?? '';

  const page = await mallory.open(`${PATH}/${token?.id}/revoke`);
  const revoked = await mallory.post(
    `${PATH}/${token?.id}/revoke`,
    new URLSearchParams({ form_token: formToken }),
  );

  assert.equal(page.status, 404);
  assert.equal(revoked.status, 404);
  assert.equal((await meWith(text)).status, 200);
});
