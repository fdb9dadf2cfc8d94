// Moderation where the post is: operators and moderators act on the page that they read.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byMember, byServer } from '../../../src/audit/doer.ts';
import { comment } from '../../../src/community/comment.ts';
import { openApp } from '../../support/app.ts';
import { Browser, formTokenIn } from '../../support/browser.ts';
import { type Member, member, PASSWORD, publish } from '../../support/people.ts';

const app = await openApp();
const { portico } = app;
after(() => app.close());

const olivia = await member(app, 'olivia', { isOperator: true });
const mona = await member(app, 'mona');
await portico.identity.writes.setRole(byServer(portico.clock), mona.id, 'moderator');
const alice = await member(app, 'alice');
const bob = await member(app, 'bob');

/** Open the page, press a button of the form with this action, and follow the redirect. */
async function press(browser: Browser, page: string, action: string, fields = {}): Promise<string> {
  const answer = await browser.submit(await browser.read(page), action, fields);
  assert.equal(answer.status, 303, action);
  return (await browser.follow(answer.headers.get('location') ?? '')).text();
}

async function commentOn(postId: number, author: Member, body: string): Promise<number> {
  const result = await comment(byMember(author, app.clock.read), portico.community, postId, body);
  assert.ok(result !== undefined && 'id' in result);
  return result.id;
}

test('An operator who sees spam removes it on the post’s page, and its author reads the reason', async () => {
  const post = await publish(portico, bob, 'Cheap pills');
  const page = await olivia.browser.read(`/posts/${post}`);
  assert.match(page, new RegExp(`href="/operator/posts/${post}/remove"`));

  const done = await press(
    olivia.browser,
    `/operator/posts/${post}/remove`,
    `/operator/posts/${post}/remove`,
    {
      reason: 'No <b>advertising</b>.',
    },
  );

  assert.match(done, /A moderator removed this post\.[\s\S]*Restore post/);
  assert.equal((await alice.browser.open(`/posts/${post}`)).status, 404);
  assert.match(
    await bob.browser.read('/notifications'),
    /A moderator removed your post “Cheap pills”[\s\S]*Reason: No &lt;b&gt;advertising&lt;\/b&gt;\./,
  );
  const form = new URLSearchParams({ form_token: formTokenIn(await bob.browser.read('/posts/removed')) });
  assert.equal((await bob.browser.post(`/posts/${post}/restore`, form)).status, 409);
});

test('A post that was removed by mistake is restored on its page, and its author is told', async () => {
  const post = await publish(portico, bob, 'A good post');
  await press(mona.browser, `/operator/posts/${post}/remove`, `/operator/posts/${post}/remove`);
  assert.match(await mona.browser.read('/operator/removed'), /A good post/);

  const done = await press(mona.browser, `/posts/${post}`, `/operator/posts/${post}/restore`);

  assert.match(done, /Post restored\. The author was told\./);
  assert.equal((await alice.browser.follow(`/posts/${post}`)).status, 200);
  assert.match(await bob.browser.read('/notifications'), /undid the removal of your post “A good post”/);
});

test('A reason that is too long is refused, and stays in the form', async () => {
  const post = await publish(portico, bob, 'Kept for now');
  const path = `/operator/posts/${post}/remove`;

  const answer = await mona.browser.submit(await mona.browser.read(path), path, { reason: 'r'.repeat(501) });

  const page = await answer.text();
  assert.equal(answer.status, 400);
  assert.match(page, /href="#reason">The reason can have at most 500 characters/);
  assert.ok(page.includes('r'.repeat(501)));
  assert.equal((await portico.community.reads.findPost(post))?.status, 'published');
});

test('A moderator removes a comment where it stands, and takes that back at once', async () => {
  const post = await publish(portico, bob, 'With comments');
  const id = await commentOn(post, alice, 'You are stupid.');
  assert.match(await mona.browser.read(`/posts/${post}`), new RegExp(`/operator/comments/${id}/remove`));
  assert.ok(!(await bob.browser.read(`/posts/${post}`)).includes('/operator/'));

  const path = `/operator/comments/${id}/remove`;
  const done = await press(mona.browser, path, path, { reason: 'Be kind.' });
  const hidden = await bob.browser.follow(`/posts/${post}`).then((answer) => answer.text());
  const answer = await mona.browser.submit(done, `/operator/comments/${id}/restore`);

  assert.match(done, /Comment removed\. The author was told\./);
  assert.ok(!hidden.includes('You are stupid.'));
  assert.equal(answer.headers.get('location'), `/comments/${id}`);
  assert.match(await (await bob.browser.follow(`/posts/${post}`)).text(), /You are stupid\./);
  assert.match(
    await alice.browser.read('/notifications'),
    /A moderator restored your comment on “With comments”/,
  );
});

