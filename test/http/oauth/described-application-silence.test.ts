// A stranger who leads a browser to the authorization endpoint, with a document of their own, learns nothing from it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withdrawOwnConsent } from '../../../src/oauth/withdrawal.ts';
import { Browser } from '../../support/browser.ts';
import { applicationOf } from '../../support/documents.ts';
import { notebook } from '../../support/people.ts';
import { authorizationRequest, pkce, signInWith } from '../../support/relying-party.ts';
import { open, pathOf, textOf } from './described-fixture.ts';

const SILENT = { prompt: 'none' };

test('With prompt=none, an assistant that the member never allowed gets no answer, signed in or not', async (t) => {
  const { app, sites, alice } = await open(t);
  const application = applicationOf(sites.add());

  const visitor = await new Browser(app.url).open(pathOf(application, SILENT));
  const page = await alice.open(pathOf(application, SILENT));

  assert.match(visitor.headers.get('location') ?? '', /^\/login\?/);
  assert.deepEqual([page.status, page.headers.get('location')], [200, null]);
  assert.match(await textOf(page), /Let assistant\.example read from your account/);
});

test('An error of its request is shown to the member, and not sent to it', async (t) => {
  const { sites, alice } = await open(t);
  const application = applicationOf(sites.add());

  for (const wrong of [
    { response_type: 'token' },
    { code_challenge_method: 'plain', ...SILENT },
    { scope: 'x' },
  ]) {
    const page = await alice.open(pathOf(application, wrong));

    assert.deepEqual([page.status, page.headers.get('location')], [400, null]);
    const text = await textOf(page);
    assert.match(
      text,
      /assistant\.example could not be connected.*can’t answer.*(?:response_type|S256|scope)/,
    );
  }
});

test('Allowing it answers it, then it gets answers without a page, until the member takes the access back', async (t) => {
  const { app, sites, alice } = await open(t);
  const application = applicationOf(sites.add());
  await signInWith(app, application, 'alice');
  const silently = async (more: Record<string, string> = SILENT) =>
    (await alice.open(pathOf(application, more))).headers.get('location') ?? '';

  assert.match(await silently(), /^https:\/\/assistant\.example\/callback\?code=/);
  assert.match(await silently({ response_type: 'token' }), /error=unsupported_response_type/);

  const { reads } = app.portico.oauth;
  const client = await reads.findClient(application.id);
  const by = { kind: 'member', userId: 1, at: app.clock.now } as const;
  await withdrawOwnConsent(by, app.portico.oauth, client?.id ?? '');
  assert.equal(await silently(), '');
  assert.equal(await silently({ response_type: 'token' }), '');
});

test('A registered application gets its answer as the standards say', async (t) => {
  const { app, alice } = await open(t);
  const client = await notebook(app.portico);

  const path = `/oauth/authorize?${authorizationRequest(client, { ...SILENT, code_challenge: pkce().challenge, code_challenge_method: 'S256' })}`;
  assert.match((await alice.open(path)).headers.get('location') ?? '', /error=consent_required/);
});
