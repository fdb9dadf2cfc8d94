// The happy flow with all that every module asserts on the way; modules differ in what they ask and look at afterwards.

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
  /** Over the usual fields of the token request. */
  exchange?: Record<string, string>;
}

/** From the authorization request to userinfo. `more` goes over the usual parameters. */
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

/** What the member saw before the answer, without the page that only posts it. */
export function pagesSeen({ landing }: { landing: Landing }): string[] {
  return landing.pages.map(({ kind }) => kind).filter((kind) => kind !== 'form_post');
}
