// The modules of oidcc-rp-initiated-logout-certification-test-plan: there is no open redirect, and a link alone signs
// no member out.

import assert from 'node:assert/strict';
import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { assertAuthorizationError, assertErrorPage } from './assertions.ts';
import { completeFlow, type Flow, pagesSeen } from './flow.ts';
import { type ModuleRun, random } from './module-run.ts';

export async function logout(run: ModuleRun): Promise<void> {
  const { tokens } = await completeFlow(run);
  const state = random(128);

  const landing = await run.logOut(new URLSearchParams({ ...validRequest(run, tokens.id_token), state }));

  assert.equal(landing.arrival?.url.href, `${run.client.postLogoutRedirectUri}?state=${state}`);
  // The id_token proves which member is meant, so the member isn't asked.
  assert.deepEqual(pagesSeen({ landing }), []);
  await assertSignedOut(run);
}

export async function logoutWithoutState(run: ModuleRun): Promise<void> {
  const { tokens } = await completeFlow(run);

  const landing = await run.logOut(new URLSearchParams(validRequest(run, tokens.id_token)));

  assert.equal(landing.arrival?.url.href, run.client.postLogoutRedirectUri);
  await assertSignedOut(run);
}

/** Signs the member out and says so on a page; asks before, if the request proves nothing. */
export function staysHere(
  request: (flow: Flow) => Record<string, string>,
  pages: string[],
): (run: ModuleRun) => Promise<void> {
  return async (run) => {
    const flow = await completeFlow(run);

    const landing = await run.logOut(new URLSearchParams(request(flow)));

    assert.deepEqual(landing.sentTo, []);
    assert.deepEqual(pagesSeen({ landing }), pages);
    assert.equal(landing.pages.at(-1)?.status, 200);
    assert.match(landing.pages.at(-1)?.text ?? '', /You are signed out/);
    await assertSignedOut(run);
  };
}

/** Shows an error page without a redirect, and the member stays signed in. */
export function refuses(
  request: (run: ModuleRun, flow: Flow) => Record<string, string> | Promise<Record<string, string>>,
): (run: ModuleRun) => Promise<void> {
  return async (run) => {
    const flow = await completeFlow(run);
    const query = { ...(await request(run, flow)), state: random(10) };

    const landing = await run.logOut(new URLSearchParams(query));

    assertErrorPage(landing, run.client.postLogoutRedirectUri);
    assert.deepEqual(pagesSeen(await completeFlow(run, { prompt: 'none' })), []);
  };
}

/** An id_token without a signature, or signed by the suite. */
export const forged = {
  unsigned: ({ claims }: Flow): string => new UnsecuredJWT(claims).encode(),
  async bySuite({ claims }: Flow): Promise<string> {
    const { privateKey } = await generateKeyPair('RS256');
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'suite' }).sign(privateKey);
  },
};

/** Return a correct request without a state. */
export function validRequest(run: ModuleRun, idTokenHint: string): Record<string, string> {
  return { id_token_hint: idTokenHint, post_logout_redirect_uri: run.client.postLogoutRedirectUri };
}

async function assertSignedOut(run: ModuleRun): Promise<void> {
  const request = run.request({ prompt: 'none' });
  assertAuthorizationError(run, request, await run.visit(request), ['login_required']);
}
