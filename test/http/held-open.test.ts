// Forms whose last bytes arrive, or whose text is rendered, only after the sender has lost the right to send them.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { byMember, byServer } from '../../src/audit/doer.ts';
import { comment } from '../../src/community/comment.ts';
import { BEGINNING } from '../../src/community/feed.ts';
import { startSession } from '../../src/identity/session.ts';
import { openApp } from '../support/app.ts';
import { Browser, formIn } from '../support/browser.ts';
import { type Person, person, publish, setStatus } from '../support/people.ts';

const START = { method: 'password', address: '192.0.2.7' } as const;

const app = await openApp();
after(() => app.close());
const { portico } = app;
const { writes } = portico.identity;

/** Send a form from a page without its last bytes. Returns a function that sends the rest and returns the response. */
async function begin(who: Person, path: string, action: string, fields: Record<string, string>) {
  const browser = new Browser(app.url);
  browser.setCookie('portico_session', await startSession(portico.identity, who.id, START));
  const page = await (await browser.open(path)).text();
  const form = new Map(formIn(page, action));
  const body = new URLSearchParams({ form_token: form.get('form_token') ?? '', ...fields }).toString();
  const { hostname, port, host } = new URL(app.url);
  const cookies = ['portico_session', 'portico_visitor'].map((name) => `${name}=${browser.cookie(name)}`);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(
    `POST ${action} HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookies.join('; ')}\r\n` +
      'Connection: close\r\nExpect: 100-continue\r\nContent-Type: application/x-www-form-urlencoded\r\n' +
      `Content-Length: ${body.length}\r\n\r\n` +
      body.slice(0, -3),
  );
  // The server has the request's head now. A second request gives it time to look up the sender.
  await once(socket, 'data');
  await fetch(`${app.url}/healthz`);
  return async () => {
    socket.write(body.slice(-3));
    return text(socket);
  };
}

test('An operator who is demoted before the whole form has arrived changes nothing', async () => {
  const [olivia, rogue] = [await person(portico, 'olivia'), await person(portico, 'rogue')];
  for (const { id } of [olivia, rogue]) await writes.setRole(byServer(portico.clock), id, 'operator');
  const finish = await begin(rogue, '/operator/categories', '/operator/categories', { name: 'Mine' });

  await writes.setRole(byServer(portico.clock), rogue.id, 'member');
  const answer = await finish();

  assert.match(answer, /^HTTP\/1.1 404 /);
  assert.deepEqual(
    (await portico.community.reads.categories()).map(({ name }) => name),
    ['General'],
  );
});

test('A member whose account is closed before the whole form has arrived publishes nothing', async () => {
  const [alice, bob] = [await person(portico, 'alice'), await person(portico, 'bob')];
  const post = await publish(portico, bob, 'On arches');
  const finishPost = await begin(alice, '/write', '/write', {
    title: 'Late',
    body: 'Too late.',
    category: '1',
    action: 'publish',
  });
  const finishComment = await begin(alice, `/posts/${post}`, `/posts/${post}/comments`, { body: 'Late.' });

  await setStatus(portico.identity, alice.id, 'closed');
  const answers = [await finishPost(), await finishComment()];

  for (const answer of answers) assert.doesNotMatch(answer, /\r\nlocation: \/posts/i);
  assert.deepEqual(
    (await portico.community.reads.newestPosts(5)).map(({ title, commentCount }) => [title, commentCount]),
    [['On arches', 0]],
  );
});

test('A member who is suspended while the text is rendered writes nothing, and gets the text back', async (t) => {
  const carol = await person(portico, 'carol');
  const post = await publish(portico, carol, 'On piers');
  const written = await comment(byMember(carol, app.clock.read), portico.community, post, 'Well said.');
  assert.ok(written !== undefined && 'id' in written);
  const { renderer } = portico.community;
  t.after(() => {
    portico.community.renderer = renderer;
  });
  portico.community.renderer = {
    ...renderer,
    async render(markdown, caller) {
      await setStatus(portico.identity, carol.id, 'suspended');
      return renderer.render(markdown, caller);
    },
  };
  const text = { title: 'Late', body: 'Too *late*.', category: '1' };

  const answers = [];
  for (const [path, form, action, fields] of [
    ['/write', '/write', '/write', { ...text, action: 'publish' }],
    ['/write', '/write', '/write', { ...text, action: 'draft' }],
    ['/write', '/write', '/write/autosave', text],
    [`/posts/${post}/edit`, `/posts/${post}/edit`, `/posts/${post}/edit`, text],
    [`/posts/${post}`, `/posts/${post}/comments`, `/posts/${post}/comments`, text],
    [`/comments/${written.id}/reply`, `/comments/${written.id}/reply`, `/comments/${written.id}/reply`, text],
    [`/comments/${written.id}/edit`, `/comments/${written.id}/edit`, `/comments/${written.id}/edit`, text],
  ] as const) {
    const browser = new Browser(app.url);
    browser.setCookie('portico_session', await startSession(portico.identity, carol.id, START));
    const page = await (await browser.follow(path)).text();
    const body = new URLSearchParams(formIn(page, form));
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    const answer = await browser.post(action, body);
    answers.push([answer.status, (await answer.text()).includes('Too *late*.')]);
    await setStatus(portico.identity, carol.id, 'active');
  }

  assert.deepEqual(
    answers,
    answers.map(() => [403, true]),
  );
  const [newest] = await portico.community.reads.newestPosts(1);
  assert.deepEqual([newest?.title, newest?.commentCount], ['On piers', 1]);
  assert.deepEqual(await portico.community.reads.draftsOf(carol.id, BEGINNING, 5), []);
});
