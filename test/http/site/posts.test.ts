// Writing, editing, publishing and removing posts, and who can see them.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byOperator } from '../../../src/audit/doer.ts';
import { postPath } from '../../../src/http/pages/post-path.ts';
import { SITE_PAGES } from '../../../src/http/site/pages.ts';
import { openApp } from '../../support/app.ts';
import { Browser, formTokenIn } from '../../support/browser.ts';
import { browserOf, person, publish, setStatus } from '../../support/people.ts';

const app = await openApp();
const { portico } = app;
after(() => app.close());
const alice = await person(portico, 'alice');
const bob = await person(portico, 'bob');
const asAlice = await browserOf(app, 'alice');
const asBob = await browserOf(app, 'bob');

async function write(title: string, action: 'draft' | 'publish', body = 'Some words.'): Promise<string> {
  const page = await (await asBob.open('/write')).text();
  const answer = await asBob.submit(page, '/write', { title, body, action });
  assert.equal(answer.status, 303);
  // The address works with the id alone, too.
  return /^\/posts\/\d+/.exec(answer.headers.get('location') ?? '')?.[0] ?? '';
}

async function removeAsOperator(id: number): Promise<void> {
  const { reads, writes } = portico.community;
  const subject = await reads.findReportable({ postId: id });
  assert.ok(subject);
  const by = byOperator(alice, app.clock.read);
  assert.ok(await writes.removeContent(by, { subject, xp: 10, weight: 1 }));
}

async function statusFor(browser: Browser, path: string): Promise<number> {
  return (await browser.open(path)).status;
}

test('A published post is rendered for everyone', async () => {
  const path = await write('Kitchen binding', 'publish', '# Paste\r\n\r\nFlour and **water**.');

  const page = await (await new Browser(app.url).open(path)).text();

  assert.match(page, /<h1>Kitchen binding<\/h1>/);
  assert.match(
    page,
    /<h2 id="s-paste"><a class="anchor" href="#s-paste">Paste<\/a><\/h2>\s*<p>Flour and <strong>water<\/strong>\.<\/p>/,
  );
  assert.match(page, /<title>Kitchen binding &middot; /);
});

test('A draft is shown only to its author, with a notice', async () => {
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

  assert.equal(answer.headers.get('location'), `${path}/ready-now`);
  assert.equal(await statusFor(new Browser(app.url), path), 200);
});

test('A draft is edited and published in one step from its form', async () => {
  const path = await write('First title', 'draft');
  const page = await (await asBob.open(`${path}/edit`)).text();

  await asBob.submit(page, `${path}/edit`, { title: 'Second title', action: 'publish' });

  assert.match(await (await new Browser(app.url).open(path)).text(), /<h1>Second title<\/h1>/);
});

test('After a mistake the form keeps everything, even a line break at the beginning', async () => {
  const page = await (await asBob.open('/write')).text();
  const body = '\n\nBegins late & <b>bold</b>';

  const answer = await asBob.submit(page, '/write', { title: ' ', body, action: 'publish' });

  const again = await answer.text();
  assert.equal(answer.status, 400);
  assert.match(again, /id="title-problem">Enter a title/);
  assert.ok(again.includes('>\n\n\nBegins late &amp; &lt;b&gt;bold&lt;/b&gt;</textarea>'));
  assert.match(again, /name="title"[^>]*aria-describedby="title-problem" aria-invalid="true"/);
});

test('An edit with a mistake leaves the post as it was', async () => {
  const path = await write('Stays', 'publish');
  const page = await (await asBob.open(`${path}/edit`)).text();

  const answer = await asBob.submit(page, `${path}/edit`, { title: 'x'.repeat(121) });

  assert.equal(answer.status, 400);
  assert.match(await answer.text(), /at most 120 characters/);
  assert.match(await (await asBob.open(path)).text(), /<h1>Stays<\/h1>/);
});

test('A post is removed for everyone, after a confirmation', async () => {
  const path = await write('Short life', 'publish');
  const page = await (await asBob.open(`${path}/remove`)).text();
  assert.match(page, /Remove this post\?/);
  assert.equal(await statusFor(asBob, path), 200);

  const answer = await asBob.submit(page, `${path}/remove`);

  assert.equal(answer.headers.get('location'), '/posts/removed');
  assert.equal(await statusFor(asBob, path), 404);
});

test('A removed post can be restored by its author, for a time', async () => {
  const path = await write('Comes back', 'publish');
  await asBob.submit(await (await asBob.open(`${path}/remove`)).text(), `${path}/remove`);
  const page = await (await asBob.open('/posts/removed')).text();
  const others = await (await asAlice.open('/posts/removed')).text();
  assert.match(page, /Comes back[\s\S]*in 30 days/);
  assert.doesNotMatch(others, /Comes back/);
  const stolen = new URLSearchParams({ form_token: formTokenIn(others) });
  assert.equal((await asAlice.post(`${path}/restore`, stolen)).status, 404);

  const answer = await asBob.submit(page, `${path}/restore`);

  assert.equal(answer.headers.get('location'), `${path}/comes-back`);
  assert.equal(await statusFor(new Browser(app.url), path), 200);
  assert.equal((await asBob.submit(page, `${path}/restore`)).status, 404);
});

test('A post that an operator removed is shown to its author, who can’t restore it', async () => {
  const path = await write('Against the rules', 'publish');
  const id = Number(path.split('/').at(-1));
  await removeAsOperator(id);

  const page = await (await asBob.open('/posts/removed')).text();

  assert.match(page, /Against the rules[\s\S]*A moderator removed this post/);
  assert.ok(!page.includes(`action="${path}/restore"`));
  const form = new URLSearchParams({ form_token: formTokenIn(page) });
  assert.equal((await asBob.post(`${path}/restore`, form)).status, 409);
});