test('What can’t be restored says why', async () => {
  const post = await publish(portico, bob, 'Never removed');
  const form = new URLSearchParams({
    form_token: formTokenIn(await mona.browser.read('/operator/categories')),
  });

  const answer = await mona.browser.post(`/operator/posts/${post}/restore`, form);

  assert.equal(answer.status, 409);
  assert.match(await answer.text(), /role="alert">This can’t be restored: it was restored already/);
});

test('A moderator locks a post, and a member who was writing a comment keeps its text', async () => {
  const post = await publish(portico, bob, 'A quarrel');
  const id = await commentOn(post, alice, 'No.');
  const open = await bob.browser.follow(`/posts/${post}`).then((answer) => answer.text());

  const done = await press(mona.browser, `/posts/${post}`, `/operator/posts/${post}/change`, {
    change: 'lock',
  });
  const answer = await bob.browser.submit(open, `/posts/${post}/comments`, { body: 'A long answer.' });
  const locked = await bob.browser.follow(`/posts/${post}`).then((page) => page.text());
  await press(mona.browser, `/posts/${post}`, `/operator/posts/${post}/change`, { change: 'unlock' });

  assert.match(done, /Comments locked\./);
  const page = await answer.text();
  assert.equal(answer.status, 400);
  assert.match(page, /Comments on this post were closed[\s\S]*A long answer\./);
  assert.match(locked, /Comments on this post are closed\./);
  assert.ok(!locked.includes(`/comments/${id}/reply`));
  assert.ok(await commentOn(post, bob, 'Peace.'));
});

test('A pinned post stays on top of the newest posts and of its category; three are pinned at most', async () => {
  const ids = [];
  for (const title of ['Rules', 'Second', 'Third', 'Fourth']) ids.push(await publish(portico, bob, title));
  const [rules = 0, second = 0, third = 0, fourth = 0] = ids;
  const change = (post: number, what: string) =>
    press(mona.browser, `/posts/${post}`, `/operator/posts/${post}/change`, { change: what });
  app.clock.advance(1000);
  await publish(portico, alice, 'Newest of all');

  const done = await change(rules, 'pin');
  const home = await bob.browser.read('/');
  const category = await bob.browser.read('/categories/general');
  await change(second, 'pin');
  await change(third, 'pin');
  const refused = await change(fourth, 'pin');
  await change(third, 'unpin');

  assert.match(done, /Post pinned\./);
  for (const page of [home, category]) {
    assert.match(page, /Rules<\/a>[\s\S]*Pinned<[\s\S]*Newest of all/);
    assert.equal([...page.matchAll(/>Rules<\/a>/g)].length, 1);
  }
  assert.match(refused, /role="alert">Not pinned: 3 posts are pinned already/);
  assert.match(await change(fourth, 'pin'), /Post pinned\./);
  for (const id of [rules, second, fourth]) await change(id, 'unpin');
});

test('A moderator moves a post to the right category', async () => {
  const craft = await portico.community.writes.ensureCategory(byServer(portico.clock), 'craft', 'Craft', 100);
  const post = await publish(portico, bob, 'On knitting');

  const done = await press(mona.browser, `/posts/${post}`, `/operator/posts/${post}/change`, {
    change: 'move',
    category: String(craft?.id),
  });

  assert.match(done, /Category changed\.[\s\S]*href="\/categories\/craft">Craft/);
});

test('A suspended author is shown the reason at sign-in, and is reactivated from the public page', async () => {
  const eve = await member(app, 'eve');
  const post = await publish(portico, eve, 'More pills');
  const path = `/operator/members/${eve.id}/suspend`;
  assert.match(await mona.browser.read(`/posts/${post}`), new RegExp(`href="${path}">Suspend author`));

  const done = await press(mona.browser, path, path, { reason: 'Advertising again.' });
  const refused = await new Browser(app.url).signIn('eve', PASSWORD);
  const wrong = await new Browser(app.url).signIn('eve', 'not her password');
  const back = `/operator/members/${eve.id}/reactivate`;
  await press(mona.browser, back, back);

  assert.match(done, /Suspended<[\s\S]*Reactivate account/);
  assert.equal(refused.status, 403);
  assert.match(await refused.text(), /This account is suspended\. The reason given: “Advertising again\.”/);
  assert.ok(!(await wrong.text()).includes('Advertising'));
  assert.equal((await new Browser(app.url).signIn('eve', PASSWORD)).status, 303);
});

