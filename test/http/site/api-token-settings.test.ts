// What a member sets for an API token and sees of it: a note, allowed addresses, the copy buttons, and the last use.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { COPY_SCRIPT } from '../../../src/http/static-files.ts';
import { DAY } from '../../../src/lib/clock.ts';
import { mintToken } from '../../../src/oauth/token.ts';
import { openApp } from '../../support/app.ts';
import { browserOf, member } from '../../support/people.ts';
import { untilTrue } from '../../support/program.ts';

const PATH = '/settings/tokens';
const app = await openApp({ TRUST_PROXY: '127.0.0.1' });
after(() => app.close());
let members = 0;

function newMember(language = 'en') {
  members += 1;
  return member(app, `alice${members}`, { language });
}

type Alice = Awaited<ReturnType<typeof newMember>>;

async function create({ browser }: Alice, fields: Record<string, string | string[]> = {}): Promise<string> {
  const answer = await browser.submit(await browser.read(PATH), PATH, {
    name: 'backup',
    scope: 'profile:read',
    ...fields,
  });
  const page = await answer.text();
  assert.equal(answer.status, 200, page);
  return page;
}

function tokenIn(page: string): string {
  return /svcp_[0-9A-Za-z]{60}/.exec(page)?.[0] ?? '';
}

function ask(token: string, from: string, userAgent = 'curl/8.5.0'): Promise<Response> {
  return fetch(`${app.url}/api/open/v1/me`, {
    headers: { Authorization: `Bearer ${token}`, 'X-Forwarded-For': from, 'User-Agent': userAgent },
  });
}

test('A member can write a note about a token, and sees it in the list', async () => {
  const alice = await newMember();

  await create(alice, { note: 'Runs on the NAS <b>every night</b>' });

  const list = await alice.browser.read(PATH);
  assert.match(list, /Runs on the NAS &lt;b&gt;every night&lt;\/b&gt;/);
});

test('The form says what each scope can and can’t read', async () => {
  const [english, chinese] = [await newMember(), await newMember('zh')];

  const page = await english.browser.read(PATH);
  const inChinese = await chinese.browser.read(PATH);

  assert.match(page, /Can read:<\/b> Nickname, avatar[\s\S]*Can’t read:<\/b> Your email, account status/);
  assert.match(page, /Can’t read:<\/b> Your drafts, or/);
  assert.match(inChinese, /不能读取：<\/b> 您的邮箱、账号状态/);
});

const ALLOWED = '192.0.2.7\n198.51.100.0/24 2001:db8:1:2:3::4, 2001:db8:ff::/48';
const CALLERS: [address: string, status: number][] = [
  ['192.0.2.7', 200],
  ['192.0.2.8', 401],
  ['198.51.100.200', 200],
  ['198.51.101.1', 401],
  // Providers assign whole /64 networks, so any address of one counts.
  ['2001:db8:1:2::99', 200],
  ['2001:db8:1:3::1', 401],
  ['2001:db8:ff:7::1', 200],
  ['::ffff:192.0.2.7', 200],
  // Only what the trusted proxy added counts.
  ['192.0.2.7, 203.0.113.9', 401],
];

test('A token with allowed addresses works from these alone', async () => {
  const token = tokenIn(await create(await newMember(), { addresses: ALLOWED }));

  for (const [address, status] of CALLERS) assert.equal((await ask(token, address)).status, status, address);
});

test('From another address the token is refused in the very words for an unknown one', async () => {
  const token = tokenIn(await create(await newMember(), { addresses: '192.0.2.7' }));
  const unknown = mintToken('personal', 'svc', app.clock.now).text;
  const refusal = async (text: string) => {
    const answer = await ask(text, '203.0.113.9');
    return [answer.status, answer.headers.get('www-authenticate'), await answer.text()];
  };

  const [foreign, none] = [await refusal(token), await refusal(unknown)];

  assert.deepEqual(foreign, none);
  assert.equal(foreign[0], 401);
  assert.match(String(foreign[2]), /The token is not known/);
});