test('A post has one canonical address; its id alone works too, and any other title redirects there', async () => {
  const path = await write('拱门 & Arches: “Part 1”', 'publish');
  const canonical = `${path}/${encodeURIComponent('拱门-arches-part-1')}`;
  const visitor = new Browser(app.url);

  const byNumber = await visitor.open(path);
  const wrong = await visitor.open(`${path}/on-arches?comments=7`);
  const right = await visitor.open(canonical);

  for (const answer of [byNumber, right]) {
    assert.equal(answer.status, 200);
    assert.ok((await answer.text()).includes(`<link rel="canonical" href="${app.url}${canonical}">`));
  }
  assert.equal(wrong.status, 301);
  assert.equal(wrong.headers.get('location'), `${canonical}?comments=7`);
  assert.equal(wrong.headers.get('cache-control'), 'no-store');
  assert.ok((await (await visitor.open('/u/bob')).text()).includes(`href="${canonical}"`));
  assert.equal(await statusFor(visitor, '/posts/99999/nothing'), 404);
});

test('A title never gives a post the address of another page, such as /posts/7/edit', async () => {
  const pages = SITE_PAGES.map(({ path }) => /^\/posts\/:id[^/]*\/([a-z]+)(\/|$)/.exec(path)?.[1] ?? '');
  const slugs = new Set(pages.filter((name) => name !== ''));

  assert.ok(slugs.has('edit') && slugs.has('remove'));
  for (const title of slugs) assert.equal(postPath({ id: 7, title, status: 'published' }), '/posts/7', title);
  assert.equal(postPath({ id: 7, title: 'Edit me', status: 'published' }), '/posts/7/edit-me');
  assert.equal(postPath({ id: 7, title: '!?', status: 'published' }), '/posts/7');
  assert.equal(postPath({ id: 7, title: 'Not yet', status: 'draft' }), '/posts/7');
});

test('Only its author can edit, publish or remove a post', async () => {
  const published = await write('Not yours', 'publish');
  const draft = await write('Not yours either', 'draft');
  const ownPage = await (await asAlice.open('/write')).text();
  const form = {
    form_token: formTokenIn(ownPage),
    title: 'Taken over',
    body: 'Mine.',
    category: '1',
    action: 'publish',
  };

  for (const path of [published, draft]) {
    for (const verb of ['edit', 'publish', 'remove', 'restore', 'autosave']) {
      const answer = await asAlice.post(`${path}/${verb}`, new URLSearchParams(form));

      assert.equal(answer.status, 404, `${path}/${verb}`);
    }
    for (const verb of ['edit', 'remove']) assert.equal(await statusFor(asAlice, `${path}/${verb}`), 404);
  }
  assert.match(await (await asBob.open(published)).text(), /<h1>Not yours<\/h1>/);
  assert.match(await (await asBob.open(draft)).text(), /This is a draft/);
});

test('A visitor is sent to the login page, and comes back', async () => {
  const visitor = new Browser(app.url);

  for (const path of ['/write', '/drafts', '/posts/1/edit', '/posts/1/remove']) {
    const answer = await visitor.open(path);

    assert.equal(answer.status, 303);
    assert.equal(answer.headers.get('location'), `/login?return_to=${encodeURIComponent(path)}`);
  }
});

test('A member’s page has one address, shows picture and level, and lists the posts in pages', async () => {
  for (let number = 1; number <= 25; number += 1) await publish(portico, bob, `Note ${number}`);

  const otherCase = await new Browser(app.url).open('/u/BOB?page=2');
  const first = await (await new Browser(app.url).open('/u/bob')).text();
  const second = await (await new Browser(app.url).open('/u/bob?page=2')).text();

  assert.deepEqual([otherCase.status, otherCase.headers.get('cache-control')], [301, 'no-store']);
  assert.equal(otherCase.headers.get('location'), '/u/bob');
  assert.match(first, /src="\/avatars\/\d+\.svg"/);
  assert.match(first, /Level \d/);
  assert.match(first, /Note 25[\s\S]*Note 6</);
  assert.match(first, /rel="next" href="\/u\/bob\?page=2"/);
  assert.match(second, /Note 5<[\s\S]*rel="prev"|rel="prev"[\s\S]*Note 5</);
  assert.ok(!second.includes('>Note 6<'));
});

test('A closed account has no page', async () => {
  const carol = await person(portico, 'carol');
  await setStatus(portico.identity, carol.id, 'closed');

  assert.equal(await statusFor(new Browser(app.url), '/u/carol'), 404);
});

test('A generated avatar is different for each member, always the same, harmless, and usable on other sites', async () => {
  const answers = await Promise.all([1, 1, 2].map((id) => new Browser(app.url).open(`/avatars/${id}.svg`)));

  const [one, again, other] = await Promise.all(answers.map((answer) => answer.text()));
  assert.equal(one, again);
  assert.notEqual(one, other);
  assert.match(one ?? '', /^<svg [\s\S]*<path /);
  const headers = answers[0]?.headers;
  assert.equal(headers?.get('content-type'), 'image/svg+xml; charset=utf-8');
  assert.equal(headers?.get('cache-control'), 'public, max-age=86400');
  assert.equal(headers?.get('cross-origin-resource-policy'), 'cross-origin');
  assert.equal(
    headers?.get('content-security-policy'),
    "default-src 'none'; frame-ancestors 'none'; sandbox",
  );
  for (const path of ['/avatars/0.svg', '/avatars/x.svg', '/avatars/1']) {
    assert.equal(await statusFor(new Browser(app.url), path), 404);
  }
});
