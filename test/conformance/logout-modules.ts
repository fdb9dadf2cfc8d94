// The modules of oidcc-rp-initiated-logout-certification-test-plan: whoever asks is never an open redirect, and nobody
// is signed out by a link alone.

import assert from 'node:assert/strict';
import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { assertAuthorizationError, assertErrorPage } from './assertions.ts';
import { completeFlow, type Flow, pagesSeen } from './flow.ts';
import { type ModuleRun, random } from './module-run.ts';

export async function logout(run: ModuleRun): Promise<void> {
  const { tokens } = await completeFlow(run);
  const state = random(128);

  const landing = await run.logOut(new URLSearchParams({ ...complete(run, tokens.id_token), state }));

  assert.equal(landing.arrival?.url.href, `${run.client.postLogoutRedirectUri}?state=${state}`);
  // The application has proved whom it speaks of, so nobody is asked.
  assert.deepEqual(pagesSeen({ landing }), []);
  await assertSignedOut(run);
}

export async function logoutWithoutState(run: ModuleRun): Promise<void> {
  const { tokens } = await completeFlow(run);

  const landing = await run.logOut(new URLSearchParams(complete(run, tokens.id_token)));

  assert.equal(landing.arrival?.url.href, run.client.postLogoutRedirectUri);
  await assertSignedOut(run);
}

/** The member is signed out and told so on a page; asked before, where the application proves nothing. */
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

/** Nobody is sent anywhere, and the member stays signed in. */
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

/** An id_token with another signature than ours: none at all, or the suite's own. */
export const forged = {
  unsigned: ({ claims }: Flow): string => new UnsecuredJWT(claims).encode(),
  async bySuite({ claims }: Flow): Promise<string> {
    const { privateKey } = await generateKeyPair('RS256');
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'suite' }).sign(privateKey);
  },
};

/** All that a right request has, but a state. */
export function complete(run: ModuleRun, idTokenHint: string): Record<string, string> {
  return { id_token_hint: idTokenHint, post_logout_redirect_uri: run.client.postLogoutRedirectUri };
}

async function assertSignedOut(run: ModuleRun): Promise<void> {
  const request = run.request({ prompt: 'none' });
  assertAuthorizationError(run, request, await run.visit(request), ['login_required']);
}
