// A trial from the code to the end of its sign-in: every request that an application sends, one after another. The last
// one revokes whatever is left, so a trial leaves no token.

import type { JWK } from 'jose';
import type { Client } from '../../../oauth/client-store.ts';
import { type CheckedIdToken, checkIdToken } from '../../../oauth/id-token-check.ts';
import { parseScope } from '../../../oauth/scope.ts';
import type { OwnAnswer, OwnRequest } from '../../own-request.ts';
import type { Trial } from '../../pages/trial.ts';
import { PATHS } from '../../routes.ts';
import type { SiteParts } from '../site-parts.ts';

/** The requests of a trial, with the status of an answer that is as it should be. */
export const EXPECTED_STATUS = {
  exchange: 200,
  profile: 200,
  posts: 200,
  userinfo: 200,
  keys: 200,
  refresh: 200,
  revokeAccess: 200,
  revoked: 401,
  refreshAgain: 200,
  replay: 400,
  ended: 401,
  signOut: 200,
} as const;
export type TrialStep = keyof typeof EXPECTED_STATUS;

/** A request, and the answer that it got. */
export interface Exchange {
  step: TrialStep;
  request: OwnRequest;
  answer: OwnAnswer;
  /** The id_token, checked with the keys in the answer. */
  idToken?: CheckedIdToken;
}

/** What a trial is run with. */
export interface TrialStart {
  client: Client;
  trial: Trial;
  code: string;
  /** Empty for a public application. */
  secret: string;
}

// So that the requests can be recognised in the request inspector and the diary.
const HEADERS = { 'User-Agent': 'flow-tester' };

type Ask = (request: OwnRequest) => Promise<OwnAnswer>;

/** The fields of a token response that the trial goes on with. */
interface Tokens {
  access_token: string;
  refresh_token?: string;
  id_token?: string;
  scope: string;
}

/** Send the requests. Ends after the first if the code was not exchanged. */
export async function runTrial(site: SiteParts, ask: Ask, start: TrialStart): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  const send = async (step: TrialStep, request: OwnRequest) => {
    const exchange: Exchange = { step, request, answer: await ask(request) };
    exchanges.push(exchange);
    return exchange;
  };
  const { client, trial, code, secret } = start;
  const credentials = { client_id: client.id, ...(secret !== '' && { client_secret: secret }) };
  const post = (step: TrialStep, path: string, fields: Record<string, string>) =>
    send(step, { method: 'POST', path, headers: HEADERS, fields: { ...credentials, ...fields } });
  const read = (step: TrialStep, path: string, { access_token }: Tokens) =>
    send(step, { method: 'GET', path, headers: { ...HEADERS, Authorization: `Bearer ${access_token}` } });
  const refresh = async (step: TrialStep, { refresh_token = '' }: Tokens) =>
    tokensIn(await post(step, PATHS.token, { grant_type: 'refresh_token', refresh_token }));

  const first = tokensIn(
    await post('exchange', PATHS.token, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: trial.redirectUri,
      code_verifier: trial.codeVerifier,
    }),
  );
  if (first === undefined) return exchanges;

  const scopes = parseScope(first.scope) ?? [];
  if (scopes.includes('profile:read')) await read('profile', `${PATHS.api}/me`, first);
  if (scopes.includes('posts:read')) await read('posts', `${PATHS.api}/me/posts?page=0&size=2`, first);
  if (scopes.includes('openid')) await read('userinfo', PATHS.userinfo, first);
  if (first.id_token !== undefined) {
    const published = await send('keys', { method: 'GET', path: PATHS.jwks, headers: HEADERS });
    const idToken = await checked(site, start, first, published);
    if (idToken !== undefined) published.idToken = idToken;
  }
  const second = first.refresh_token === undefined ? undefined : await refresh('refresh', first);
  let newest = second ?? first;
  await post('revokeAccess', PATHS.revoke, { token: newest.access_token });
  await read('revoked', `${PATHS.api}/`, newest);
  if (second !== undefined) {
    const third = await refresh('refreshAgain', second);
    newest = third ?? newest;
    await refresh('replay', first);
    await read('ended', `${PATHS.api}/`, newest);
  }
  await post('signOut', PATHS.revoke, { token: newest.refresh_token ?? newest.access_token });
  return exchanges;
}

function checked(
  { oauth }: SiteParts,
  { client, trial }: TrialStart,
  { id_token: idToken = '', access_token: accessToken }: Tokens,
  { answer }: Exchange,
): Promise<CheckedIdToken | undefined> {
  const { keys = [] } = jsonIn(answer) as { keys?: JWK[] };
  return checkIdToken(idToken, {
    keys,
    alg: client.idTokenAlg,
    issuer: oauth.issuer,
    clientId: client.id,
    nonce: trial.nonce,
    accessToken,
    now: oauth.clock(),
  });
}

function tokensIn({ answer }: Exchange): Tokens | undefined {
  return answer.status === 200 ? (jsonIn(answer) as Tokens) : undefined;
}

/** The object in an answer. Empty if there is none. */
export function jsonIn({ body }: OwnAnswer): object {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
