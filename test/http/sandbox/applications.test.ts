// What one developer's applications in the sandbox tell another, and strangers' applications.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { renewLooks } from '../../../src/oauth/client-looks.ts';
import { Browser } from '../../support/browser.ts';
import { answerConsent, authorizationRequest } from '../../support/relying-party.ts';
import { openSandbox, startSet } from '../../support/sandbox.ts';

const app = await openSandbox();
after(() => app.close());

describe('Two developers', () => {
  test('aren’t told of applications that look like each other’s', async () => {
    const [ada, ben] = [await startSet(app), await startSet(app)];
    for (const [{ browser, set }, name] of [
      [ada, 'Kolibri Vault'] as const,
      [ben, 'Ko1ibri Vault'] as const,
    ]) {
      const path = `/developers/apps/${set.clientId}/settings`;
      await browser.submit(await browser.read(path), path, { name });
    }
    while ((await renewLooks(app.portico.oauth)) > 0);
    const redirectUri = 'http://127.0.0.1:4000/callback';
    const own = { id: ada.set.clientId, secret: ada.set.clientSecret, redirectUri };
    await answerConsent(ada.browser, authorizationRequest(own));

    const client = { id: ben.set.clientId, secret: ben.set.clientSecret, redirectUri };
    const page = await ben.browser.read(`/oauth/authorize?${authorizationRequest(client)}`);

    assert.match(page, /Ko1ibri Vault/);
    assert.doesNotMatch(page, /Kolibri|looks like/);
  });

  test('can’t show each other, or strangers, the name of an application', async () => {
    const [ada, ben] = [await startSet(app), await startSet(app)];
    const [stranger, path] = [new Browser(app.url), `/developers/apps/${ada.set.clientId}`];
    const settings = await ada.browser.read(`${path}/settings`);
    await ada.browser.submit(settings, `${path}/settings`, { name: 'Cheap pills' });
    const redirectUri = 'http://127.0.0.1:4000/callback';
    const client = { id: ada.set.clientId, secret: ada.set.clientSecret, redirectUri };
    const request = `/oauth/authorize?${authorizationRequest(client)}`;
    const transfer = async (index: number, to = ben) => {
      const member = await app.portico.identity.reads.findUser(to.set.members[index]?.id ?? 0);
      const fields = { act: 'transfer', username: member?.username ?? '' };
      return ada.browser.submit(await ada.browser.read(`${path}/status`), `${path}/status`, fields);
    };

    assert.match(await ada.browser.read(request), /Cheap pills/);
    assert.doesNotMatch(await (await stranger.follow(request)).text(), /Cheap/);
    const shown = await ben.browser.open(request);
    assert.equal(shown.status, 404);
    assert.doesNotMatch(await shown.text(), /Cheap/);
    const [form, signOut] = [authorizationRequest(client), `/oauth/logout?client_id=${client.id}`];
    const posted = { method: 'POST', body: new URLSearchParams(form) };
    for (const answer of [
      await ben.browser.follow('/oauth/authorize', posted),
      await ben.browser.follow(signOut),
      await ben.browser.follow('/oauth/logout', {
        ...posted,
        body: new URLSearchParams({ client_id: client.id }),
      }),
    ]) {
      assert.equal(answer.status, 404);
      assert.doesNotMatch(await answer.text(), /Cheap/);
    }
    assert.match(await (await ada.browser.follow('/oauth/authorize', posted)).text(), /Cheap pills/);
    assert.match(await ada.browser.read(signOut), /Cheap pills/);
    assert.notEqual((await transfer(0)).status, 303);
    assert.doesNotMatch(await ben.browser.read('/developers/apps'), /Cheap/);
    assert.equal((await transfer(1, ada)).status, 303);
  });

  test('can’t make the server read the documents of applications that nobody registered', async () => {
    const { browser } = await startSet(app);
    const id = 'https://notes.example/client.json';
    const client = { id, secret: '', redirectUri: 'https://notes.example/callback' };

    const answer = await browser.open(`/oauth/authorize?${authorizationRequest(client)}`);

    assert.equal(answer.status, 400);
    assert.match(await answer.text(), /unknown|not registered|isn’t registered/i);
    const metadata = await (await fetch(`${app.url}/.well-known/oauth-authorization-server`)).text();
    assert.doesNotMatch(metadata, /client_id_metadata_document_supported/);
  });
});
