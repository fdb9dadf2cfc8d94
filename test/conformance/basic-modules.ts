// The modules of oidcc-basic-certification-test-plan, except those about how the member signs in.
// oidcc-formpost-basic-certification-test-plan runs all of them again with response_mode=form_post.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { decodeProtectedHeader, UnsecuredJWT } from 'jose';
import {
  assertAuthorizationError,
  assertCode,
  assertErrorPage,
  assertTokenError,
  assertTokenRefused,
  assertTokens,
  assertUnguessable,
  assertUserinfo,
} from './assertions.ts';
import { completeFlow, pagesSeen } from './flow.ts';
import { type ModuleRun, random } from './module-run.ts';

export async function server(run: ModuleRun): Promise<void> {
  const { code, claims, landing } = await completeFlow(run);

  assertUnguessable(code);
  assert.ok(!('name' in claims));
  assert.deepEqual(pagesSeen({ landing }), ['login', 'consent']);
}

export async function responseTypeMissing(run: ModuleRun): Promise<void> {
  const request = run.request({ response_type: '' });

  const landing = await run.visit(request);

  assertAuthorizationError(run, request, landing, ['invalid_request', 'unsupported_response_type']);
}

export async function idTokenSignature(run: ModuleRun): Promise<void> {
  const { tokens } = await completeFlow(run);

  const { alg, kid } = decodeProtectedHeader(tokens.id_token);
  assert.equal(alg, 'RS256');
  assert.match(kid ?? '', /\S/);
}

export async function userinfoGet(run: ModuleRun): Promise<void> {
  const { userinfo, claims } = await completeFlow(run, { scope: 'openid profile:read' });

  assertUserinfo(userinfo, claims.sub);
  assert.match(userinfo.body.picture, /^https:/);
  assert.match(userinfo.body.profile, /^https:/);
}

export async function userinfoPostHeader(run: ModuleRun): Promise<void> {
  const { tokens, claims } = await completeFlow(run);
  const headers = { Authorization: `Bearer ${tokens.access_token}` };

  const answer = await run.userinfo(tokens.access_token, { method: 'POST', headers });

  assertUserinfo(answer, claims.sub);
}

export async function userinfoPostBody(run: ModuleRun): Promise<void> {
  const { tokens, claims } = await completeFlow(run);
  const body = new URLSearchParams({ access_token: tokens.access_token });

  const answer = await run.userinfo('', { method: 'POST', headers: {}, body });

  assertUserinfo(answer, claims.sub);
}

export async function withoutNonce(run: ModuleRun): Promise<void> {
  const { claims } = await completeFlow(run, { nonce: '' });

  assert.ok(!('nonce' in claims));
}

export async function alternateHappyFlow(run: ModuleRun): Promise<void> {
  const request = run.request({ scope: 'posts:read openid profile:read' });
  const reversed = new URLSearchParams([...request].reverse());

  const code = assertCode(run, request, await run.visit(reversed));

  assertTokens(await run.redeem(code, run.client));
}

/** Ignores a parameter that needs no support. */
export function toleratesParameter(name: string, value: string): (run: ModuleRun) => Promise<void> {
  return async (run) => {
    const { landing, claims } = await completeFlow(run, { [name]: value });

    assert.deepEqual(pagesSeen({ landing }), ['login', 'consent']);
    // acr_values is voluntary, and this service has no such levels.
    assert.ok(!('acr' in claims));
  };
}

export async function codeReuse(run: ModuleRun): Promise<void> {
  const { code, tokens } = await completeFlow(run);

  assertTokenError(await run.redeem(code, run.client), 'invalid_grant');
  assertTokenRefused(await run.userinfo(tokens.access_token));
}

export async function codeReuseAfter30Seconds(run: ModuleRun): Promise<void> {
  const { code, tokens } = await completeFlow(run);
  run.wait(30);

  assertTokenError(await run.redeem(code, run.client), 'invalid_grant');
  assertTokenRefused(await run.userinfo(tokens.access_token));
  assertTokenError(await run.refresh(tokens.refresh_token, run.client), 'invalid_grant');
}

