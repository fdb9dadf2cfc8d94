// Writing, changing, publishing and removing posts, and who may see them.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openApp } from '../support/app.ts';
import { Browser } from '../support/browser.ts';
import { PASSWORD, person, publish } from '../support/people.ts';

const app = await openApp();
const { portico } = app;
after(() => app.close());
await person(portico, 'alice');
const bob = await person(portico, 'bob');
const asAlice = await signedIn('alice');
const asBob = await signedIn('bob');

async function signedIn(username: string): Promise<Browser> {
  const browser = new Browser(app.url);
  await browser.signIn(username, PASSWORD);
  return browser;
}

async function write(title: string, action: 'draft' | 'publish', body = 'Some words.'): Promise<string> {
  const page = await (await asBob.open('/write')).text();
  const answer = await asBob.submit(page, '/write', { title, body, action });
  assert.equal(answer.status, 303);
  return answer.headers.get('location') ?? '';
}

async function statusFor(browser: Browser, path: string): Promise<number> {
  return (await browser.open(path)).status;
}

test('A post that was published is rendered for everyone', async () => {
  const path = await write('Kitchen binding', 'publish', '# Paste\r\n\r\nFlour and **water**.');

  const page = await (await new Browser(app.url).open(path)).text();

  assert.match(page, /<h1>Kitchen binding<\/h1>/);
  assert.match(page, /<h2>Paste<\/h2>\s*<p>Flour and <strong>water<\/strong>\.<\/p>/);
  assert.match(page, /<title>Kitchen binding · /);
});

test('A draft is shown to its author, with a notice, and to nobody else', async () => {
  const path = await write('Half a thought', 'draft');

  const own = await (await asBob.open(path)).text();

  assert.match(own, /This is a draft/);
  assert.match(await (await asBob.open('/drafts')).text(), /Half a thought/);
  for (const other of [asAlice, new Browser(app.url)]) {
    assert.equal(await statusFor(other, path), 404);
    for (const list of ['/', '/u/bob']) {
      assert.ok(!(await (await other.open(list)).text()).includes('Half a thought'));
    }
  }
  assert.ok(!(await (await asAlice.open('/drafts')).text()).includes('Half a thought'));
});

test('A draft is published from its page', async () => {
  const path = await write('Ready now', 'draft');
  const page = await (await asBob.open(path)).text();

  const answer = await asBob.submit(page, `${path}/publish`);

  assert.equal(answer.headers.get('location'), path);
  assert.equal(await statusFor(new Browser(app.url), path), 200);
});

test('A draft is changed and published in one step from its form', async () => {
  const path = await write('First title', 'draft');
  const page = await (await asBob.open(`${path}/edit`)).text();

  await asBob.submit(page, `${path}/edit`, { title: 'Second title', action: 'publish' });

  assert.match(await (await new Browser(app.url).open(path)).text(), /<h1>Second title<\/h1>/);
});

test('A mistake keeps everything that was typed, also a line break at the very beginning', async () => {
  const page = await (await asBob.open('/write')).text();
  const body = '\n\nBegins late & <b>bold</b>';

  const answer = await asBob.submit(page, '/write', { title: ' ', body, action: 'publish' });

  const again = await answer.text();
  assert.equal(answer.status, 400);
  assert.match(again, /id="title-problem">The post needs a title/);
  assert.ok(again.includes('>\n\n\nBegins late &amp; &lt;b&gt;bold&lt;/b&gt;</textarea>'));
  assert.match(again, /name="title"[^>]*aria-describedby="title-problem" aria-invalid="true"/);
});

test('A mistake in a change keeps the post as it was', async () => {
  const path = await write('Stays', 'publish');
  const page = await (await asBob.open(`${path}/edit`)).text();

  const answer = await asBob.submit(page, `${path}/edit`, { title: 'x'.repeat(121) });

  assert.equal(answer.status, 400);
  assert.match(await answer.text(), /at most 120 characters/);
  assert.match(await (await asBob.open(path)).text(), /<h1>Stays<\/h1>/);
});

