// Authorizing a request: remembered consent, and the question to the member (contract §3).

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { DAY, HOUR } from '../../src/lib/clock.ts';
import { approve, authorize, denial } from '../../src/oauth/authorization.ts';
import type { Client } from '../../src/oauth/client-store.ts';
import { OAuthError } from '../../src/oauth/errors.ts';
import type { ScopeSet } from '../../src/oauth/scope.ts';
import {
  asSignedIn,
  assertRefused,
  authorizationRequestOf,
  consentOf,
  NEW_YEAR,
  type Parameters,
  type Person,
} from './provider.ts';
import { allow, closeFixture, openFixture, provider, redeem } from './token-fixture.ts';

const BOTH: ScopeSet = ['profile:read', 'posts:read'];

beforeEach(openFixture);
afterEach(closeFixture);

async function ask(client: Client, person: Person, changes: Parameters = {}) {
  return authorize(
    provider.server,
    asSignedIn(provider, person),
    await authorizationRequestOf(provider, client, changes),
  );
}

async function answer(client: Client, person: Person, ticked: ScopeSet, changes: Parameters = {}) {
  return approve(
    asSignedIn(provider, person),
    provider.server,
    await authorizationRequestOf(provider, client, changes),
    { ticked },
  );
}

describe('consent is remembered per member and application', () => {
  test('the first request asks for everything', async () => {
    assert.deepEqual(await ask(provider.notebook, provider.alice), {
      outcome: 'consent',
      question: { newScopes: ['profile:read', 'posts:read'], heldScopes: [] },
    });
  });

  test('asking stores nothing', async () => {
    await ask(provider.notebook, provider.alice);

    assert.equal(
      await provider.server.reads.findGrant(
        provider.alice.userId,
        provider.notebook.id,
        provider.server.clock(),
      ),
      undefined,
    );
  });

  test('allowed scopes are not asked again: a code is issued', async () => {
    await allow();

    const again = await ask(provider.notebook, provider.alice);

    assert(again.outcome === 'code');
    assert.deepEqual((await redeem(again.code)).scopes, ['profile:read', 'posts:read']);
  });

  test('179 days later it is still remembered', async () => {
    await allow();
    provider.advance(179 * DAY);

    assert.equal((await ask(provider.notebook, provider.alice)).outcome, 'code');
  });

  test('a request for fewer scopes than allowed is not asked about, and gets those', async () => {
    await allow();

    const again = await ask(provider.notebook, provider.alice, { scope: 'posts:read' });

    assert(again.outcome === 'code');
    assert.deepEqual((await redeem(again.code)).scopes, ['posts:read']);
    assert.deepEqual(await consentOf(provider, provider.alice, provider.notebook), [
      'profile:read',
      'posts:read',
    ]);
  });

  test('only new scopes are asked', async () => {
    await allow(provider.notebook, provider.alice, { changes: { scope: 'posts:read' } });

    assert.deepEqual(await ask(provider.notebook, provider.alice), {
      outcome: 'consent',
      question: { newScopes: ['profile:read'], heldScopes: ['posts:read'] },
    });
  });

  test('the consent of another member, or for another application, counts for nothing', async () => {
    await allow();

    assert.equal((await ask(provider.notebook, provider.bob)).outcome, 'consent');
    assert.equal((await ask(provider.pocket, provider.alice)).outcome, 'consent');
  });

  test('a public application with an https callback is remembered', async () => {
    await allow(provider.pocket);

    assert.equal((await ask(provider.pocket, provider.alice)).outcome, 'code');
  });

  for (const callback of [
    'http://127.0.0.1:4180/cb',
    'http://[::1]:4180/cb',
    'http://localhost:4180/cb',
    'https://localhost:4180/cb',
    'com.example.pocket:/cb',
  ]) {
    test(`a public application at ${callback} always asks: anyone on the device could pose as it`, async () => {
      const client = await provider.register({ name: 'Pocket', kind: 'public', redirectUris: [callback] });
      await allow(client);

      assert.deepEqual(await ask(client, provider.alice), {
        outcome: 'consent',
        question: { newScopes: [], heldScopes: ['profile:read', 'posts:read'] },
      });
      assert(!((await answer(client, provider.alice, BOTH)) instanceof OAuthError));
      assert.equal((await ask(client, provider.alice)).outcome, 'consent');
    });

    test(`a confidential application at ${callback} proves itself, and is remembered`, async () => {
      const client = await provider.register({ redirectUris: [callback] });
      await allow(client);

      assert.equal((await ask(client, provider.alice)).outcome, 'code');
    });
  }
});

