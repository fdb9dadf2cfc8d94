// The provider that the protocol's tests use: an in-memory database, a clock that tests set, members and
// applications. alice reads, bob writes, mallory attacks. notebook is confidential, pocket is public.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { byMember, byServer, type MemberDoer } from '../../src/audit/doer.ts';
import type { AccountStatus } from '../../src/identity/user.ts';
import type { Timestamp } from '../../src/lib/clock.ts';
import { approve, type SignedInMember } from '../../src/oauth/authorization.ts';
import { redeemAuthorizationCode } from '../../src/oauth/authorization-code.ts';
import {
  type AuthorizationRequest,
  readAuthorizationRequest,
} from '../../src/oauth/authorization-request.ts';
import type { AuthorizationServer } from '../../src/oauth/authorization-server.ts';
import { authenticateBearer } from '../../src/oauth/bearer-token.ts';
import { type ClientRegistration, registerClient } from '../../src/oauth/client.ts';
import type { Client } from '../../src/oauth/client-store.ts';
import { OAuthError, type OAuthErrorCode } from '../../src/oauth/errors.ts';
import { Form } from '../../src/oauth/form.ts';
import type { IssuedTokens } from '../../src/oauth/issued-tokens.ts';
import { rotateRefreshToken } from '../../src/oauth/refresh-token.ts';
import { revokeToken } from '../../src/oauth/revocation.ts';
import { SCOPES, type ScopeSet } from '../../src/oauth/scope.ts';
import type { GrantDuration } from '../../src/oauth/store.ts';
import { identityStore } from '../../src/storage/identity/identity-store.ts';
import { oauthStore } from '../../src/storage/oauth/oauth-store.ts';
import { migratedMemory } from '../support/databases.ts';
import { setStatus } from '../support/people.ts';
import { portsOf } from '../support/ports.ts';

export const NEW_YEAR: Timestamp = Date.UTC(2027, 0, 1);
export const ISSUER = 'https://portico.example';

/** The example of RFC 7636 appendix B. */
export const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
export const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

export const NOTEBOOK_CALLBACK = 'https://notebook.example/oauth/callback';
export const POCKET_CALLBACK = 'https://pocket.example/signed-in';

export type Parameters = Record<string, string | undefined>;

/** A member, and when they last signed in. */
export interface Person {
  userId: number;
  authenticatedAt: Timestamp;
}

export type Provider = Awaited<ReturnType<typeof openProvider>>;

/** Open a provider at New Year with its members and applications. Close it after use. */
export async function openProvider() {
  const database = await migratedMemory();
  let now = NEW_YEAR;
  const server: AuthorizationServer = {
    ...portsOf(oauthStore(database)),
    clock: () => now,
    documentPolicy: () => 'open',
    brand: 'svc',
    issuer: ISSUER,
    rsaKeyBits: 2048,
  };
  const identity = identityStore(database);

  async function addPerson(username: string): Promise<Person> {
    const userId = await identity.addUser(
      byServer(() => now),
      {
        username,
        usernameKey: username,
        email: undefined,
        emailKey: undefined,
        passwordHash: 'never used here',
        bio: '',
        isOperator: false,
        createdAt: now,
      },
    );
    assert(typeof userId === 'number');
    return { userId, authenticatedAt: now };
  }

  async function register(registration: Partial<ClientRegistration>): Promise<Client> {
    const { client } = await registerClient(byServer(server.clock), server, {
      name: 'Notebook',
      kind: 'confidential',
      redirectUris: [NOTEBOOK_CALLBACK],
      ...registration,
    });
    return client;
  }

  return {
    server,
    database,
    register,
    alice: await addPerson('alice'),
    bob: await addPerson('bob'),
    mallory: await addPerson('mallory'),
    notebook: await register({}),
    pocket: await register({ name: 'Pocket', kind: 'public', redirectUris: [POCKET_CALLBACK] }),
    /** The application of an attacker, registered like any other. */
    trap: await register({ name: 'Trap', redirectUris: ['https://trap.example/callback'] }),
    advance(duration: number): void {
      now += duration;
    },
    setClock(moment: Timestamp): void {
      now = moment;
    },
    /** Returns false if the account had this status already. */
    setStatus(person: Person, status: AccountStatus): Promise<boolean> {
      return setStatus({ ...portsOf(identity), clock: () => now }, person.userId, status);
    },
    close: () => database.close(),
  };
}

/** The doer of what this person does now. */
export function asMember({ server }: Pick<Provider, 'server'>, { userId }: Person): MemberDoer {
  return byMember({ id: userId }, server.clock);
}

/** The person as the member who answers an authorization request now. */
export function asSignedIn(provider: Pick<Provider, 'server'>, person: Person): SignedInMember {
  const { authenticatedAt } = person;
  return { ...asMember(provider, person), authenticatedAt, provenAt: authenticatedAt, sessionKey: undefined };
}

