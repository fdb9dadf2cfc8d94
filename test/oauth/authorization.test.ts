// From a request and a member to an answer: remembered consent, and what is asked (contract §3).

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { DAY, HOUR } from '../../src/lib/clock.ts';
import { approve, authorize, denial } from '../../src/oauth/authorization.ts';
import type { Client } from '../../src/oauth/client.ts';
import { OAuthError } from '../../src/oauth/errors.ts';
import type { ScopeSet } from '../../src/oauth/scope.ts';
import {
  allow,
  askingOf,
  type House,
  isHonoured,
  NEW_YEAR,
  openHouse,
  type Parameters,
  type Person,
  redeem,
  refresh,
  refused,
  signIn,
} from './house.ts';

const BOTH: ScopeSet = ['profile:read', 'posts:read'];

let house: House;
beforeEach(async () => {
  house = await openHouse();
});
afterEach(() => house.close());

async function ask(client: Client, person: Person, changes: Parameters = {}) {
  return authorize(house.server, await askingOf(house, client, changes), person);
}

async function answer(client: Client, person: Person, ticked: ScopeSet, changes: Parameters = {}) {
  return approve(house.server, await askingOf(house, client, changes), person, ticked);
}

async function consentOf(person: Person, client: Client): Promise<ScopeSet | undefined> {
  const grant = await house.server.reads.findGrant(person.userId, client.id);
  return grant?.withdrawnAt === undefined ? grant?.scopes : undefined;
}

describe('consent is remembered per member and application', () => {
  test('at first everything is asked', async () => {
    assert.deepEqual(await ask(house.notebook, house.alice), {
      outcome: 'consent',
      question: { newScopes: ['profile:read', 'posts:read'], heldScopes: [] },
    });
  });

  test('asking stores nothing', async () => {
    await ask(house.notebook, house.alice);

    assert.equal(await house.server.reads.findGrant(house.alice.userId, house.notebook.id), undefined);
  });

  test('what was allowed is not asked again: a code is issued', async () => {
    await allow(house, house.notebook, house.alice);

    const again = await ask(house.notebook, house.alice);

    assert(again.outcome === 'code');
    assert.deepEqual((await redeem(house, house.notebook, again.code)).scopes, [
      'profile:read',
      'posts:read',
    ]);
  });

  test('a year later it is remembered still', async () => {
    await allow(house, house.notebook, house.alice);
    house.pass(400 * DAY);

    assert.equal((await ask(house.notebook, house.alice)).outcome, 'code');
  });

  test('a request for less than is allowed is not asked about, and gets what it asked for', async () => {
    await allow(house, house.notebook, house.alice);

    const again = await ask(house.notebook, house.alice, { scope: 'posts:read' });

    assert(again.outcome === 'code');
    assert.deepEqual((await redeem(house, house.notebook, again.code)).scopes, ['posts:read']);
    assert.deepEqual(await consentOf(house.alice, house.notebook), ['profile:read', 'posts:read']);
  });

  test('only what is new is asked', async () => {
    await allow(house, house.notebook, house.alice, { changes: { scope: 'posts:read' } });

    assert.deepEqual(await ask(house.notebook, house.alice), {
      outcome: 'consent',
      question: { newScopes: ['profile:read'], heldScopes: ['posts:read'] },
    });
  });

  test('the consent of another member, or for another application, counts for nothing', async () => {
    await allow(house, house.notebook, house.alice);

    assert.equal((await ask(house.notebook, house.bob)).outcome, 'consent');
    assert.equal((await ask(house.pocket, house.alice)).outcome, 'consent');
  });

  test('a public application with an https callback is remembered', async () => {
    await allow(house, house.pocket, house.alice);

    assert.equal((await ask(house.pocket, house.alice)).outcome, 'code');
  });

  for (const callback of [
    'http://127.0.0.1:4180/cb',
    'http://[::1]:4180/cb',
    'http://localhost:4180/cb',
    'https://localhost:4180/cb',
    'com.example.pocket:/cb',
  ]) {
    test(`a public application at ${callback} always asks: anyone on the device could pose as it`, async () => {
      const client = await house.register({ name: 'Pocket', kind: 'public', redirectUris: [callback] });
      await allow(house, client, house.alice);

      assert.deepEqual(await ask(client, house.alice), {
        outcome: 'consent',
        question: { newScopes: [], heldScopes: ['profile:read', 'posts:read'] },
      });
      assert(!((await answer(client, house.alice, BOTH)) instanceof OAuthError));
      assert.equal((await ask(client, house.alice)).outcome, 'consent');
    });

    test(`a confidential application at ${callback} proves itself, and is remembered`, async () => {
      const client = await house.register({ redirectUris: [callback] });
      await allow(house, client, house.alice);

      assert.equal((await ask(client, house.alice)).outcome, 'code');
    });
  }
});

