// The sample applications for the terminal. The member signs in with a browser, which comes back to the program.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openApp } from '../support/app.ts';
import { browserOf, person, pocket, publish } from '../support/people.ts';
import { untilTrue } from '../support/program.ts';
import { answerConsent } from '../support/relying-party.ts';
import { freePort } from '../support/services.ts';
import { installedSample, type RunningSample, startSample } from './sample.ts';

const app = await openApp();
after(() => app.close());
const alice = await person(app.portico, 'alice');
await publish(app.portico, alice, 'On walking');

/** Register a sample, and return the settings that it is started with. */
async function registered() {
  const port = await freePort();
  const callback = `http://127.0.0.1:${port}/callback`;
  const client = await pocket(app.portico, { redirectUris: [callback] });
  return { ISSUER: app.url, CLIENT_ID: client.id, CALLBACK: callback, PORT: String(port) };
}

async function answerInBrowser(sample: RunningSample, decision: string): Promise<string> {
  await untilTrue(() => /http\S+\n/.test(sample.output()));
  const [address = ''] = /http\S+(?=\n)/.exec(sample.output()) ?? [];
  const callback = await answerConsent(await browserOf(app, 'alice'), new URL(address).searchParams, {
    decision,
  });
  // A page that knows nothing of this sign-in can send the browser here too.
  await fetch(`${callback.origin}${callback.pathname}?code=x&state=another`);
  await fetch(`${callback.origin}//`);
  assert.notEqual((await fetch(`${callback.origin}/favicon.ico`)).headers.get('content-type'), 'text/html');
  return (await fetch(callback)).text();
}

test('The sample for the command line signs in once, lists the posts each time, and signs out', async (t) => {
  const settings = { ...(await registered()), TOKENS: await installedSample(t, 'command-line') };
  const run = (...words: string[]) =>
    startSample(t, [process.execPath, 'my-posts.js', ...words], settings.TOKENS, settings);
  const today = new Date(app.clock.now).toISOString().slice(0, 10);

  const first = run();
  assert.match(await answerInBrowser(first, 'allow'), /You can close this window/);
  assert.ok((await first.ended()).endsWith(`The posts of alice:\n${today}  On walking\n`));
  assert.equal(await run().ended(), `The posts of alice:\n${today}  On walking\n`);

  assert.equal(await run('sign-out').ended(), '');
  const afterwards = run();
  await answerInBrowser(afterwards, 'deny');
  assert.match(await afterwards.ended(), /The member did not allow .* See http.*access_denied\n$/);
});

const go = process.env.TEST_GO ?? '';

test('The sample in Go lists the posts, and says why it could not', {
  skip: go === '' ? 'no Go; run it with npm test' : false,
}, async (t) => {
  const settings = { ...(await registered()), GOFLAGS: '-mod=mod', GOPROXY: 'off' };
  const folder = await installedSample(t, 'go');
  const run = () => startSample(t, [go, 'run', '.'], folder, settings);

  const allowed = run();
  await answerInBrowser(allowed, 'allow');
  assert.match(await allowed.ended(), /The posts of alice:\n\d{4}-\d\d-\d\d {2}On walking\n$/);

  const denied = run();
  await answerInBrowser(denied, 'deny');
  assert.match(await denied.ended(), /\nThe member did not allow [^\n]+\nexit status 1\n$/);
});