export async function registeredRedirectUri(run: ModuleRun): Promise<void> {
  const redirectUri = `${run.client.redirectUri}/${random(10)}`;

  const landing = await run.visit(run.request({ redirect_uri: redirectUri }));

  assertErrorPage(landing, redirectUri);
}

export async function postRequest(run: ModuleRun): Promise<void> {
  await completeFlow(run, {}, { method: 'POST' });
  // Again for a signed-in member: a browser sends no cookie with the POST, but does with the redirect after it.
  await completeFlow(run, {}, { method: 'POST' });
}

/** The request object is on the suite's server. A service that fetched it could be made to fetch any address. */
export async function requestUri(run: ModuleRun): Promise<void> {
  const request = withoutStateAndNonce(run);
  request.set('request_uri', `${run.callbacks.url}/request-object.jwt`);

  const landing = await run.visit(request);

  // There was one arrival only, so nothing was fetched.
  assertAuthorizationError(run, request, landing, ['request_uri_not_supported']);
}

export async function requestObject(run: ModuleRun): Promise<void> {
  const request = withoutStateAndNonce(run);
  request.set('request', encodeUnsigned({ ...Object.fromEntries(run.request()) }));

  const landing = await run.visit(request);

  assertAuthorizationError(run, request, landing, ['request_not_supported']);
}

export async function requestObjectWithRedirectUri(run: ModuleRun): Promise<void> {
  const request = withoutStateAndNonce(run);
  request.set('request', encodeUnsigned({ ...Object.fromEntries(run.request()) }));
  const invalid = `${run.client.redirectUri}/${random(10)}`;
  request.set('redirect_uri', invalid);

  const landing = await run.visit(request);

  assertErrorPage(landing, invalid);
}

export async function claimsEssential(run: ModuleRun): Promise<void> {
  const claims = JSON.stringify({ userinfo: { name: { essential: true } } });

  const flow = await completeFlow(run, { claims });

  assert.ok(!('name' in flow.claims));
  // The name belongs to profile:read, which was not requested.
  assert.deepEqual(Object.keys(flow.userinfo.body), ['sub']);
}

export async function refreshToken(run: ModuleRun): Promise<void> {
  assert.ok(run.discovery.grant_types_supported.includes('refresh_token'));
  await refreshAndAssert(run, run.client, random(10));
  const second = await refreshAndAssert(run, run.client2, random(43));

  const byTheWrongClient = await run.refresh(second, run.client);
  const byTheRightClient = await run.refresh(second, run.client2);

  assertTokenError(byTheWrongClient, 'invalid_grant');
  assertTokens(byTheRightClient);
}

async function refreshAndAssert(run: ModuleRun, client: ModuleRun['client'], nonce: string): Promise<string> {
  const first = await completeFlow(run, { nonce }, { client });
  assertUnguessable(first.tokens.refresh_token);
  run.wait(1);

  const tokens = assertTokens(await run.refresh(first.tokens.refresh_token, client, { scope: 'openid' }));

  assertUnguessable(tokens.access_token);
  assertUnguessable(tokens.refresh_token);
  assertUserinfo(await run.userinfo(tokens.access_token), first.claims.sub);
  const { iss, sub, aud, azp, auth_time, iat } = claimsIn(tokens.id_token);
  assert.deepEqual({ iss, sub, aud, azp, auth_time }, pick(first.claims));
  assert.notEqual(iat, first.claims.iat);
  return tokens.refresh_token;
}

export async function validPkce(run: ModuleRun): Promise<void> {
  const verifier = random(64);
  const challenge = createHash('sha256').update(verifier).digest('base64url');

  await completeFlow(
    run,
    { code_challenge: challenge, code_challenge_method: 'S256' },
    { exchange: { code_verifier: verifier } },
  );
}

// State and nonce are in the request object only.
function withoutStateAndNonce(run: ModuleRun): URLSearchParams {
  return run.request({ state: '', nonce: '' });
}

function encodeUnsigned(claims: Record<string, string>): string {
  return new UnsecuredJWT(claims).encode();
}

function claimsIn(idToken: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString());
}

function pick({ iss, sub, aud, azp, auth_time }: Record<string, unknown>): Record<string, unknown> {
  return { iss, sub, aud, azp, auth_time };
}
