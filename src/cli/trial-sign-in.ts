// A complete sign-in at the running server, step by step, as a member and an application do it.

import { createHash } from 'node:crypto';
import type { Portico } from '../compose.ts';
import {
  createTemporaryUser,
  deleteLeftOverUsers,
  deleteTemporaryUser,
  type TemporaryUser,
} from '../identity/temporary-user.ts';
import { randomBase62 } from '../lib/secrets.ts';
import {
  createTemporaryClient,
  deleteLeftOverClients,
  deleteTemporaryClient,
} from '../oauth/temporary-client.ts';
import type { Checkup } from './checkup.ts';
import { formWith, PageVisitor, redirection } from './page-visitor.ts';

// Never opened: the visitor stops before this redirect. RFC 2606 reserves the name.
const CALLBACK = 'https://doctor.invalid/callback';

interface Trial {
  baseUrl: string;
  visitor: PageVisitor;
  user: TemporaryUser;
  client: { id: string; secret: string };
  state: string;
  codeVerifier: string;
}

interface Tokens {
  access_token: string;
  refresh_token: string;
}

/** Sign a temporary member in to a temporary application. Both are deleted afterwards in any case. */
export async function tryWholeSignIn(portico: Portico, checkup: Checkup): Promise<void> {
  const trial = await checkup.step('create a temporary member and application', () => prepare(portico));
  if (trial === undefined) return;
  try {
    await signInAndRead(trial, checkup);
  } finally {
    await checkup.step('delete the temporary member and application', async () => {
      // The application last: the member's tokens refer to it.
      await deleteTemporaryUser(portico.identity, trial.user.id);
      await deleteTemporaryClient(portico.oauth, trial.client.id);
    });
  }
}

/** Delete what interrupted checks and those of older versions left. */
export async function deleteLeftOvers({ identity, oauth }: Portico, checkup: Checkup): Promise<void> {
  await checkup.step(
    'delete what earlier checks left',
    async () => [await deleteLeftOverUsers(identity), await deleteLeftOverClients(oauth, CALLBACK)],
    ([users, clients]) => `${users} members, ${clients} applications`,
  );
}

async function signInAndRead(trial: Trial, checkup: Checkup): Promise<void> {
  const request = `/oauth/authorize?${authorizationRequest(trial)}`;
  const page = await checkup.step('sign in at /login', () => signIn(trial, request));
  if (page === undefined) return;
  const code = await checkup.step('allow the application', () => allow(trial, page));
  if (code === undefined) return;
  const tokens = await checkup.step('redeem the code with PKCE', () => redeem(trial, code));
  if (tokens === undefined) return;
  const isRead = await checkup.step('read /me', () => readProfile(trial, tokens.access_token));
  if (isRead === undefined) return;
  const next = await checkup.step('refresh', () => refresh(trial, tokens.refresh_token));
  if (next === undefined) return;
  await checkup.step('revoke, and check that the tokens are refused', () => revoke(trial, next));
}

async function prepare({ identity, oauth, config }: Portico): Promise<Trial> {
  return {
    baseUrl: config.baseUrl,
    visitor: new PageVisitor(config.baseUrl),
    user: await createTemporaryUser(identity),
    client: await createTemporaryClient(oauth, CALLBACK),
    state: randomBase62(22),
    codeVerifier: randomBase62(43),
  };
}

function authorizationRequest({ client, state, codeVerifier }: Trial): URLSearchParams {
  return new URLSearchParams({
    response_type: 'code',
    client_id: client.id,
    redirect_uri: CALLBACK,
    scope: 'profile:read',
    state,
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
}

/** Go from the authorization request through the login page to the consent page. Returns its HTML. */
async function signIn({ visitor, user, baseUrl }: Trial, request: string): Promise<string> {
  const loginAddress = redirection(await visitor.open(request));
  if (loginAddress === undefined) throw new Error('The authorization page did not lead to the login page.');
  const login = formWith('password', await (await visitor.open(loginAddress)).text());
  if (login === undefined) throw new Error('The login page has no form for a password.');
  login.fields.set('username', user.username);
  login.fields.set('password', user.password);
  const answer = await visitor.open(login.action, login.fields);
  const back = redirection(answer);
  if (back === undefined) throw new Error(`The sign-in was answered with status ${answer.status}.`);
  // The server makes this address from BASE_URL, so a wrong BASE_URL leads every member away.
  if (new URL(back, baseUrl).origin !== baseUrl) throw new Error('The login page leads to another site.');
  return (await visitor.open(back)).text();
}

async function allow({ visitor, state, baseUrl }: Trial, page: string): Promise<string> {
  const consent = formWith('decision', page);
  if (consent === undefined) throw new Error('The consent page has no form for a decision.');
  consent.fields.set('decision', 'allow');
  const answer = await visitor.open(consent.action, consent.fields);
  const callback = redirection(answer);
  if (callback === undefined) throw new Error(`The consent was answered with status ${answer.status}.`);
  const { searchParams } = new URL(callback);
  const error = searchParams.get('error');
  if (error !== null) throw new Error(`${error}: ${searchParams.get('error_description')}`);
  if (searchParams.get('state') !== state) throw new Error('The state was changed.');
  if (searchParams.get('iss') !== baseUrl) throw new Error('The answer names another issuer.');
  const code = searchParams.get('code');
  if (code === null) throw new Error('The answer has no code.');
  return code;
}

async function redeem(trial: Trial, code: string): Promise<Tokens> {
  const answer = await post(trial, '/api/oauth/token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: CALLBACK,
    code_verifier: trial.codeVerifier,
  });
  return (await answer.json()) as Tokens;
}

async function refresh(trial: Trial, refreshToken: string): Promise<Tokens> {
  const answer = await post(trial, '/api/oauth/token', {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
  });
  return (await answer.json()) as Tokens;
}

async function readProfile(trial: Trial, accessToken: string): Promise<true> {
  const answer = await callApi(trial, accessToken);
  if (answer.status !== 200) throw new Error(await descriptionOf(answer));
  const { id } = (await answer.json()) as { id: number };
  if (id !== trial.user.id) throw new Error('The profile belongs to another member.');
  return true;
}

async function revoke(trial: Trial, tokens: Tokens): Promise<void> {
  await post(trial, '/api/oauth/revoke', { token: tokens.refresh_token });
  const { status } = await callApi(trial, tokens.access_token);
  if (status !== 401) throw new Error(`The revoked token still works: status ${status}.`);
}

function callApi({ baseUrl }: Trial, accessToken: string): Promise<Response> {
  return fetch(`${baseUrl}/api/open/v1/me`, {
    headers: { Authorization: `Bearer ${accessToken}` },
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
}

const PATIENCE_MS = 10_000;

async function post(
  { baseUrl, client }: Trial,
  path: string,
  fields: Record<string, string>,
): Promise<Response> {
  const answer = await fetch(baseUrl + path, {
    method: 'POST',
    body: new URLSearchParams({ client_id: client.id, client_secret: client.secret, ...fields }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (!answer.ok) throw new Error(await descriptionOf(answer));
  return answer;
}

async function descriptionOf(answer: Response): Promise<string> {
  return `status ${answer.status} ${(await answer.text()).slice(0, 200)}`;
}