describe('approving', () => {
  test('issues a code for the requested scopes, and remembers them', async () => {
    const response = await answer(provider.notebook, provider.alice, BOTH);

    assert(response !== undefined && !(response instanceof OAuthError));
    assert.match(response.code, /^svcc_[A-Za-z0-9]{60}$/);
    assert.deepEqual(await consentOf(provider, provider.alice, provider.notebook), [
      'profile:read',
      'posts:read',
    ]);
  });

  test('an unticked scope is not granted, and is asked the next time', async () => {
    const code = await allow(provider.notebook, provider.alice, { ticked: ['profile:read'] });

    assert.deepEqual((await redeem(code)).scopes, ['profile:read']);
    assert.deepEqual(await ask(provider.notebook, provider.alice), {
      outcome: 'consent',
      question: { newScopes: ['posts:read'], heldScopes: ['profile:read'] },
    });
  });

  test('nothing ticked is access_denied, and nothing is stored', async () => {
    const response = await answer(provider.notebook, provider.alice, []);

    assert(response instanceof OAuthError);
    assert.equal(response.code, 'access_denied');
    assert.equal(
      await provider.server.reads.findGrant(
        provider.alice.userId,
        provider.notebook.id,
        provider.server.clock(),
      ),
      undefined,
    );
  });

  test('ticking only scopes that were not requested counts as ticking nothing', async () => {
    const response = await answer(provider.notebook, provider.alice, ['posts:read'], {
      scope: 'profile:read',
    });

    assert(response instanceof OAuthError);
    assert.equal(response.code, 'access_denied');
    assert.equal(await consentOf(provider, provider.alice, provider.notebook), undefined);
  });

  test('ticking scopes for which the application is not registered grants none of them', async () => {
    const narrow = await provider.register({ name: 'Narrow', scopes: ['profile:read'] });

    const code = await allow(narrow, provider.alice, { ticked: BOTH });

    assert.deepEqual((await redeem(code, narrow)).scopes, ['profile:read']);
    assert.deepEqual(await consentOf(provider, provider.alice, narrow), ['profile:read']);
  });

  test('a new scope is added to the allowed ones', async () => {
    await allow(provider.notebook, provider.alice, { changes: { scope: 'posts:read' } });

    const code = await allow(provider.notebook, provider.alice, { ticked: ['profile:read'] });

    assert.deepEqual((await redeem(code)).scopes, ['profile:read', 'posts:read']);
    assert.deepEqual(await consentOf(provider, provider.alice, provider.notebook), [
      'profile:read',
      'posts:read',
    ]);
  });

  test('a new scope left unticked: a code for the scopes that were allowed before', async () => {
    await allow(provider.notebook, provider.alice, { changes: { scope: 'posts:read' } });

    const code = await allow(provider.notebook, provider.alice, { ticked: [] });

    assert.deepEqual((await redeem(code)).scopes, ['posts:read']);
    assert.deepEqual(await consentOf(provider, provider.alice, provider.notebook), ['posts:read']);
  });

  test('the code contains the time of the sign-in, and expires 5 minutes after its issue', async () => {
    const signedIn = { userId: provider.alice.userId, authenticatedAt: NEW_YEAR - 3 * HOUR };
    const changes = { scope: 'openid', nonce: 'n' };

    const code = await allow(provider.notebook, signedIn, { changes });

    const record = await provider.server.reads.findAuthorizationCode(code.slice(5, 27));
    assert.equal(record?.authenticatedAt, NEW_YEAR - 3 * HOUR);
    assert.equal(record?.expiresAt, NEW_YEAR + 300_000);
    assert.equal(record?.nonce, 'n');
    assert.equal(record?.redirectUri, 'https://notebook.example/oauth/callback');
  });

  test('denying is access_denied', async () => {
    await assertRefused(Promise.reject(denial()), 'access_denied');
  });
});
