// Mails about answers to members, the weekly digest, and the links that end them.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { byMember, byServer } from '../../../src/audit/doer.ts';
import { type Commented, comment, removeComment, reply } from '../../../src/community/comment.ts';
import { follow } from '../../../src/community/following.ts';
import { likePost } from '../../../src/community/like.ts';
import { markRead, notificationsOf } from '../../../src/community/notification.ts';
import { setAccountStatus } from '../../../src/identity/account-status.ts';
import { DAY, HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { MARKDOWN_VERSION } from '../../../src/lib/markdown.ts';
import { Browser } from '../../support/browser.ts';
import { person, publish } from '../../support/people.ts';
import { openMailFixture, text } from './mail-fixture.ts';

const fixture = await openMailFixture({ after });
const { app, server, memberWithAddress } = fixture;
const { portico } = app;
const { community } = portico;

interface Author {
  id: number;
  username: string;
  browser: Browser;
}

async function newMember(username: string): Promise<Author> {
  const browser = await memberWithAddress(username);
  return { id: (await portico.identity.reads.findUserByName(username))?.id ?? 0, username, browser };
}

const by = (author: Author) => byMember(author, app.clock.read);

/** Send what is due. Returns the recipients, subjects and texts of the mails that can be ended. */
async function sent(): Promise<string[]> {
  while ((await portico.sendMails()) > 0);
  return server.mails
    .splice(0)
    .filter(({ source }) => /^List-Unsubscribe:/m.test(source))
    .map(({ to, subject, text }) => `${to}: ${subject}\n${text.replaceAll('.\u2060', '.')}`);
}

function idOf(outcome: Commented | undefined): number {
  return outcome !== undefined && 'id' in outcome ? Number(outcome.id) : 0;
}

let alice: Author;
let bob: Author;
let post: number;
let names = 0;

beforeEach(async () => {
  names += 1;
  alice = await newMember(`alice${names}`);
  bob = await newMember(`bob${names}`);
  post = await publish(portico, alice, 'On rye');
  await sent();
});

test('An author is mailed a comment ten minutes later, with its beginning and a link', async () => {
  const added = await comment(by(bob), community, post, 'That **smells** good. See https://evil.example/x');

  const early = await sent();
  app.clock.advance(10 * MINUTE);
  const [mail = '', ...others] = await sent();
  app.clock.advance(HOUR);
  const later = await sent();

  assert.deepEqual([early, others, later], [[], [], []]);
  assert.match(mail, new RegExp(`^alice${names}@home\\.example: An answer to you on Agora`));
  assert.match(mail, new RegExp(`bob${names} commented on your post “On rye”:\nThat smells good\\.`));
  assert.ok(mail.includes(`${app.url}/comments/${idOf(added)}\n`));
  assert.ok(!mail.includes('https://evil'), 'a link of another member is text');
});

test('The beginning in a mail is that of the stored HTML, or of HTML that is rendered and stored before', async () => {
  const stored = idOf(await comment(by(bob), community, post, 'Markdown of one.'));
  const lost = idOf(await comment(by(bob), community, post, '# Two\n\nMarkdown of *two*.'));
  const mentioning = await publish(portico, bob, 'On salt', `Salt for @${alice.username}, of the *post*.`);
  const { writes, reads } = community;
  const rendering = { html: '<h2>One</h2><p>HTML of one.</p>', htmlVersion: MARKDOWN_VERSION + 1 };
  await writes.storeHtml({ kind: 'comment', id: stored, body: 'Markdown of one.' }, rendering);
  await writes.editComment(by(bob), lost, { body: '# Two\n\nMarkdown of *two*.', mentioned: [] });
  app.clock.advance(10 * MINUTE);

  const mails = await sent();

  const mail = mails.find((one) => one.startsWith('alice')) ?? '';
  assert.match(mail, /\nHTML of one\.\n[\s\S]*\nMarkdown of two\.\n/);
  assert.match(mail, new RegExp(`\nSalt for @alice${names}, of the post\\.\n`));
  assert.ok(mentioning > 0);
  const texts = await reads.textsToRender(MARKDOWN_VERSION, 100);
  assert.ok(!texts.some(({ kind, id }) => kind === 'comment' && id === lost));
});

test('A mention that its author takes out again is in no mail, and a comment that mentions others doesn’t reach more', async () => {
  const carol = await newMember(`carol${names}`);
  const note = await publish(portico, bob, 'On salt', `Salt for @${alice.username} and @${carol.username}.`);
  const added = idOf(await comment(by(bob), community, note, `@${alice.username}, win a prize.`));
  const change = async (path: string, fields: Record<string, string>) => {
    const form = await bob.browser.read(`${path}/edit`);
    assert.equal((await bob.browser.submit(form, `${path}/edit`, fields)).status, 303);
  };

  await change(`/comments/${added}`, { body: `@${carol.username}, win a prize.` });
  await change(`/posts/${note}`, { body: `Salt for @${carol.username}.` });
  app.clock.advance(10 * MINUTE);
  const mails = await sent();

  assert.deepEqual(mails.map((mail) => mail.split('@')[0]).sort(), [`carol${names}`]);
  assert.match(mails[0] ?? '', /mentioned you in “On salt”:\n@carol\d+, win a prize/);
});

test('A reply is mailed to the author of the comment, in the language of their pages', async () => {
  await bob.browser.submit(await bob.browser.read('/'), '/language', { language: 'zh' });
  const first = idOf(await comment(by(bob), community, post, 'How long?'));
  await reply(by(alice), community, first, 'Two days.');
  app.clock.advance(10 * MINUTE);

  const mails = await sent();

  assert.match(
    mails.find((mail) => mail.startsWith('bob')) ?? '',
    /您在 Agora 收到 1 条回应[\s\S]*回复了您在《On rye》下的评论：\nTwo days\./,
  );
});

test('Answers of an hour come in one mail', async () => {
  const counts: number[] = [];
  for (let tens = 0; tens < 12; tens += 1) {
    await comment(by(bob), community, post, `Comment ${tens}.`);
    app.clock.advance(10 * MINUTE);
    counts.push((await sent()).length);
  }

  assert.deepEqual(counts, [1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]);
});

test('A mail about answers has the ten oldest, and says where the others are', async () => {
  for (let index = 0; index < 12; index += 1) await comment(by(bob), community, post, `Comment ${index}.`);
  app.clock.advance(10 * MINUTE);

  const [mail = ''] = await sent();

  assert.match(mail, /Answers to you on Agora\n[\s\S]*Comment 9\.\n[\s\S]*There are more/);
  assert.ok(!mail.includes('Comment 10.'));
});

test('Nothing is mailed that the member has read, that was removed, or that a suspended member wrote', async () => {
  await comment(by(bob), community, post, 'Read on the site.');
  const { items } = await notificationsOf(community, alice.id);
  await markRead(by(alice), community, items[0]?.id ?? 0);
  const second = idOf(await comment(by(bob), community, post, 'Removed again.'));
  await removeComment(by(bob), community, second);
  const mallory = await newMember(`mallory${names}`);
  await comment(by(mallory), community, post, 'Buy pills.');
  await setAccountStatus(byServer(portico.clock), portico.identity, mallory, 'suspended');
  app.clock.advance(10 * MINUTE);

  assert.deepEqual(
    (await sent()).filter((mail) => mail.startsWith('alice')),
    [],
  );
});

test('Likes are not mailed', async () => {
  await likePost(by(bob), community, post);
  app.clock.advance(HOUR);

  assert.deepEqual(await sent(), []);
});

test('Members who have never signed in here get no such mail', async () => {
  const quiet = await person(portico, `quiet${names}`);
  const theirs = await publish(portico, quiet, 'Imported');
  await comment(by(bob), community, theirs, 'Are you there?');
  app.clock.advance(HOUR);

  assert.deepEqual(await sent(), []);
});

test('A mail program ends mails about answers with one request, without a cookie, as often as it likes', async () => {
  await comment(by(bob), community, post, 'One.');
  app.clock.advance(10 * MINUTE);
  while ((await portico.sendMails()) > 0);
  const { source = '' } = server.mails.splice(0)[0] ?? {};
  const unfolded = source.replaceAll(/\r\n[ \t]/g, ' ');
  const [, link = ''] = /^List-Unsubscribe: <([^>]+)>/m.exec(unfolded) ?? [];
  assert.match(unfolded, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m);

  const form = new FormData();
  form.set('List-Unsubscribe', 'One-Click');
  const answers = [
    await fetch(link, { method: 'POST', body: new URLSearchParams('List-Unsubscribe=One-Click') }),
    await fetch(link, { method: 'POST', body: form, headers: { 'sec-fetch-site': 'cross-site' } }),
  ];

  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  );
  app.clock.advance(HOUR);
  await comment(by(bob), community, post, 'Two.');
  app.clock.advance(HOUR);
  assert.deepEqual(await sent(), []);
});

