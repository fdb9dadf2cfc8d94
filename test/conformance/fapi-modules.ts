// The modules of fapi2-security-profile-final-test-plan that fit a service without pushed requests and
// sender-constrained tokens, with its own authorization code flow.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { pocket } from '../support/people.ts';
import {
  assertAuthorizationError,
  assertCode,
  assertErrorPage,
  assertTokenError,
  assertTokenRefused,
  assertTokens,
  assertUnguessable,
} from './assertions.ts';
import { completeFlow } from './flow.ts';
import { DUMMIES, type ModuleRun, random, read } from './module-run.ts';

const VERIFIER = 'a'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const WITH_PKCE = { code_challenge: CHALLENGE, code_challenge_method: 'S256' };

export async function happyFlow(run: ModuleRun): Promise<void> {
  const scope = 'openid profile:read posts:read';
  const exchange = { code_verifier: VERIFIER };

  const { tokens, userinfo } = await completeFlow(run, { ...WITH_PKCE, scope }, { exchange });
  const second = await completeFlow(run, { ...WITH_PKCE, scope }, { exchange, client: run.client2 });

  assertUnguessable(tokens.access_token);
  assertUnguessable(second.tokens.access_token);
  const me = await callApi(run, `Bearer ${tokens.access_token}`);
  for (const { status, headers } of [userinfo, me]) {
    assert.equal(status, 200);
    assert.ok(Date.parse(headers.get('date') ?? '') > 0, 'There is no Date.');
  }
}

export async function userRejects(run: ModuleRun): Promise<void> {
  const request = run.request({ state: random(128), redirect_uri: run.client.redirectUris[1] ?? '' });
  assert.ok(request.get('redirect_uri')?.endsWith(DUMMIES));

  const landing = await run.visit(request, { decision: 'deny' });

  assertAuthorizationError(run, request, landing, ['access_denied']);
}

/** Succeeds with these parameters, however long they are. */
export function succeedsWith(more: Record<string, string>): (run: ModuleRun) => Promise<void> {
  return async (run) => {
    await completeFlow(run, more);
  };
}

export async function otherScopeOrder(run: ModuleRun): Promise<void> {
  const { userinfo } = await completeFlow(run, { scope: 'profile:read openid' });

  assert.equal(userinfo.body.preferred_username, 'alice');
}

export async function headerCaseInsensitive(run: ModuleRun): Promise<void> {
  const { tokens } = await completeFlow(run, { scope: 'openid profile:read' });

  assert.equal((await callApi(run, `bEARER ${tokens.access_token}`)).status, 200);
}

export async function unregisteredRedirectUri(run: ModuleRun): Promise<void> {
  const redirectUri = `${run.callbacks.url}/elsewhere`;

  const landing = await run.visit(run.request({ redirect_uri: redirectUri }));

  assertErrorPage(landing, redirectUri);
}

export function refusesResponseType(responseType: string): (run: ModuleRun) => Promise<void> {
  return async (run) => {
    const request = run.request({ response_type: responseType });

    const landing = await run.visit(request);

    // The error must be in the query: a fragment makes the visit fail.
    assertAuthorizationError(run, request, landing, ['unsupported_response_type']);
  };
}

export async function foreignClientId(run: ModuleRun): Promise<void> {
  const { code } = await authorize(run);

  const answer = await run.redeem(code, run.client, { client_id: run.client2.id });

  assertTokenError(answer, 'invalid_request');
  assertTokens(await run.redeem(code, run.client));
}

export async function codeBoundToClient(run: ModuleRun): Promise<void> {
  const { code } = await authorize(run);

  const answer = await run.redeem(code, run.client2, { redirect_uri: run.client.redirectUri });

  assertTokenError(answer, 'invalid_grant');
  assertTokens(await run.redeem(code, run.client));
}

export async function codeReuseAfterOneSecond(run: ModuleRun): Promise<void> {
  const { code, tokens } = await completeFlow(run);
  run.wait(1);

  assertTokenError(await run.redeem(code, run.client), 'invalid_grant');
  assertTokenRefused(await run.userinfo(tokens.access_token));
}

export async function expiredCode(run: ModuleRun): Promise<void> {
  const { code: inTime } = await authorize(run);
  run.wait(299);
  assertTokens(await run.redeem(inTime, run.client));
  const { code: tooLate } = await authorize(run);
  run.wait(301);

  assertTokenError(await run.redeem(tooLate, run.client), 'invalid_grant');
}

export async function pkceRequired(run: ModuleRun): Promise<void> {
  const request = await publicRequest(run, {});

  assertAuthorizationError(run, request, await run.visit(request), ['invalid_request']);
}

export async function plainPkceRejected(run: ModuleRun): Promise<void> {
  const request = await publicRequest(run, { code_challenge: VERIFIER, code_challenge_method: 'plain' });

  assertAuthorizationError(run, request, await run.visit(request), ['invalid_request']);
}

/** Refuses the exchange with this verifier, or with none if it is empty, and does not use up the code. */
export function refusesVerifier(
  verifier: string,
  error = 'invalid_grant',
): (run: ModuleRun) => Promise<void> {
  return async (run) => {
    const { code } = await authorize(run, WITH_PKCE);

    const answer = await run.redeem(code, run.client, { code_verifier: verifier });

    assertTokenError(answer, error);
    assertTokens(await run.redeem(code, run.client, { code_verifier: VERIFIER }));
  };
}

export async function refreshTokenBound(run: ModuleRun): Promise<void> {
  const { tokens } = await completeFlow(run);
  const fields = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };

  const withoutSecret = await run.postToToken({ ...fields, client_id: run.client.id });
  const byAnother = await run.refresh(tokens.refresh_token, run.client2);

  assertTokenError(withoutSecret, 'invalid_client', 401);
  assertTokenError(byAnother, 'invalid_grant');
  assertTokens(await run.refresh(tokens.refresh_token, run.client));
}

export async function identityClaims(run: ModuleRun): Promise<void> {
  const claims = {
    userinfo: { given_name: null, family_name: { essential: true } },
    id_token: { email: null },
  };

  const flow = await completeFlow(run, { claims: JSON.stringify(claims) });

  assert.deepEqual(Object.keys(flow.userinfo.body), ['sub']);
}

async function authorize(run: ModuleRun, more: Record<string, string> = {}): Promise<{ code: string }> {
  const request = run.request(more);
  return { code: assertCode(run, request, await run.visit(request)) };
}

async function publicRequest(run: ModuleRun, more: Record<string, string>): Promise<URLSearchParams> {
  const redirectUri = `${run.callbacks.url}/test/a/public/callback`;
  const { id } = await pocket(run.app.portico, { redirectUris: [redirectUri] });
  return run.request({ client_id: id, redirect_uri: redirectUri, ...more });
}

async function callApi(run: ModuleRun, authorization: string) {
  return read(await fetch(`${run.app.url}/api/open/v1/me`, { headers: { Authorization: authorization } }));
}
