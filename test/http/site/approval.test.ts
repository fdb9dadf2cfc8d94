// The first posts and comments of new members wait for approval.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byServer } from '../../../src/audit/doer.ts';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { type Member, member, publish } from '../../support/people.ts';

const app = await openApp();
after(() => app.close());

const olivia = await member(app, 'olivia', { isOperator: true });
const mona = await member(app, 'mona');
await app.portico.identity.writes.setRole(byServer(app.portico.clock), mona.id, 'moderator');
const QUEUE = '/operator/waiting';

async function setApproval(approval: 'off' | 'newcomers', textsToApprove = '1'): Promise<void> {
  const page = await olivia.browser.read('/operator/guests');
  await olivia.browser.submit(page, '/operator/guests', { approval, textsToApprove });
}

async function write({ browser }: Member, title: string, body = 'Some words.'): Promise<string> {
  const answer = await browser.submit(await browser.read('/write'), '/write', {
    title,
    body,
    action: 'publish',
  });
  assert.equal(answer.status, 303);
  return answer.headers.get('location') ?? '';
}

// The queue has a form for each text; the oldest comes first.
async function decide(decision: 'approve' | 'refuse', reason = ''): Promise<Response> {
  const page = await olivia.browser.read(QUEUE);
  const field = /name="(reason-[a-z]+-\d+)"/.exec(page)?.[1] ?? '';
  return olivia.browser.submit(page, QUEUE, { decision, [field]: reason });
}

async function appearances(title: string): Promise<string[]> {
  const visitor = new Browser(app.url);
  const paths = [
    '/',
    '/popular',
    '/categories/general',
    '/feed.atom',
    '/categories/general/feed.atom',
    '/sitemap.xml',
  ];
  paths.push('/u/nina', '/u/nina/feed.atom', `/search?q=${title}`);
  const found = [];
  for (const path of paths) if ((await visitor.read(path)).includes(`>${title}<`)) found.push(path);
  return found;
}

await setApproval('newcomers');
const nina = await member(app, 'nina');

test('A new member’s first post waits: its author sees that, and nobody finds it until an operator approves it', async () => {
  const path = await write(nina, 'Arches');

  assert.match(path, /^\/posts\/\d+$/);
  assert.match(await nina.browser.read(path), /This post waits for approval/);
  assert.doesNotMatch(await nina.browser.read(path), /action="[^"]*\/publish"/);
  assert.match(await nina.browser.read('/drafts'), /Waits for approval/);
  assert.equal((await new Browser(app.url).open(path)).status, 404);
  assert.deepEqual(await appearances('Arches'), []);
  assert.match(await olivia.browser.read('/operator'), /Approve or return 1 waiting text/);

  const answer = await decide('approve');

  assert.equal(answer.headers.get('location'), `${QUEUE}?done=approved`);
  assert.equal((await new Browser(app.url).follow(path)).status, 200);
  for (const place of ['/', '/feed.atom', '/u/nina', '/search?q=Arches']) {
    assert.ok((await appearances('Arches')).includes(place), place);
  }
  assert.match(await nina.browser.read('/notifications'), /Your post “Arches” was approved and is published/);
  assert.match(await olivia.browser.read('/operator/audit'), /approved/);
});

test('Operators and moderators see at the top of every page that a text waits, as with reports', async () => {
  const badge =
    /<a class="icon" href="([^"]*)">\s*<svg[\s\S]*?aria-hidden="true">(\d+)<\/span>\s*<span class="unseen">(.*?)</;
  const newcomer = await member(app, 'yara');
  await write(newcomer, 'Porches');
  for (const { browser } of [olivia, mona]) {
    const [, ...shown] = badge.exec(await browser.read('/popular')) ?? [];
    assert.deepEqual(shown, [QUEUE, '1', '1 waiting for approval']);
  }
  assert.doesNotMatch(await newcomer.browser.read('/popular'), /waiting for approval/);

  const postId = await publish(app.portico, mona, 'Gates');
  const form = await newcomer.browser.read(`/report?post=${postId}`);
  await newcomer.browser.submit(form, '/report', { reason: 'spam' });
  const [, ...both] = badge.exec(await olivia.browser.read('/popular')) ?? [];
  assert.deepEqual(both, ['/operator/reports', '2', '1 open report, 1 waiting for approval']);

  await decide('refuse', 'Not here.');
  await olivia.browser.submit(await olivia.browser.read('/operator/reports'), '/operator/reports', {
    decision: 'keep',
  });
  assert.doesNotMatch(await olivia.browser.read('/popular'), /class="icon" href="\/operator/);
});