test('A post is removed after a question, for everyone', async () => {
  const path = await write('Short life', 'publish');
  const page = await (await asBob.open(`${path}/remove`)).text();
  assert.match(page, /Remove this post\?/);
  assert.equal(await statusFor(asBob, path), 200);

  const answer = await asBob.submit(page, `${path}/remove`);

  assert.equal(answer.headers.get('location'), '/u/bob');
  assert.equal(await statusFor(asBob, path), 404);
});

test('Nobody changes, publishes or removes what is not theirs', async () => {
  const published = await write('Not yours', 'publish');
  const draft = await write('Not yours either', 'draft');
  const ownPage = await (await asAlice.open('/write')).text();
  const token = /name="form_token" value="([^"]+)"/.exec(ownPage)?.[1] ?? '';
  const form = { form_token: token, title: 'Taken over', body: 'Mine.', category: '1', action: 'publish' };

  for (const path of [published, draft]) {
    for (const verb of ['edit', 'publish', 'remove']) {
      const answer = await asAlice.post(`${path}/${verb}`, new URLSearchParams(form));

      assert.equal(answer.status, 404, `${path}/${verb}`);
    }
    for (const verb of ['edit', 'remove']) assert.equal(await statusFor(asAlice, `${path}/${verb}`), 404);
  }
  assert.match(await (await asBob.open(published)).text(), /<h1>Not yours<\/h1>/);
  assert.match(await (await asBob.open(draft)).text(), /This is a draft/);
});

test('A visitor who is not signed in is sent to sign in, and comes back', async () => {
  const visitor = new Browser(app.url);

  for (const path of ['/write', '/drafts', '/posts/1/edit', '/posts/1/remove']) {
    const answer = await visitor.open(path);

    assert.equal(answer.status, 303);
    assert.equal(answer.headers.get('location'), `/login?return_to=${encodeURIComponent(path)}`);
  }
});

test('A member page has one address, shows who it is, and pages through the posts', async () => {
  for (let number = 1; number <= 25; number += 1) await publish(portico, bob, `Note ${number}`);

  const otherCase = await new Browser(app.url).open('/u/BOB?page=2');
  const first = await (await new Browser(app.url).open('/u/bob')).text();
  const second = await (await new Browser(app.url).open('/u/bob?page=2')).text();

  assert.equal(otherCase.status, 301);
  assert.equal(otherCase.headers.get('location'), '/u/bob');
  assert.match(first, /src="\/avatars\/\d+\.svg"/);
  assert.match(first, /Level \d/);
  assert.match(first, /Note 25[\s\S]*Note 6</);
  assert.match(first, /rel="next" href="\/u\/bob\?page=2"/);
  assert.match(second, /Note 5<[\s\S]*rel="prev"|rel="prev"[\s\S]*Note 5</);
  assert.ok(!second.includes('>Note 6<'));
});

test('A closed account has no page any more', async () => {
  const carol = await person(portico, 'carol');
  await portico.identity.store.setStatus(carol.id, 'closed');

  assert.equal(await statusFor(new Browser(app.url), '/u/carol'), 404);
});

test('An avatar is a picture of its own, the same every time, inert, and may be shown elsewhere', async () => {
  const answers = await Promise.all([1, 1, 2].map((id) => new Browser(app.url).open(`/avatars/${id}.svg`)));

  const [one, again, other] = await Promise.all(answers.map((answer) => answer.text()));
  assert.equal(one, again);
  assert.notEqual(one, other);
  assert.match(one ?? '', /^<svg [\s\S]*<path /);
  const headers = answers[0]?.headers;
  assert.equal(headers?.get('content-type'), 'image/svg+xml');
  assert.equal(headers?.get('cache-control'), 'public, max-age=86400');
  assert.equal(headers?.get('cross-origin-resource-policy'), 'cross-origin');
  assert.equal(headers?.get('content-security-policy'), "default-src 'none'; sandbox");
  for (const path of ['/avatars/0.svg', '/avatars/x.svg', '/avatars/1']) {
    assert.equal(await statusFor(new Browser(app.url), path), 404);
  }
});
