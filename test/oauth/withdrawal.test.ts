// Withdrawing consent ends every sign-in and voids every code (contract §3).

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { authorize } from '../../src/oauth/authorization.ts';
import type { Client } from '../../src/oauth/client-store.ts';
import { withdrawOwnConsent } from '../../src/oauth/withdrawal.ts';
import {
  asMember,
  asSignedIn,
  assertRefused,
  authorizationRequestOf,
  consentOf,
  type Parameters,
  type Person,
} from './provider.ts';
import {
  allow,
  closeFixture,
  isHonoured,
  openFixture,
  provider,
  redeem,
  refresh,
  signIn,
} from './token-fixture.ts';

beforeEach(openFixture);
afterEach(closeFixture);

async function ask(client: Client, person: Person, changes: Parameters = {}) {
  return authorize(
    provider.server,
    asSignedIn(provider, person),
    await authorizationRequestOf(provider, client, changes),
  );
}

describe('withdrawing consent', () => {
  function withdraw(person: Person, client: Client): Promise<boolean> {
    return withdrawOwnConsent(asMember(provider, person), provider.server, client.id);
  }

  test('ends every sign-in and voids every code of that member for that application', async () => {
    const first = await signIn();
    const second = await refresh((await signIn()).refreshToken);
    const code = await allow();

    assert.equal(await withdraw(provider.alice, provider.notebook), true);

    for (const tokens of [first, second]) {
      assert.equal(await isHonoured(tokens.accessToken), false);
      await assertRefused(refresh(tokens.refreshToken), 'invalid_grant');
    }
    await assertRefused(redeem(code), 'invalid_grant', /was revoked/);
  });

  test('touches no other member and no other application', async () => {
    await signIn();
    const ofBob = await signIn(provider.notebook, provider.bob);
    const ofPocket = await signIn(provider.pocket);
    const code = await allow(provider.notebook, provider.bob);

    await withdraw(provider.alice, provider.notebook);

    await assert.doesNotReject(refresh(ofBob.refreshToken));
    await assert.doesNotReject(refresh(ofPocket.refreshToken, provider.pocket));
    await assert.doesNotReject(redeem(code));
    assert.equal((await ask(provider.notebook, provider.bob)).outcome, 'code');
  });

  test('all scopes are asked again', async () => {
    await allow();

    await withdraw(provider.alice, provider.notebook);

    assert.deepEqual(await ask(provider.notebook, provider.alice), {
      outcome: 'consent',
      question: { newScopes: ['profile:read', 'posts:read'], heldScopes: [] },
    });
  });

  test('a later consent contains only the scopes ticked then, and revives nothing', async () => {
    const before = await signIn();
    const unredeemed = await allow();
    await withdraw(provider.alice, provider.notebook);

    const after = await redeem(await allow(provider.notebook, provider.alice, { ticked: ['posts:read'] }));

    assert.deepEqual(after.scopes, ['posts:read']);
    assert.deepEqual(await consentOf(provider, provider.alice, provider.notebook), ['posts:read']);
    assert.equal(await isHonoured(before.accessToken), false);
    await assertRefused(refresh(before.refreshToken), 'invalid_grant');
    await assertRefused(redeem(unredeemed), 'invalid_grant');
    assert.equal(await isHonoured(after.accessToken), true);
  });

  test('without a consent, nothing happens', async () => {
    assert.equal(await withdraw(provider.alice, provider.notebook), false);
    await allow();
    assert.equal(await withdraw(provider.alice, provider.notebook), true);
    assert.equal(await withdraw(provider.alice, provider.notebook), false);
  });

  test('between the question and the code: the member is asked for everything', async () => {
    await allow();
    const findGrant = provider.server.reads.findGrant;
    const reads = {
      ...provider.server.reads,
      async findGrant(userId: number, clientId: string, now: number) {
        const grant = await findGrant(userId, clientId, now);
        await withdraw(provider.alice, provider.notebook);
        return grant;
      },
    };
    const request = await authorizationRequestOf(provider, provider.notebook);

    const by = asSignedIn(provider, provider.alice);
    const answer = await authorize({ ...provider.server, reads }, by, request);

    assert.deepEqual(answer, {
      outcome: 'consent',
      question: { newScopes: ['profile:read', 'posts:read'], heldScopes: [] },
    });
  });
});
