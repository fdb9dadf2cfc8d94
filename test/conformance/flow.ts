// The happy flow with the checks of every module. Modules differ in their requests and in further checks.

import type { JWTPayload } from 'jose';
import { assertCode, assertIdToken, assertTokens, assertUserinfo, type SuiteTokens } from './assertions.ts';
import type { Answer, ModuleRun, SuiteClient } from './module-run.ts';
import type { Landing, VisitOptions } from './visit.ts';

export interface Flow {
  landing: Landing;
  code: string;
  tokens: SuiteTokens;
  claims: JWTPayload & { auth_time: number; sub: string };
  userinfo: Answer;
}

export interface FlowOptions extends VisitOptions {
  client?: SuiteClient;
  /** Replaces or adds fields of the token request. */
  exchange?: Record<string, string>;
}

/** Go from the authorization request to userinfo. `more` replaces or adds parameters of the request. */
export async function completeFlow(
  run: ModuleRun,
  more: Record<string, string> = {},
  { client = run.client, exchange = {}, ...options }: FlowOptions = {},
): Promise<Flow> {
  const request = run.request(more, client);
  const landing = await run.visit(request, options);
  const code = assertCode(run, request, landing);
  const tokens = assertTokens(await run.redeem(code, client, exchange));
  const claims = await assertIdToken(run, tokens.id_token, {
    client,
    nonce: request.get('nonce'),
    accessToken: tokens.access_token,
  });
  const userinfo = await run.userinfo(tokens.access_token);
  assertUserinfo(userinfo, claims.sub);
  return { landing, code, tokens, claims, userinfo };
}

/** Return the kinds of the pages that the member saw, without the page that only posts the response. */
export function pagesSeen({ landing }: { landing: Landing }): string[] {
  return landing.pages.map(({ kind }) => kind).filter((kind) => kind !== 'form_post');
}