test('After the first approved post a member publishes at once', async () => {
  assert.match(await write(nina, 'Vaults'), /^\/posts\/\d+\/vaults$/);
});

test('A post that an operator returns is a draft again, with the reason, and can be sent again', async () => {
  const pete = await member(app, 'pete');
  const path = await write(pete, 'Buy now');
  assert.equal((await decide('refuse')).status, 400);

  await decide('refuse', 'This is an advertisement.');

  const page = await pete.browser.read(path);
  assert.match(page, /A moderator returned this post\.[\s\S]*This is an advertisement\./);
  const notifications = await pete.browser.read('/notifications');
  assert.match(
    notifications,
    /A moderator returned your post “Buy now” to your drafts[\s\S]*Reason: This is an advertisement\./,
  );
  assert.ok(notifications.includes(`href="${path}"`));
  await pete.browser.submit(page, `${path}/publish`);
  assert.match(await pete.browser.read(path), /This post waits for approval/);
  await decide('approve');
  assert.match(await pete.browser.read('/notifications'), /Your post “Buy now” was approved/);
});

test('A text that its author changes is not approved as the operator saw it before', async () => {
  const quinn = await member(app, 'quinn');
  const path = await write(quinn, 'Harmless');
  const before = await olivia.browser.read(QUEUE);
  app.clock.advance(1000);
  const form = await quinn.browser.read(`${path}/edit`);
  await quinn.browser.submit(form, `${path}/edit`, { title: 'Harmful', action: 'save' });

  const answer = await olivia.browser.submit(before, QUEUE, { decision: 'approve' });

  assert.equal(answer.headers.get('location'), `${QUEUE}?done=changed`);
  assert.equal((await new Browser(app.url).open(path)).status, 404);
  assert.match(await olivia.browser.read(QUEUE), /Harmful/);
  await decide('refuse', 'No.');
});

