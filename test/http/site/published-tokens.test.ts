// A working token in what members publish is revoked and masked, and its owner and the author are told.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { mintToken } from '../../../src/oauth/token.ts';
import { openApp } from '../../support/app.ts';
import { type Member, member, notebook, publish } from '../../support/people.ts';
import { addPersonalToken, addSignIn } from '../../support/seeding.ts';
import { drawPicture } from './picture-form.ts';
import { addPicture, textIn } from './text-picture-form.ts';

// In memory: drafts and texts that only look like tokens stay as they are, and the search of databases would find them.
const app = await openApp({ DATABASE_URL: 'file::memory:' });
const { portico } = app;
after(() => app.close());
const [alice, bob] = [await member(app, 'alice'), await member(app, 'bob')];

const HIDDEN = /svcp_••••••••/;
const TOLD = /There was a working token of this site in your text/;

async function isHonoured(token: string): Promise<boolean> {
  const headers = { Authorization: `Bearer ${token}` };
  return (await fetch(`${app.url}/api/open/v1/`, { headers })).status === 200;
}

async function sourcesToldTo({ id }: Member): Promise<(string | undefined)[]> {
  const { reads } = portico.community;
  const notifications = await reads.notificationsOf(id, Number.MAX_SAFE_INTEGER, 50);
  return notifications.flatMap(({ about }) => (about.exposed === undefined ? [] : [about.exposed.source]));
}

async function write({ browser }: Member, fields: Record<string, string>): Promise<string> {
  const form = await browser.read('/write');
  const answer = await browser.submit(form, '/write', { title: 'On scripts', category: '1', ...fields });
  assert.equal(answer.status, 303, await answer.text());
  return answer.headers.get('location') ?? '';
}

test('A token in a post is revoked and masked, the author is told on the page, and the owner in a notification', async () => {
  const { text } = await addPersonalToken(portico, alice.id);

  const path = await write(bob, { body: `My script:\n\n    TOKEN=${text}\n`, action: 'publish' });
  const page = await bob.browser.read(path);
  const others = await alice.browser.read(path);

  assert.equal(await isHonoured(text), false);
  assert.match(page, TOLD);
  assert.doesNotMatch(others, TOLD);
  assert.match(others, HIDDEN);
  for (const shown of [page, others]) assert.ok(!shown.includes(text.slice(8)));
  assert.deepEqual(await sourcesToldTo(alice), ['post']);
  assert.deepEqual(await sourcesToldTo(bob), []);
  assert.match(
    await alice.browser.read('/notifications'),
    /Your API token “laptop” was found in a post on this site/,
  );
  const [event] = await portico.audit.reads.securityEvents({ userId: alice.id, limit: 1 });
  assert.deepEqual([event?.event, event?.detail], ['token_leaked', 'personal post']);
});

test('A token whose underscore is escaped, or in the description of a picture, is revoked and masked', async () => {
  const { text } = await addPersonalToken(portico, alice.id);
  const spelled = (underscore: string) => text.replace('_', underscore);
  const image = await drawPicture('#0a0', 90, 60);
  const draft = { title: 'On scripts', body: 'My script', category: '1', description: `It has ${text}` };
  const body = textIn(await (await addPicture(bob.browser, image, draft)).text());
  assert.ok(body.includes(spelled('\\_')));

  const path = await write(bob, {
    body: `${body}\n\n${spelled('&#95;')} ${spelled('&#x5F;')} ${spelled('&lowbar;')} ${text}`,
    action: 'publish',
    reminded: '1',
  });
  const page = await alice.browser.read(path);

  assert.equal(await isHonoured(text), false);
  assert.ok(!page.includes(text.slice(8)));
  assert.match(page, /alt="It has svcp_•{8}"/);
  assert.match(page, /<p>(?:svcp_•{8} ?){4}<\/p>/);
});

test('A token in a title is masked too', async () => {
  const { text } = await addPersonalToken(portico, alice.id);

  const path = await write(bob, { title: `x ${text}`, body: 'Words.', action: 'publish' });

  assert.equal(await isHonoured(text), false);
  assert.match(await alice.browser.read(path.replace(/\/[^/]*$/, '')), /./);
  const [post] = (await portico.community.reads.publishedPostsOf(bob.id, 0, 1)).items;
  assert.equal(post?.title, 'x svcp_••••••••');
});

test('A draft can have a token, which is revoked when the draft is published', async () => {
  const { text } = await addPersonalToken(portico, alice.id);
  const path = await write(alice, { body: `Mine: ${text}`, action: 'draft' });
  const draft = await alice.browser.read(path);
  assert.equal(await isHonoured(text), true);
  assert.ok(draft.includes(text));

  const answer = await alice.browser.submit(draft, `${path}/publish`);
  const post = await alice.browser.read(answer.headers.get('location') ?? '');

  assert.equal(answer.status, 303);
  assert.equal(await isHonoured(text), false);
  assert.match(post, HIDDEN);
  assert.match(post, TOLD);
  assert.ok(!post.includes(text.slice(8)));
});

