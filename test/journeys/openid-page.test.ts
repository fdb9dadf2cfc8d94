// What the page for developers shows is taken from it and run, so that what is copied works and is safe.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type App, openApp } from '../support/app.ts';
import { temporaryFolder } from '../support/databases.ts';
import { forgedIdTokens } from '../support/forged-id-tokens.ts';
import { NONCE, openIdTokens } from '../support/openid.ts';
import { notebook, person, pocket, type RegisteredClient } from '../support/people.ts';
import { browserOf } from '../support/relying-party.ts';

type WhoSignedIn = (idToken: string, clientId: string, nonce: string) => Promise<string>;

const PAGE = readFileSync(new URL('../../docs/developers/openid.md', import.meta.url), 'utf8');

let app: App;
let client: RegisteredClient;
let idToken: string;

before(async () => {
  app = await openApp();
  await person(app.portico, 'bob');
  await person(app.portico, 'alice');
  client = await notebook(app.portico);
  idToken = (await openIdTokens(app, client, await browserOf(app, 'alice'))).id_token ?? '';
});
after(() => app.close());

test('The ten lines that verify an id_token say who signed in, and believe nothing else', async (t) => {
  const whoSignedIn = await functionOnThePage(join(await temporaryFolder(t), 'verify.mjs'));

  assert.equal(await whoSignedIn(idToken, client.id, NONCE), '2');
  await assert.rejects(whoSignedIn(idToken, client.id, 'another'));
  await assert.rejects(whoSignedIn(idToken, (await pocket(app.portico)).id, NONCE));
  for (const [name, forged] of await forgedIdTokens(app.portico, idToken)) {
    // What only this service could sign is not a forgery to whoever trusts its keys.
    if (/audiences|sub/.test(name)) continue;
    await assert.rejects(whoSignedIn(forged, client.id, NONCE), name);
  }
});

async function functionOnThePage(file: string): Promise<WhoSignedIn> {
  const code = /```js\n([\s\S]*?)```/.exec(PAGE)?.[1] ?? '';
  assert.ok(code.trim().split('\n').length <= 12);
  // In the reader's project the package is found by its name; the folder of this test has none.
  const here = code.replace("from 'jose'", `from '${import.meta.resolve('jose')}'`);
  writeFileSync(file, here.replaceAll('{{base_url}}', app.url));
  return (await import(file)).whoSignedIn;
}