test('Opening the link of a mail changes nothing; its button ends the mails, also after a new password', async () => {
  await comment(by(bob), community, post, 'One.');
  app.clock.advance(10 * MINUTE);
  const [mail = ''] = await sent();
  const link = /https?:\S+\/unsubscribe\?token=\S+/.exec(mail)?.[0] ?? '';
  await fixture.askForReset(alice.username);
  const reset = await fixture.mailedLink();
  const browser = new Browser(app.url);
  await browser.submit(await text(browser.follow(reset)), '/reset-password', {
    password: 'another long walk',
    password_again: 'another long walk',
  });
  server.mails.length = 0;

  const visitor = new Browser(app.url);
  const page = await text(visitor.follow(link.replace(app.url, '')));
  await comment(by(bob), community, post, 'Two.');
  app.clock.advance(HOUR);
  const stillMailed = await sent();
  const answer = await visitor.submit(page, '/unsubscribe');
  await comment(by(bob), community, post, 'Three.');
  app.clock.advance(HOUR);

  assert.match(page, /Stop emails about answers to you\?/);
  assert.equal(stillMailed.length, 1);
  assert.match(await answer.text(), /You’ll get no more emails about answers/);
  assert.deepEqual(await sent(), []);
});

test('A wrong or expired link to end mails says so', async () => {
  const answer = await fetch(`${app.url}/unsubscribe?token=${'a'.repeat(60)}`, { method: 'POST' });

  assert.equal(answer.status, 403);
  assert.match(await answer.text(), /This link is not valid/);
});