test('The list tells the owner when the token was refused, and from which address', async () => {
  const alice = await newMember();
  const token = tokenIn(await create(alice, { addresses: '192.0.2.7' }));
  await ask(token, '203.0.113.9');
  const { audit, identity } = app.portico;
  const newest = async () => (await audit.reads.securityEvents({ userId: alice.id, limit: 1 }))[0];
  await untilTrue(async () => (await newest())?.detail === 'token_address');
  // However many other refusals followed.
  const other = { event: 'access_denied', detail: 'scope', userId: alice.id, address: '192.0.2.9' } as const;
  for (let count = 0; count < 150; count += 1)
    await identity.writes.recordEvent({ ...other, at: app.clock.now });

  const list = await alice.browser.read(PATH);

  assert.match(list, /Only from 192\.0\.2\.7/);
  assert.match(list, /Refused<\/span>[\s\S]*from 203\.0\.113\.9, which isn’t allowed/);
});

const TOO_MANY = Array.from({ length: 21 }, (_, number) => `10.0.0.${number}`).join(' ');

for (const addresses of ['everywhere', '192.0.2.300', '192.0.2.0/33', TOO_MANY]) {
  test(`Addresses that can’t be read are named, and nothing is lost: ${addresses.slice(0, 30)}`, async () => {
    const { browser } = await newMember();

    const answer = await browser.submit(await browser.read(PATH), PATH, {
      name: 'kept',
      scope: 'posts:read',
      addresses,
    });

    const page = await answer.text();
    assert.equal(answer.status, 400);
    assert.match(page, /id="addresses-problem">Enter at most 20 addresses/);
    assert.ok(page.includes(addresses));
    assert.match(page, /value="kept"/);
  });
}

test('A new token can be copied alone, as a line of a .env file, and in a command', async () => {
  const page = await create(await newMember());

  const token = tokenIn(page);
  assert.ok(page.includes(`<script src="${COPY_SCRIPT}" defer>`));
  assert.match(page, new RegExp(`id="new-token"[^>]*>${token}<`));
  assert.match(page, new RegExp(`id="env-line"[^>]*>SVC_TOKEN=${token}<`));
  assert.match(page, /id="curl-line"[^>]*>curl -H/);
  assert.equal([...page.matchAll(/<button type="button" hidden data-copy="/g)].length, 3);
  assert.equal((await fetch(app.url + COPY_SCRIPT)).status, 200);
});

test('The list shows the last use with its time, endpoint, program and network', async () => {
  const alice = await newMember();
  const page = await create(alice);
  const token = tokenIn(page);

  await ask(token, '192.0.2.77');

  // The server stores the use after its answer.
  await app.portico.oauth.writes.revokePersonalToken({ kind: 'server', at: 0 }, -1);
  const list = await alice.browser.read(PATH);
  assert.match(list, /just now[\s\S]*\/api\/open\/v1\/me<[\s\S]*curl<[\s\S]*192\.0\.2\.0\/24</);
  assert.doesNotMatch(list, /192\.0\.2\.77/);
});

test('The list counts the requests of 24 hours, and those that were too many', async () => {
  const alice = await newMember();
  const token = tokenIn(await create(alice));
  await ask(token, '192.0.2.7');
  app.clock.advance(2 * DAY);
  for (let request = 1; request <= 62; request += 1) await ask(token, '192.0.2.7');

  await app.portico.mergeDiary();
  const list = await (await browserOf(app, `alice${members}`)).read(PATH);

  assert.match(list, /62 requests in 24 hours/);
  assert.match(list, /2 times, too many requests/);
});

test('Answers to a token that expires say when', async () => {
  const alice = await newMember();
  const token = tokenIn(await create(alice, { expires: '7' }));
  const endless = tokenIn(await create(alice, { expires: 'none', no_expiry: 'yes' }));
  const url = `${app.url}/api/open/v1/me/posts`;

  const answer = await ask(token, '192.0.2.7');
  const refused = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });

  const end = new Date(app.clock.now + 7 * 86_400_000).toISOString();
  assert.equal(answer.headers.get('x-token-expires-at'), end);
  assert.deepEqual([refused.status, refused.headers.get('x-token-expires-at')], [403, end]);
  assert.equal((await ask(endless, '192.0.2.7')).headers.has('x-token-expires-at'), false);
});
