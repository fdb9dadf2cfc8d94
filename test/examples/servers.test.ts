// The sample applications that are servers, from the first click to the end of their access.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, describe, test } from 'node:test';
import { byServer } from '../../src/audit/doer.ts';
import { withdrawConsent } from '../../src/oauth/withdrawal.ts';
import { openApp } from '../support/app.ts';
import { browserOf, notebook, person, publish } from '../support/people.ts';
import { answerConsent } from '../support/relying-party.ts';
import { freePort } from '../support/services.ts';
import { installedSample, startSample, untilListening } from './sample.ts';
import { Visitor } from './visitor.ts';

const python = process.env.TEST_PYTHON;

const SERVERS: [name: string, command: [string, string], skip: string | false][] = [
  ['server', [process.execPath, 'server.js'], false],
  ['node', [process.execPath, 'server.mjs'], false],
  [
    'python',
    [python ?? '', 'app.py'],
    python ? false : 'no Python with Flask and Authlib; run it with npm test',
  ],
];

const app = await openApp();
after(() => app.close());
const alice = await person(app.portico, 'alice');
await publish(app.portico, alice, 'On <walking>');

async function started(name: string, command: [string, string], isSkipped: boolean) {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const client = await notebook(app.portico, { redirectUris: [`${origin}/callback`] });
  if (isSkipped) return { origin, client };
  const folder = await installedSample({ after }, name);
  const settings = { ISSUER: app.url, CLIENT_ID: client.id, CLIENT_SECRET: client.secret, ORIGIN: origin };
  await untilListening(startSample({ after }, command, folder, settings), port);
  return { origin, client };
}

// All are started before the first test is named: when the tests named so far have ended, all servers are stopped.
const samples = [];
for (const [name, command, skip] of SERVERS) {
  samples.push({ name, skip, ...(await started(name, command, skip !== false)) });
}

for (const { name, skip, origin, client } of samples) {
  describe(`The sample ${name}`, { skip }, () => {
    async function signIn(
      visitor: Visitor,
      fields?: { decision: string; scope?: string[] },
    ): Promise<Response> {
      const request = new URL(await visitor.redirectFrom('/sign-in')).searchParams;
      const callback = await answerConsent(await browserOf(app, 'alice'), request, fields);
      return visitor.send(callback.href);
    }

    test('shows a member who denies why nothing happens', async () => {
      const answer = await signIn(new Visitor(origin), { decision: 'deny' });

      assert.equal(answer.status, 400);
      assert.match(await answer.text(), /role="alert">The member did not allow/);
    });

    test('signs a member in, shows the profile and the posts, and signs out', async () => {
      const visitor = new Visitor(origin);
      assert.match(await visitor.page(), /Sign in with the community/);
      assert.equal((await signIn(visitor)).status, 303);

      const page = await visitor.page();
      assert.match(page, new RegExp(`You are <strong>alice</strong>, member ${alice.id}`));
      assert.match(page, />On &(?:lt|#60);walking&(?:gt|#62);</);

      await visitor.send('/sign-out', 'POST');
      assert.match(await visitor.page(), /Sign in with the community/);
      const { reads } = app.portico.oauth;
      assert.deepEqual(await reads.signInsOf(alice.id, client.id, app.clock.now, 9), []);
    });

    test('accepts no answer to another sign-in', async () => {
      const visitor = new Visitor(origin);
      await visitor.redirectFrom('/sign-in');
      const forged = new URLSearchParams({ code: 'x', state: 'another', iss: app.url });

      assert.equal((await visitor.send(`/callback?${forged}`)).status, 400);
      assert.match(await visitor.page(), /Sign in with the community/);
    });

    test('goes on after a request for an address that is no URL', async () => {
      for (const target of ['//', '///x', '*', 'http://[']) await sendRaw(origin, `GET ${target} HTTP/1.1`);

      assert.match(await new Visitor(origin).page(), /Sign in with the community/);
    });

    test('keeps a member signed in when another site opens the page of the callback', async () => {
      const visitor = new Visitor(origin);
      await signIn(visitor);

      assert.equal((await visitor.send('/callback?code=x&state=another')).status, 400);
      assert.match(await visitor.page(), /You are <strong>alice/);
    });

    test('asks to sign in again when the member has removed its access', async () => {
      const visitor = new Visitor(origin);
      await signIn(visitor);
      await withdrawConsent(byServer(app.portico.clock), app.portico.oauth, alice.id, client.id);

      assert.match(await visitor.page(), /role="alert">[^<]*sign in again/);
      assert.doesNotMatch(await visitor.page(), /role="alert"/);
    });
  });
}

/** Send a request that `fetch` would not, and wait for the end of the connection. */
async function sendRaw(origin: string, line: string): Promise<void> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined).resume();
  socket.write(`${line}\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`);
  await once(socket, 'close');
}