/** A form with the parameters that have a value. */
export function formOf(parameters: Parameters): Form {
  return new Form(
    Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
}

/** The parameters of a good authorization request of an application. */
export function requestParameters(client: Client): Record<string, string> {
  return {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: client.redirectUris[0] ?? '',
    scope: 'profile:read posts:read',
    state: 'af0ifjsldkj',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
  };
}

/** A good authorization request with some parameters changed. It must stay good. */
export async function authorizationRequestOf(
  provider: Provider,
  client: Client,
  changes: Parameters = {},
): Promise<AuthorizationRequest> {
  const form = formOf({ ...requestParameters(client), ...changes });
  const result = await readAuthorizationRequest(provider.server, form);
  assert(result.outcome === 'request', `expected a request, not ${result.outcome}`);
  return result.request;
}

export interface ConsentOptions {
  /** Changes to the request's parameters. */
  changes?: Parameters;
  ticked?: ScopeSet;
  duration?: GrantDuration;
}

/** Let the person allow the ticked scopes, all by default. Returns the code. */
export async function allow(
  provider: Provider,
  client: Client,
  person: Person,
  { changes = {}, ticked = SCOPES, duration = 'until_removed' }: ConsentOptions = {},
): Promise<string> {
  const by = asSignedIn(provider, person);
  const answer = await approve(by, provider.server, await authorizationRequestOf(provider, client, changes), {
    ticked,
    duration,
  });
  assert(answer !== undefined && !(answer instanceof OAuthError));
  return answer.code;
}

/** Tokens with a refresh token, as applications get them unless the member allowed one sign-in only. */
export type LastingTokens = IssuedTokens & { refreshToken: string };

function lasting(tokens: IssuedTokens): LastingTokens {
  const { refreshToken } = tokens;
  assert(refreshToken !== undefined);
  return { ...tokens, refreshToken };
}

/** Present a code as its application would, except for the changes. */
export async function redeem(
  provider: Provider,
  client: Client,
  code: string,
  changes: Parameters = {},
): Promise<LastingTokens> {
  return lasting(await redeemOnce(provider, client, code, changes));
}

/** As `redeem`, for a code that yields no refresh token. */
export function redeemOnce(
  provider: Provider,
  client: Client,
  code: string,
  changes: Parameters = {},
): Promise<IssuedTokens> {
  const redirectUri = client.redirectUris[0];
  const form = formOf({ code, redirect_uri: redirectUri, code_verifier: VERIFIER, ...changes });
  return redeemAuthorizationCode(provider.server, client, form);
}

/** Go from consent to tokens. */
export async function signIn(provider: Provider, client: Client, person: Person): Promise<LastingTokens> {
  return redeem(provider, client, await allow(provider, client, person));
}

export async function refresh(
  provider: Provider,
  client: Client,
  refreshToken: string,
  scope?: string,
): Promise<LastingTokens> {
  const form = formOf({ refresh_token: refreshToken, scope });
  return lasting(await rotateRefreshToken(provider.server, client, form));
}

export async function revoke(
  provider: Provider,
  client: Client,
  token: string,
  hint?: string,
): Promise<void> {
  await revokeToken(provider.server, client, formOf({ token, token_type_hint: hint }));
}

/** Whether the resource API accepts the token now. */
export async function isHonoured(provider: Provider, accessToken: string): Promise<boolean> {
  return (await scopesOf(provider, accessToken)) !== undefined;
}

/** The scopes with which the resource API accepts the token now. Undefined if it is refused. */
export async function scopesOf(provider: Provider, accessToken: string): Promise<ScopeSet | undefined> {
  try {
    return (await authenticateBearer(provider.server, accessToken)).scopes;
  } catch (error) {
    assert(error instanceof OAuthError && error.code === 'invalid_token');
    return undefined;
  }
}

/** Expect an error with this code, and with a description that matches. */
export async function assertRefused(
  attempt: Promise<unknown> | (() => unknown),
  code: OAuthErrorCode,
  words = /./,
): Promise<void> {
  const promise = typeof attempt === 'function' ? (async () => attempt())() : attempt;
  await assert.rejects(promise, (error) => {
    assert(error instanceof OAuthError, `not a refusal of the protocol: ${error}`);
    assert.equal(error.code, code, error.description);
    assert.match(error.description, words);
    // RFC 6749 §5.2: the characters that a description may contain.
    assert.match(error.description, /^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/);
    return true;
  });
}

/** The S256 transform, computed here and not by the code under test. */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

/** The scopes that a member allows an application now. Undefined if no consent is in force. */
export async function consentOf(
  provider: Provider,
  person: Person,
  client: Client,
): Promise<ScopeSet | undefined> {
  const grant = await provider.server.reads.findGrant(person.userId, client.id, provider.server.clock());
  return grant?.withdrawnAt === undefined ? grant?.scopes : undefined;
}
