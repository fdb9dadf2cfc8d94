// A code or token whose record was read before its application was known: what has changed since then counts.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { StorageUnavailable } from '../../src/lib/storage-unavailable.ts';
import { narrowOwnConsent } from '../../src/oauth/narrowing.ts';
import { presentedRecord, revokeToken } from '../../src/oauth/revocation.ts';
import { answerTokenRequest, type PresentedGrant, presentedGrant } from '../../src/oauth/token-request.ts';
import {
  allow,
  asMember,
  assertRefused,
  formOf,
  isHonoured,
  openProvider,
  POCKET_CALLBACK,
  type Provider,
  redeem,
  refresh,
  revoke,
  signIn,
  VERIFIER,
} from './provider.ts';

let provider: Provider;
before(async () => {
  provider = await openProvider();
});
after(() => provider.close());

function formOfCode(code: string) {
  return formOf({
    grant_type: 'authorization_code',
    code,
    redirect_uri: POCKET_CALLBACK,
    code_verifier: VERIFIER,
  });
}

/** Begin to read the grant, and return what answers the request later. */
async function begin(form: ReturnType<typeof formOf>) {
  const { server, pocket } = provider;
  const grant = presentedGrant(server, form) as PresentedGrant;
  assert.equal(await grant.isIssuedTo(pocket), true);
  return () => answerTokenRequest(server, pocket, form, undefined, grant);
}

test('a code that was redeemed in between is a replay, which ends the sign-in', async () => {
  const { pocket, alice } = provider;
  const code = await allow(provider, pocket, alice);
  const answer = await begin(formOfCode(code));
  const { accessToken } = await redeem(provider, pocket, code);

  await assertRefused(answer(), 'invalid_grant', /already used/);

  assert.equal(await isHonoured(provider, accessToken), false);
});

test('a code whose consent was narrowed in between yields what is left', async () => {
  const { server, pocket, bob } = provider;
  const code = await allow(provider, pocket, bob);
  const answer = await begin(formOfCode(code));
  await narrowOwnConsent(asMember(provider, bob), server, pocket.id, ['profile:read']);

  assert.equal((await answer()).scope, 'profile:read');
});

test('a refresh token that was used in between ends the sign-in', async () => {
  const { pocket, alice } = provider;
  const { refreshToken } = await signIn(provider, pocket, alice);
  const answer = await begin(formOf({ grant_type: 'refresh_token', refresh_token: refreshToken }));
  const { accessToken } = await refresh(provider, pocket, refreshToken);

  await assertRefused(answer(), 'invalid_grant', /already used/);

  assert.equal(await isHonoured(provider, accessToken), false);
});

test('a refresh token whose sign-in was revoked in between yields nothing', async () => {
  const { pocket, alice } = provider;
  const { refreshToken } = await signIn(provider, pocket, alice);
  const answer = await begin(formOf({ grant_type: 'refresh_token', refresh_token: refreshToken }));
  await revoke(provider, pocket, refreshToken);

  await assertRefused(answer(), 'invalid_grant', /already used/);
});

test('the grant of another application stays usable, and so does its token', async () => {
  const { server, pocket, trap, alice } = provider;
  const code = await allow(provider, pocket, alice);
  const form = formOfCode(code);
  await assertRefused(
    answerTokenRequest(server, trap, form, undefined, presentedGrant(server, form)),
    'invalid_grant',
    /not known/,
  );
  const { accessToken, refreshToken } = await redeem(provider, pocket, code);
  for (const token of [accessToken, refreshToken]) {
    const other = formOf({ token });
    assert.equal(await revokeToken(server, trap, other, presentedRecord(server, other)), false);
  }

  assert.equal(await isHonoured(provider, accessToken), true);
});

test('a failure to read it counts only for the request that gets so far', async () => {
  const closed = await openProvider();
  const code = await allow(closed, closed.pocket, closed.alice);
  await closed.close();

  // Nobody waits for this one. The test runner would report an unhandled rejection.
  presentedGrant(closed.server, formOfCode(code));
  const grant = presentedGrant(closed.server, formOfCode(code));
  await new Promise(setImmediate);

  await assert.rejects(grant?.issue(closed.pocket, undefined) ?? Promise.resolve(), StorageUnavailable);
});