test('The weekly digest is chosen in the settings, comes each week, and has popular posts by others', async () => {
  const browser = await memberWithAddress(`dora${names}`);
  await browser.submit(await browser.read('/settings/mails'), '/settings/mails', {
    answers: [],
    digest: 'yes',
  });
  const page = await browser.read('/settings/mails');
  const mails: string[][] = [];
  for (let days = 0; days < 14; days += 1) {
    app.clock.advance(DAY);
    if (days === 5 || days === 9) await publish(portico, bob, 'On arches');
    mails.push(await sent());
  }

  assert.deepEqual(
    mails.map(({ length }) => length),
    [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1],
  );
  assert.match(mails.flat()[0] ?? '', /This week on Agora[\s\S]*“On arches” by bob/);
  assert.match(page, /name="digest" value="yes" checked/);
  assert.doesNotMatch(page, /name="answers" value="yes" checked/);
});

test('A digest begins with posts by members whom the reader follows', async () => {
  const reader = await newMember(`flora${names}`);
  await reader.browser.submit(await reader.browser.read('/settings/mails'), '/settings/mails', {
    digest: 'yes',
  });
  await follow(by(reader), community, { memberId: bob.id });
  app.clock.advance(5 * DAY);
  await publish(portico, bob, 'Quietly written');
  const loud = await publish(portico, alice, 'Loud');
  await likePost(by(reader), community, loud);
  app.clock.advance(2 * DAY);

  const [mail = ''] = (await sent()).filter((one) => one.startsWith('flora'));

  assert.match(mail, /“Quietly written” by bob[\s\S]*“Loud” by alice/);
});

test('A week without posts has no digest, and a pause of the server brings one, not one for each week', async () => {
  const browser = await memberWithAddress(`erin${names}`);
  await browser.submit(await browser.read('/settings/mails'), '/settings/mails', {
    answers: [],
    digest: 'yes',
  });
  app.clock.advance(40 * DAY);
  const quiet = await sent();
  await publish(portico, bob, 'News');
  app.clock.advance(2 * DAY + HOUR);
  const next = (await sent()).filter((mail) => mail.startsWith('erin'));

  assert.deepEqual([quiet, next.length], [[], 1]);
});
