// Members report posts and comments; operators remove or keep them.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { byMember } from '../../../src/audit/doer.ts';
import { DAY } from '../../../src/lib/clock.ts';
import { openApp } from '../../support/app.ts';
import { Browser, formTokenIn } from '../../support/browser.ts';
import { member, notebook, PASSWORD, publish } from '../../support/people.ts';

const app = await openApp();
const { portico } = app;
after(() => app.close());

const olivia = await member(app, 'olivia', { isOperator: true });
const operator = olivia.browser;
const alice = await member(app, 'alice');
const bob = await member(app, 'bob');

async function commentOn(postId: number, userId: number, body: string): Promise<number> {
  const by = byMember({ id: userId }, app.clock.read);
  const comment = { postId, replyTo: undefined, body, xp: 2, weight: 1 };
  const id = await portico.community.writes.addComment(by, comment);
  assert.ok(id !== undefined);
  return id;
}

async function reportIt(
  browser: Browser,
  subject: string,
  fields: Record<string, string>,
): Promise<Response> {
  return browser.submit(await browser.read(`/report?${subject}`), '/report', fields);
}

async function lastAct(): Promise<string | undefined> {
  const [event] = await portico.audit.reads.auditEvents({ limit: 1 });
  return event && `${event.actorName} ${event.action} ${event.subject.kind}:${event.subject.id}`;
}

