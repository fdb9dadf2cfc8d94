// The code on the developers' page is run, so that a copy of it works and is safe. Tested with one process, and with
// several that share the requests.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../support/databases.ts';
import { openDeployment, withoutDeployment } from '../support/deployments.ts';
import { forgedIdTokens } from '../support/forged-id-tokens.ts';
import { NONCE, openIdTokens } from '../support/openid.ts';
import { browserOf, notebook, person, pocket } from '../support/people.ts';
import type { Site } from '../support/relying-party.ts';

type WhoSignedIn = (idToken: string, clientId: string, nonce: string) => Promise<string>;

const PAGE = readFileSync(new URL('../../docs/developers/openid.md', import.meta.url), 'utf8');

for (const kind of ['sqlite', 'two workers', 'two machines'] as const) {
  test(`The ten lines that verify an id_token accept a genuine one and no other, on ${kind}`, {
    skip: withoutDeployment(kind),
  }, async (t) => {
    const app = await openDeployment(kind, t);
    await person(app.portico, 'bob');
    const { id } = await person(app.portico, 'alice');
    const client = await notebook(app.portico);
    const { id_token: idToken = '' } = await openIdTokens(app, client, await browserOf(app, 'alice'));
    const whoSignedIn = await functionOnThePage(app, join(await temporaryFolder(t), 'verify.mjs'));

    assert.equal(await whoSignedIn(idToken, client.id, NONCE), `${id}`);
    await assert.rejects(whoSignedIn(idToken, client.id, 'another'));
    await assert.rejects(whoSignedIn(idToken, (await pocket(app.portico)).id, NONCE));
    for (const [name, forged] of await forgedIdTokens(app.portico, idToken)) {
      // An application that trusts the service's keys can't reject what was signed with them.
      if (/audiences|sub|signed with our key/.test(name)) continue;
      await assert.rejects(whoSignedIn(forged, client.id, NONCE), name);
    }
  });
}

async function functionOnThePage(app: Site, file: string): Promise<WhoSignedIn> {
  const code = /```js\n([\s\S]*?)```/.exec(PAGE)?.[1] ?? '';
  assert.ok(code.trim().split('\n').length <= 12);
  // A developer's project has the package installed; the folder of this test doesn't.
  const here = code.replace("from 'jose'", `from '${import.meta.resolve('jose')}'`);
  writeFileSync(file, here.replaceAll('{{base_url}}', app.url));
  return (await import(file)).whoSignedIn;
}
