// The mistakes that developers make most often with OAuth, each made with a new application, as a program would.

import type { RequestRule } from '../../src/oauth/request-rules.ts';
import type { App } from '../support/app.ts';
import { type Member, notebook, pocket, type RegisteredClient } from '../support/people.ts';
import {
  answerConsent,
  askToken,
  authorizationRequest,
  callApi,
  pkce,
  signInWith,
  type Tokens,
} from '../support/relying-party.ts';

export interface World {
  app: App;
  /** Uses the application. */
  alice: Member;
  /** Owns it. */
  nina: Member;
}

/** A mistake, and what the inspector and the documentation say about it. */
export interface Mistake {
  name: string;
  make(world: World): Promise<RegisteredClient>;
  rule: RequestRule;
  /** Of the error, in the documentation. */
  page: string;
  /** A part of the inspector's cause, and of its fix. */
  cause: string;
  fix: string;
  /** Parts of the comparison of what came and what is registered or expected. */
  shows?: readonly string[];
  /** A part of the documentation's page. */
  explained: string;
}

export function server({ app, nina }: World, more = {}): Promise<RegisteredClient> {
  return notebook(app.portico, { ownerId: nina.id, ...more });
}

export function browserApp({ app, nina }: World): Promise<RegisteredClient> {
  return pocket(app.portico, { ownerId: nina.id });
}

export async function request(
  { alice }: World,
  client: RegisteredClient,
  changes: Record<string, string>,
): Promise<RegisteredClient> {
  await alice.browser.open(`/oauth/authorize?${authorizationRequest(client, changes)}`);
  return client;
}

export type Fields = Record<string, string>;

/** Get a code. Returns the fields of a correct exchange. */
export async function exchange({ alice }: World, client: RegisteredClient): Promise<Fields> {
  const { verifier, challenge } = pkce();
  const proof = { code_challenge: challenge, code_challenge_method: 'S256' };
  const callback = await answerConsent(alice.browser, authorizationRequest(client, proof));
  return {
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code') ?? '',
    redirect_uri: client.redirectUri,
    code_verifier: verifier,
  };
}

export async function exchangeWith(world: World, changes: Fields): Promise<RegisteredClient> {
  const client = await server(world);
  await askToken(world.app, client, { ...(await exchange(world, client)), ...changes });
  return client;
}

export function refreshWith(
  { app }: World,
  client: RegisteredClient,
  refreshToken: string,
): Promise<Response> {
  return askToken(app, client, { grant_type: 'refresh_token', refresh_token: refreshToken });
}

export async function signedIn(
  world: World,
  scope?: string,
): Promise<{ client: RegisteredClient; tokens: Tokens }> {
  const client = await server(world);
  return { client, tokens: await signInWith(world.app, client, 'alice', scope) };
}

export async function call(
  world: World,
  path: string,
  kind: 'access_token' | 'refresh_token' = 'access_token',
) {
  const { client, tokens } = await signedIn(world);
  await callApi(world.app, path, tokens[kind]);
  return client;
}