describe('Reporting', () => {
  test('a post is reported with a reason and a note, which only the operators see', async () => {
    const post = await publish(portico, bob, 'Buy arches');

    const answer = await reportIt(alice.browser, `post=${post}`, {
      reason: 'spam',
      note: ' He sells <b>arches</b>. ',
    });

    assert.equal(answer.status, 303);
    assert.match(await alice.browser.read(answer.headers.get('location') ?? ''), /Thank you/);
    const queue = await operator.read('/operator/reports');
    assert.match(
      queue,
      /Buy arches[\s\S]*Advertising or spam[\s\S]*alice[\s\S]*He sells &lt;b&gt;arches&lt;\/b&gt;\./,
    );
    assert.match(await operator.read('/operator'), /Review 1 open report/);
    assert.deepEqual(await portico.community.reads.notificationsOf(bob.id, 1e9, 5), []);
    await operator.submit(queue, '/operator/reports', { decision: 'keep', post: String(post) });
  });

  test('the download of all data has the reports that its owner sent, of texts and of applications', async () => {
    const mallory = await member(app, 'mallory');
    const post = await publish(portico, bob, 'Buy more arches');
    await reportIt(mallory.browser, `post=${post}`, { reason: 'spam', note: 'Again' });
    const client = await notebook(portico);
    const by = byMember(mallory, app.clock.read);
    await portico.oauth.writes.addClientReport(by, { clientId: client.id, reason: 'misuse', note: '' }, 0);

    const settings = await mallory.browser.read('/settings/account');
    const download = await mallory.browser.submit(settings, '/settings/account/export');

    const data = (await download.json()) as Record<string, unknown>;
    const sentAt = new Date(app.clock.now).toISOString();
    const sent = { created_at: sentAt, note: 'Again', post_id: post, reason: 'spam', resolved_at: null };
    const [report, ...others] = data.reports as object[];
    assert.deepEqual(others, []);
    assert.deepEqual(report, { ...sent, id: (report as { id: number }).id, comment_id: null });
    assert.deepEqual(data.application_reports, [
      { client_id: client.id, reason: 'misuse', note: '', created_at: sentAt, closed_at: null },
    ]);
  });

  test('without a reason, or with a note that is too long, the form comes back with the text', async () => {
    const post = await publish(portico, bob, 'Arches');

    const answer = await reportIt(alice.browser, `post=${post}`, { reason: '', note: 'n'.repeat(1001) });

    const page = await answer.text();
    assert.equal(answer.status, 400);
    assert.match(page, /href="#reason"[\s\S]*href="#note"/);
    assert.ok(page.includes('n'.repeat(1001)));
  });

  test('the page about a comment shows its stored HTML, and renders nothing', async () => {
    const post = await publish(portico, bob, 'Arches');
    const comment = await commentOn(post, bob.id, 'Not this.');
    const rendering = { html: '<p>from the row</p>', htmlVersion: 1_000 };
    await portico.community.writes.storeHtml({ kind: 'comment', id: comment, body: 'Not this.' }, rendering);

    const page = await alice.browser.read(`/report?comment=${comment}`);

    assert.match(page, /<p>from the row<\/p>/);
    assert.doesNotMatch(page, /Not this\./);
  });

  test('missing posts, drafts and one’s own posts can’t be reported', async () => {
    const own = await publish(portico, alice, 'Mine');

    for (const subject of [`post=${own}`, 'post=999999', 'comment=999999', 'post=x', '']) {
      assert.equal((await alice.browser.open(`/report?${subject}`)).status, 404);
    }
    assert.equal((await new Browser(app.url).open(`/report?post=${own}`)).status, 303);
  });

  test('a member can make twenty reports a day', async () => {
    const carol = await member(app, 'carol');
    const post = await publish(portico, bob, 'Twenty');
    const answers = [];
    for (let n = 0; n < 21; n += 1) {
      answers.push(
        (await reportIt(carol.browser, `post=${post}`, { reason: 'other', note: 'again' })).status,
      );
    }
    app.clock.advance(DAY);
    await operator.signIn('olivia', PASSWORD);

    const nextDay = await reportIt(carol.browser, `post=${post}`, { reason: 'other' });

    assert.deepEqual([answers[19], answers[20], nextDay.status], [303, 429, 303]);
    assert.match(await operator.read('/operator/reports'), /Twenty[\s\S]*1 report</);
  });

  test('a removed comment is no longer shown, and its author is notified', async () => {
    const post = await publish(portico, alice, 'A quiet post');
    const comment = await commentOn(post, bob.id, 'You are *stupid*.');
    await reportIt(alice.browser, `comment=${comment}`, { reason: 'abuse' });
    const queue = await operator.read('/operator/reports');
    assert.match(queue, /You are \*stupid\*\./);

    const answer = await operator.submit(queue, '/operator/reports', {
      decision: 'remove',
      post: String(post),
      comment: String(comment),
    });

    assert.equal(answer.status, 303);
    assert.match(
      await operator.read(answer.headers.get('location') ?? ''),
      /Removed\. The author was notified/,
    );
    assert.ok(!(await alice.browser.read(`/posts/${post}`)).includes('stupid'));
    const [notification] = await portico.community.reads.notificationsOf(bob.id, 1e9, 5);
    assert.deepEqual([notification?.kind, notification?.commentId], ['removal', comment]);
    assert.equal(await lastAct(), `olivia comment.remove comment:${comment}`);
  });

  test('a reported post that its author removed stays removed after operators remove it', async () => {
    const post = await publish(portico, bob, 'Gone soon');
    await reportIt(alice.browser, `post=${post}`, { reason: 'illegal' });
    await portico.community.writes.removePost(byMember(bob, app.clock.read), post, 10);
    const queue = await operator.read('/operator/reports');
    assert.match(queue, /Already removed[\s\S]*Gone soon[\s\S]*can restore it unless you remove it too/);
    const own = await bob.browser.read('/posts/removed');
    assert.match(
      own,
      /Members reported this post\. You can restore it only if the operators decide to keep it/,
    );
    assert.ok(!own.includes(`/posts/${post}/restore`));
    const form = new URLSearchParams({
      form_token: /name="form_token" value="([^"]+)"/.exec(own)?.[1] ?? '',
    });
    const early = await bob.browser.post(`/posts/${post}/restore`, form);
    assert.equal(early.status, 409);
    assert.match(await early.text(), /role="alert">Members reported this post/);

    await operator.submit(queue, '/operator/reports', { decision: 'remove', post: String(post) });

    assert.ok(!(await operator.read('/operator/reports')).includes('Gone soon'));
    assert.equal(await lastAct(), `olivia post.remove post:${post}`);
    const answer = await bob.browser.post(`/posts/${post}/restore`, form);
    assert.equal(answer.status, 409);
    assert.match(await answer.text(), /role="alert">A moderator removed this post/);
    assert.equal((await alice.browser.open(`/posts/${post}`)).status, 404);
  });

  test('the author restores a reported post after the operators kept it', async () => {
    const post = await publish(portico, bob, 'Kept soon');
    await reportIt(alice.browser, `post=${post}`, { reason: 'other' });
    await portico.community.writes.removePost(byMember(bob, app.clock.read), post, 10);
    const queue = await operator.read('/operator/reports');

    await operator.submit(queue, '/operator/reports', { decision: 'keep', post: String(post) });
    const answer = await bob.browser.submit(
      await bob.browser.read('/posts/removed'),
      `/posts/${post}/restore`,
    );

    assert.equal(answer.status, 303);
    assert.equal((await alice.browser.open(answer.headers.get('location') ?? '')).status, 200);
  });
});

test('One form removes no more posts than the page shows', async () => {
  const posts: number[] = [];
  for (let number = 1; number <= 12; number += 1) posts.push(await publish(portico, bob, `Post ${number}`));
  const form = new URLSearchParams({ form_token: formTokenIn(await operator.read('/operator/reports')) });
  form.set('decision', 'remove');
  for (const id of posts) form.append('selected', String(id));

  await operator.post('/operator/reports', form);

  const found = await Promise.all(posts.map((id) => portico.community.reads.findPost(id)));
  assert.equal(found.filter((post) => post?.status === 'published').length, 2);
});