describe('approving', () => {
  test('issues a code for what was asked, and remembers it', async () => {
    const answered = await answer(house.notebook, house.alice, BOTH);

    assert(!(answered instanceof OAuthError));
    assert.match(answered.code, /^svcc_[A-Za-z0-9]{60}$/);
    assert.deepEqual(await consentOf(house.alice, house.notebook), ['profile:read', 'posts:read']);
  });

  test('what is unticked is not granted, and is asked the next time', async () => {
    const code = await allow(house, house.notebook, house.alice, { ticked: ['profile:read'] });

    assert.deepEqual((await redeem(house, house.notebook, code)).scopes, ['profile:read']);
    assert.deepEqual(await ask(house.notebook, house.alice), {
      outcome: 'consent',
      question: { newScopes: ['posts:read'], heldScopes: ['profile:read'] },
    });
  });

  test('nothing ticked is access_denied, and nothing is stored', async () => {
    const answered = await answer(house.notebook, house.alice, []);

    assert(answered instanceof OAuthError);
    assert.equal(answered.code, 'access_denied');
    assert.equal(await house.server.reads.findGrant(house.alice.userId, house.notebook.id), undefined);
  });

  test('ticking what was not asked for is nothing ticked', async () => {
    const answered = await answer(house.notebook, house.alice, ['posts:read'], { scope: 'profile:read' });

    assert(answered instanceof OAuthError);
    assert.equal(answered.code, 'access_denied');
    assert.equal(await consentOf(house.alice, house.notebook), undefined);
  });

  test('ticking what the application is not registered for grants nothing of it', async () => {
    const narrow = await house.register({ name: 'Narrow', scopes: ['profile:read'] });

    const code = await allow(house, narrow, house.alice, { ticked: BOTH });

    assert.deepEqual((await redeem(house, narrow, code)).scopes, ['profile:read']);
    assert.deepEqual(await consentOf(house.alice, narrow), ['profile:read']);
  });

  test('a new scope is added to what was allowed before', async () => {
    await allow(house, house.notebook, house.alice, { changes: { scope: 'posts:read' } });

    const code = await allow(house, house.notebook, house.alice, { ticked: ['profile:read'] });

    assert.deepEqual((await redeem(house, house.notebook, code)).scopes, ['profile:read', 'posts:read']);
    assert.deepEqual(await consentOf(house.alice, house.notebook), ['profile:read', 'posts:read']);
  });

  test('a new scope left unticked: a code for what was allowed before', async () => {
    await allow(house, house.notebook, house.alice, { changes: { scope: 'posts:read' } });

    const code = await allow(house, house.notebook, house.alice, { ticked: [] });

    assert.deepEqual((await redeem(house, house.notebook, code)).scopes, ['posts:read']);
    assert.deepEqual(await consentOf(house.alice, house.notebook), ['posts:read']);
  });

  test('the code carries when the member signed in, and expires 5 minutes after its issue', async () => {
    const signedIn = { userId: house.alice.userId, authenticatedAt: NEW_YEAR - 3 * HOUR };

    const code = await allow(house, house.notebook, signedIn, { changes: { nonce: 'n' } });

    const record = await house.server.reads.findAuthorizationCode(code.slice(5, 27));
    assert.equal(record?.authenticatedAt, NEW_YEAR - 3 * HOUR);
    assert.equal(record?.expiresAt, NEW_YEAR + 300_000);
    assert.equal(record?.nonce, 'n');
    assert.equal(record?.redirectUri, 'https://notebook.example/oauth/callback');
  });

  test('saying no is access_denied', async () => {
    await refused(Promise.reject(denial()), 'access_denied');
  });
});