test('A token that an edit adds to a published post is revoked and masked', async () => {
  const { text } = await addPersonalToken(portico, alice.id);
  const id = await publish(portico, bob, 'Plain');
  const form = await bob.browser.read(`/posts/${id}/edit`);

  await bob.browser.submit(form, `/posts/${id}/edit`, { body: `Now with ${text}.` });

  assert.equal(await isHonoured(text), false);
  assert.equal((await portico.community.reads.findPost(id))?.body, 'Now with svcp_••••••••.');
});

test('A token in a comment, and in an edit of it, is revoked and masked, and the author is told', async () => {
  const [first, second] = [
    await addPersonalToken(portico, alice.id),
    await addPersonalToken(portico, alice.id),
  ];
  const id = await publish(portico, alice, 'Ask me');
  const path = `/posts/${id}/comments`;
  const form = await bob.browser.read((await bob.browser.follow(`/posts/${id}`)).url.replace(app.url, ''));

  const answer = await bob.browser.submit(form, path, { body: `Try ${first.text}` });
  const comment = answer.headers.get('location') ?? '';
  const target = await bob.browser.follow(comment);
  const page = await target.text();
  const edit = await bob.browser.read(`${comment}/edit`);
  await bob.browser.submit(edit, `${comment}/edit`, { body: `Or ${second.text}` });

  assert.deepEqual([await isHonoured(first.text), await isHonoured(second.text)], [false, false]);
  assert.match(page, TOLD);
  assert.match(page, HIDDEN);
  const stored = await portico.community.reads.findComment(Number(comment.split('/').at(-1)));
  assert.equal(stored?.body, 'Or svcp_••••••••');
  assert.deepEqual((await sourcesToldTo(alice)).slice(0, 2), ['comment', 'comment']);
});

test('A token that its author added while a text waits for approval is revoked when it is approved', async () => {
  const operator = await member(app, 'olivia', { isOperator: true });
  const setApproval = async (approval: string) => {
    const form = await operator.browser.read('/operator/guests');
    await operator.browser.submit(form, '/operator/guests', { approval, textsToApprove: '1' });
  };
  await setApproval('newcomers');
  const nina = await member(app, 'nina');
  const { text } = await addPersonalToken(portico, nina.id);
  const path = await write(nina, { body: 'Words.', action: 'publish' });
  const edit = await nina.browser.read(`${path}/edit`);
  await nina.browser.submit(edit, `${path}/edit`, { body: `Now with ${text}.` });
  assert.equal(await isHonoured(text), true);

  const queue = await operator.browser.read('/operator/waiting');
  await operator.browser.submit(queue, '/operator/waiting', { decision: 'approve' });
  await setApproval('off');

  assert.equal(await isHonoured(text), false);
  assert.deepEqual(await sourcesToldTo(nina), ['post']);
  assert.match(await (await alice.browser.follow(path)).text(), /Now with/);
});

test('A token in a bio is revoked and masked, and the page tells the member', async () => {
  const { text } = await addPersonalToken(portico, bob.id);
  const form = await bob.browser.read('/settings/profile');

  const answer = await bob.browser.submit(form, '/settings/profile', { bio: `Ask ${text}` });

  assert.equal(await isHonoured(text), false);
  assert.match(await bob.browser.read(answer.headers.get('location') ?? ''), TOLD);
  assert.equal((await portico.identity.reads.findUser(bob.id))?.bio, 'Ask svcp_••••••••');
  assert.ok((await sourcesToldTo(bob)).includes('bio'));
});

test('Tokens and secrets of applications are masked as well; a secret goes on working', async () => {
  const client = await notebook(portico, { ownerId: alice.id });
  const { access, refresh } = await addSignIn(portico, client, alice.id);

  const id = await publish(portico, bob, 'A log', `${access} ${refresh} ${client.secret}`);

  assert.equal(
    (await portico.community.reads.findPost(id))?.body,
    'svco_•••••••• svcr_•••••••• svcs_••••••••',
  );
  assert.equal(await isHonoured(access), false);
});

test('Texts that only look like tokens stay as they are, and take no query unless their checksum is right', async () => {
  const { text } = await addPersonalToken(portico, alice.id);
  const body = [
    mintToken('personal', 'svc', app.clock.now).text,
    mintToken('personal', 'other', app.clock.now).text,
    `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`,
    `x${text}`,
    text.slice(0, -1),
    'svcp_',
  ].join(' ');

  const id = await publish(portico, bob, 'Examples', body);

  assert.equal((await portico.community.reads.findPost(id))?.body, body);
  assert.equal(await isHonoured(text), true);
});

test('Of a thousand tokens in a text twenty are looked at', async () => {
  const tokens = await Promise.all(Array.from({ length: 21 }, () => addPersonalToken(portico, bob.id)));

  await publish(portico, alice, 'Many', tokens.map(({ text }) => text).join('\n'));

  const honoured = await Promise.all(tokens.map(({ text }) => isHonoured(text)));
  assert.equal(honoured.filter(Boolean).length, 1);
});

test('After twenty tokens that were invented, a live one is masked all the same', async () => {
  const { text } = await addPersonalToken(portico, bob.id);
  const invented = Array.from({ length: 20 }, () => mintToken('personal', 'svc', app.clock.now).text);

  const id = await publish(portico, alice, 'Shielded', [...invented, `see ${text}.`].join('\n'));

  const body = (await portico.community.reads.findPost(id))?.body;
  assert.equal(body, [...invented, `see svcp_••••••••.`].join('\n'));
});