test('A new member’s first comment waits, is seen by its author only, and appears when it is approved', async () => {
  const rose = await member(app, 'rose');
  const postId = await publish(app.portico, olivia, 'Domes');
  const page = await (await rose.browser.follow(`/posts/${postId}`)).text();

  const sent = await rose.browser.submit(page, `/posts/${postId}/comments`, { body: 'First!' });

  assert.match(sent.headers.get('location') ?? '', /#waiting$/);
  const own = await (await rose.browser.follow(`/posts/${postId}`)).text();
  assert.match(own, /Your comment waits for approval[\s\S]*First!/);
  const others = await (await new Browser(app.url).follow(`/posts/${postId}`)).text();
  assert.doesNotMatch(others, /First!/);
  assert.match(others, /0 comments/);
  assert.doesNotMatch(await olivia.browser.read('/notifications'), /rose commented/);
  assert.match(await olivia.browser.read(QUEUE), /First!/);

  await decide('approve');

  const after = await (await new Browser(app.url).follow(`/posts/${postId}`)).text();
  assert.match(after, /1 comment[\s\S]*First!/);
  assert.match(await olivia.browser.read('/notifications'), /rose commented on “Domes”/);
  assert.match(await rose.browser.read('/notifications'), /Your comment on “Domes” was approved/);
});

test('The author of a comment that waits edits it, and an operator approves only what they have seen', async () => {
  const vera = await member(app, 'vera');
  const postId = await publish(app.portico, olivia, 'Bridges');
  const page = await (await vera.browser.follow(`/posts/${postId}`)).text();
  await vera.browser.submit(page, `/posts/${postId}/comments`, { body: 'Frist!' });
  const own = await (await vera.browser.follow(`/posts/${postId}`)).text();
  const [path = ''] = /\/comments\/\d+\/edit/.exec(own) ?? [];
  const seen = await olivia.browser.read(QUEUE);
  assert.equal((await nina.browser.open(path)).status, 404);

  const saved = await vera.browser.submit(await vera.browser.read(path), path, { body: 'First!' });

  assert.match(saved.headers.get('location') ?? '', /#waiting$/);
  assert.match(
    await (await vera.browser.follow(`/posts/${postId}`)).text(),
    /waits for approval[\s\S]*First!/,
  );
  const stale = await olivia.browser.submit(seen, QUEUE, { decision: 'approve' });
  assert.equal(stale.headers.get('location'), `${QUEUE}?done=changed`);
  await decide('approve');
  const published = await (await new Browser(app.url).follow(`/posts/${postId}`)).text();
  assert.match(published, /First!/);
  assert.doesNotMatch(published, /Frist|>edited /);
});

test('The author of a comment that waits withdraws it, and nobody has to decide on it', async () => {
  const walt = await member(app, 'walt');
  const postId = await publish(app.portico, olivia, 'Stairs');
  const page = await (await walt.browser.follow(`/posts/${postId}`)).text();
  await walt.browser.submit(page, `/posts/${postId}/comments`, { body: 'Never mind' });
  const own = await (await walt.browser.follow(`/posts/${postId}`)).text();
  const [path = ''] = /\/comments\/\d+\/remove/.exec(own) ?? [];
  const question = await walt.browser.read(path);
  assert.match(question, /Withdraw this comment\?[\s\S]*Never mind/);

  assert.equal((await walt.browser.submit(question, path)).status, 303);

  const after = await (await walt.browser.follow(`/posts/${postId}`)).text();
  assert.doesNotMatch(after, /Never mind|waits for approval/);
  assert.match(after, /0 comments/);
  assert.match(await olivia.browser.read(QUEUE), /Nothing waits for approval/);
  assert.equal((await walt.browser.open(path)).status, 404);
});

test('A new member has at most twenty waiting comments, and reads the newest ten on the post’s page', async () => {
  const wanda = await member(app, 'wanda');
  const postId = await publish(app.portico, olivia, 'Spires');
  const page = await (await wanda.browser.follow(`/posts/${postId}`)).text();
  const path = `/posts/${postId}/comments`;
  for (let number = 1; number <= 20; number += 1) {
    const sent = await wanda.browser.submit(page, path, { body: `Comment ${number}.` });
    assert.equal(sent.status, 303);
  }

  const refused = await wanda.browser.submit(page, path, { body: 'One more.' });

  assert.equal(refused.status, 400);
  assert.match(await refused.text(), /Many of your comments wait for approval\.[\s\S]*One more\./);
  const own = await (await wanda.browser.follow(`/posts/${postId}`)).text();
  assert.match(own, /More than 10 of your comments wait for approval/);
  assert.match(own, /Comment 11\.[\s\S]*Comment 20\./);
  assert.doesNotMatch(own, /Comment (?:1|10)\./);
  for (let number = 1; number <= 20; number += 1) await decide('refuse', 'No.');
});

test('A comment that an operator refuses is removed, and its author reads why', async () => {
  const sam = await member(app, 'sam');
  const postId = await publish(app.portico, olivia, 'Towers');
  const page = await (await sam.browser.follow(`/posts/${postId}`)).text();
  await sam.browser.submit(page, `/posts/${postId}/comments`, { body: 'Cheap watches' });

  await decide('refuse', 'An advertisement.');

  assert.doesNotMatch(await (await sam.browser.follow(`/posts/${postId}`)).text(), /Cheap watches/);
  assert.match(
    await sam.browser.read('/notifications'),
    /did not approve your comment on “Towers”[\s\S]*Reason: An advertisement\./,
  );
  assert.match(await olivia.browser.read(QUEUE), /Nothing waits for approval/);
});

test('A moderator decides too, sees no settings, and the audit log has the decision', async () => {
  const uma = await member(app, 'uma');
  await write(uma, 'Cloisters');

  const page = await mona.browser.read(QUEUE);
  assert.match(page, /href="\/u\/uma"/);
  assert.doesNotMatch(page, /\/operator\/(?:guests|members)/);
  const answer = await mona.browser.submit(page, QUEUE, { decision: 'approve' });

  assert.equal(answer.headers.get('location'), `${QUEUE}?done=approved`);
  assert.equal((await mona.browser.open('/operator/guests')).status, 404);
  assert.match(await uma.browser.read('/notifications'), /Your post “Cloisters” was approved/);
  const [entry] = await app.portico.audit.reads.auditEvents({ limit: 1 });
  assert.deepEqual([entry?.actorName, entry?.action], ['mona', 'post.approve']);
});

test('Operators and moderators never wait, and with approval off nobody does', async () => {
  assert.match(await write(olivia, 'Rules'), /\/rules$/);
  assert.match(await write(mona, 'Welcome'), /\/welcome$/);
  await setApproval('off');
  const tom = await member(app, 'tom');

  assert.match(await write(tom, 'Hello'), /\/hello$/);
});