describe('withdrawing consent', () => {
  function withdraw(person: Person, client: Client): Promise<boolean> {
    return house.server.writes.withdrawGrant(person.userId, client.id, NEW_YEAR);
  }

  test('ends every sign-in and voids every code of that member for that application', async () => {
    const first = await signIn(house, house.notebook, house.alice);
    const second = await refresh(
      house,
      house.notebook,
      (await signIn(house, house.notebook, house.alice)).refreshToken,
    );
    const code = await allow(house, house.notebook, house.alice);

    assert.equal(await withdraw(house.alice, house.notebook), true);

    for (const tokens of [first, second]) {
      assert.equal(await isHonoured(house, tokens.accessToken), false);
      await refused(refresh(house, house.notebook, tokens.refreshToken), 'invalid_grant');
    }
    await refused(redeem(house, house.notebook, code), 'invalid_grant', /withdrawn/);
  });

  test('touches no other member and no other application', async () => {
    await signIn(house, house.notebook, house.alice);
    const ofBob = await signIn(house, house.notebook, house.bob);
    const ofPocket = await signIn(house, house.pocket, house.alice);
    const code = await allow(house, house.notebook, house.bob);

    await withdraw(house.alice, house.notebook);

    await assert.doesNotReject(refresh(house, house.notebook, ofBob.refreshToken));
    await assert.doesNotReject(refresh(house, house.pocket, ofPocket.refreshToken));
    await assert.doesNotReject(redeem(house, house.notebook, code));
    assert.equal((await ask(house.notebook, house.bob)).outcome, 'code');
  });

  test('everything is asked again', async () => {
    await allow(house, house.notebook, house.alice);

    await withdraw(house.alice, house.notebook);

    assert.deepEqual(await ask(house.notebook, house.alice), {
      outcome: 'consent',
      question: { newScopes: ['profile:read', 'posts:read'], heldScopes: [] },
    });
  });

  test('consent given later holds only what is ticked then, and revives nothing', async () => {
    const before = await signIn(house, house.notebook, house.alice);
    const unredeemed = await allow(house, house.notebook, house.alice);
    await withdraw(house.alice, house.notebook);

    const after = await redeem(
      house,
      house.notebook,
      await allow(house, house.notebook, house.alice, { ticked: ['posts:read'] }),
    );

    assert.deepEqual(after.scopes, ['posts:read']);
    assert.deepEqual(await consentOf(house.alice, house.notebook), ['posts:read']);
    assert.equal(await isHonoured(house, before.accessToken), false);
    await refused(refresh(house, house.notebook, before.refreshToken), 'invalid_grant');
    await refused(redeem(house, house.notebook, unredeemed), 'invalid_grant');
    assert.equal(await isHonoured(house, after.accessToken), true);
  });

  test('where there is nothing to withdraw, nothing happens', async () => {
    assert.equal(await withdraw(house.alice, house.notebook), false);
    await allow(house, house.notebook, house.alice);
    assert.equal(await withdraw(house.alice, house.notebook), true);
    assert.equal(await withdraw(house.alice, house.notebook), false);
  });

  test('between the question and the code: then the member is asked everything', async () => {
    await allow(house, house.notebook, house.alice);
    const findGrant = house.server.reads.findGrant;
    const store = {
      ...house.server.store,
      async findGrant(userId: number, clientId: string) {
        const grant = await findGrant(userId, clientId);
        await withdraw(house.alice, house.notebook);
        return grant;
      },
    };
    const request = await askingOf(house, house.notebook);

    const answered = await authorize({ ...house.server, store }, request, house.alice);

    assert.deepEqual(answered, {
      outcome: 'consent',
      question: { newScopes: ['profile:read', 'posts:read'], heldScopes: [] },
    });
  });
});