test('A moderator opens the pages about content, and no page about applications, settings or members', async () => {
  const post = await publish(portico, bob, 'Content');
  const statuses = async (paths: string[]) =>
    Promise.all(paths.map(async (path) => (await mona.browser.open(path)).status));

  const content = await statuses([
    '/operator/reports',
    '/operator/removed',
    '/operator/categories',
    '/operator/tags',
    `/operator/posts/${post}/remove`,
    `/operator/members/${bob.id}/suspend`,
  ]);
  const others = await statuses([
    '/operator',
    '/operator/members',
    `/operator/members/${bob.id}`,
    `/operator/members/${bob.id}/close`,
    '/operator/applications',
    '/operator/invitations',
    '/operator/audit',
    '/operator/security',
  ]);
  const token = formTokenIn(await mona.browser.read('/operator/reports'));
  const form = new URLSearchParams({ form_token: token, role: 'operator' });
  const promoted = await mona.browser.post(`/operator/members/${mona.id}/role`, form);
  const path = `/operator/members/${olivia.id}/suspend`;
  const operatorSuspended = await mona.browser.submit(await mona.browser.read(path), path);

  assert.deepEqual(content, Array(6).fill(200));
  assert.deepEqual(others, Array(8).fill(404));
  assert.equal(promoted.status, 404);
  assert.equal(operatorSuspended.status, 409);
  assert.match(await operatorSuspended.text(), /Moderators can’t suspend operators or other moderators/);
  assert.match(await mona.browser.read('/'), /href="\/operator\/reports">Moderation/);
  assert.ok(!(await mona.browser.read('/operator/reports')).includes('/operator/audit'));
});

test('An operator makes a member a moderator on the member’s page, and takes the role back', async () => {
  const max = await member(app, 'max');
  const page = `/operator/members/${max.id}`;

  const done = await press(olivia.browser, page, `${page}/role`, { role: 'moderator' });
  const during = (await max.browser.open('/operator/reports')).status;
  await press(olivia.browser, page, `${page}/role`, { role: 'member' });

  assert.match(done, /Role saved\./);
  assert.deepEqual([during, (await max.browser.open('/operator/reports')).status], [200, 404]);
  const own = `/operator/members/${olivia.id}`;
  const last = await olivia.browser.submit(await olivia.browser.read(own), `${own}/role`, {
    role: 'moderator',
  });
  assert.equal(last.status, 409);
  assert.match(await last.text(), /This is the only operator/);
});

test('Moderators see the number of open reports on every page, and decide on several at once', async () => {
  const posts = [await publish(portico, bob, 'Spam one'), await publish(portico, bob, 'Spam two')];
  const kept = await commentOn(posts[0] ?? 0, bob, 'Not spam.');
  for (const subject of [...posts.map((id) => `post=${id}`), `comment=${kept}`]) {
    const page = await alice.browser.read(`/report?${subject}`);
    await alice.browser.submit(page, '/report', { reason: 'spam' });
  }
  assert.match(await mona.browser.read('/'), /class="unseen">3 open reports/);
  assert.match(await olivia.browser.read('/'), /class="unseen">3 open reports/);
  assert.ok(!(await alice.browser.read('/')).includes('open reports'));
  const queue = await mona.browser.read('/operator/reports');
  const token = formTokenIn(queue);

  const nothing = new URLSearchParams({ form_token: token, decision: 'remove' });
  const unticked = await mona.browser.post('/operator/reports', nothing);
  const both = new URLSearchParams({ form_token: token, decision: 'remove', reason: 'Spam.' });
  for (const id of posts) both.append('selected', String(id));
  assert.match(queue, new RegExp(`name="selected" value="${posts[0]}/${kept}" form="selection"`));
  const answer = await mona.browser.post('/operator/reports', both);

  assert.equal(unticked.headers.get('location'), '/operator/reports?done=nothing');
  assert.equal(answer.status, 303);
  for (const id of posts) assert.equal((await portico.community.reads.findPost(id))?.status, 'removed');
  assert.ok(!(await mona.browser.read('/')).includes('open reports'));
  assert.match(await bob.browser.read('/notifications'), /“Spam two”[\s\S]*Reason: Spam\./);
});

test('A moderator who locks and unlocks very often is asked to wait, and nothing changes', async () => {
  const post = await publish(portico, bob, 'On and off');
  const form = { form_token: formTokenIn(await mona.browser.read('/operator/categories')) };
  const press = async (change: string) => {
    const body = new URLSearchParams({ ...form, change });
    const answer = await mona.browser.post(`/operator/posts/${post}/change`, body);
    return answer.headers.get('location') ?? '';
  };

  let location = '';
  for (let count = 0; count <= 100 && !location.includes('too_fast'); count += 1) {
    location = await press(count % 2 === 0 ? 'lock' : 'unlock');
  }

  assert.match(location, /done=too_fast/);
  assert.match(
    await mona.browser.read(location),
    /role="alert">Not changed: you’ve changed very many posts this hour/,
  );
});
