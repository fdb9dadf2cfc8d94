// Members with sign-ins and personal tokens, added straight through the stores, for tests that need many.

import { byMember, byServer } from '../../src/audit/doer.ts';
import type { Portico } from '../../src/compose.ts';
import { emailKeyOf } from '../../src/identity/email-address.ts';
import type { Identity } from '../../src/identity/identity.ts';
import { usernameKey } from '../../src/identity/username.ts';
import { FAMILY_LIFETIME, mintAccessToken, REFRESH_TOKEN_LIFETIME } from '../../src/oauth/issued-tokens.ts';
import { createPersonalToken } from '../../src/oauth/personal-token.ts';
import type { ScopeSet } from '../../src/oauth/scope.ts';
import type { NewAuthorizationCode } from '../../src/oauth/store.ts';
import { mintToken } from '../../src/oauth/token.ts';
import type { RegisteredClient } from './people.ts';

const SCOPES: ScopeSet = ['profile:read', 'posts:read'];

/** Add an account. Nobody can sign in to it unless it has a password hash. Returns its id. */
export async function addMember(
  { identity: { writes, clock } }: { identity: Identity },
  username: string,
  { bio = '', passwordHash = 'none', email = undefined as string | undefined, createdAt = clock() } = {},
): Promise<number> {
  const id = await writes.addUser(byServer(clock), {
    username,
    usernameKey: usernameKey(username),
    email,
    emailKey: email && emailKeyOf(email),
    passwordHash,
    bio,
    isOperator: false,
    createdAt,
  });
  if (typeof id !== 'number') throw new Error(`${username}: ${id}`);
  return id;
}

/** Let a member allow an application these scopes, by default profile and posts. Returns the code. */
export async function addCode(
  { oauth, config, clock }: Portico,
  client: RegisteredClient,
  userId: number,
  { scopes, nonce }: { scopes: ScopeSet; nonce?: string } = { scopes: SCOPES },
): Promise<{ text: string; record: NewAuthorizationCode }> {
  const by = byMember({ id: userId }, clock);
  const now = by.at;
  const { text, key, digest } = mintToken('code', config.brand, now);
  const code = {
    key,
    digest,
    clientId: client.id,
    userId,
    scopes,
    nonce,
    authenticatedAt: now,
    redirectUri: client.redirectUri,
    codeChallenge: undefined,
    expiresAt: now + 60_000,
    duration: 'until_removed' as const,
    grantEndsAt: undefined,
    program: undefined,
    network: undefined,
  };
  for (let isAllowed = false; !isAllowed; ) {
    const grant = await oauth.reads.findGrant(userId, client.id, now);
    const inForce = grant?.withdrawnAt === undefined ? grant : undefined;
    isAllowed = await oauth.writes.approve(by, inForce, scopes, code);
  }
  return { text, record: code };
}

/** Let a member allow an application profile and posts, and redeem the code. Returns the tokens. */
export async function addSignIn(
  portico: Portico,
  client: RegisteredClient,
  userId: number,
): Promise<{ access: string; accessKey: string; refresh: string }> {
  const { oauth, config, clock } = portico;
  const { record: code } = await addCode(portico, client, userId);
  const now = clock();
  const refresh = mintToken('refresh', config.brand, now);
  const expiresAt = now + FAMILY_LIFETIME;
  const access = mintAccessToken(oauth, { key: refresh.key, userId, expiresAt }, code.scopes, now);
  await oauth.writes.redeem(
    { ...code, redeemedAt: undefined, voidedAt: undefined, pausedAt: undefined, accountStatus: 'active' },
    {
      clientId: client.id,
      userId,
      scopes: code.scopes,
      authenticatedAt: code.authenticatedAt,
      key: refresh.key,
      refreshDigest: refresh.digest,
      refreshExpiresAt: now + REFRESH_TOKEN_LIFETIME,
      issuedAt: now,
      expiresAt,
      program: undefined,
      network: undefined,
    },
    access.record,
    now,
  );
  return { access: access.text, accessKey: access.record.key, refresh: refresh.text };
}

/** Create a personal token with all scopes that it can have. */
export async function addPersonalToken(
  { oauth }: Portico,
  userId: number,
): Promise<{ id: number; text: string }> {
  const token = await createPersonalToken(byServer(oauth.clock), oauth, {
    userId,
    name: 'laptop',
    scopes: SCOPES,
    days: 1,
  });
  if ('problem' in token) throw new Error(token.problem);
  return token;
}

/** Add a line to the requests of an application. */
export async function addRequestLine(
  { oauth, clock }: Portico,
  { id: clientId }: { id: string },
  path: string,
): Promise<void> {
  const facts = { endpoint: 'api', outcome: 'read', status: 200, broken: [], path } as const;
  const [firstAt, lastAt] = [clock(), clock() + 1];
  const line = {
    clientId,
    id: 'aB',
    kind: 'read',
    facts,
    network: '',
    program: 'curl',
    requests: 2,
  } as const;
  await oauth.writes.addRequestLines(clientId, [{ ...line, minute: firstAt, firstAt, lastAt }]);
}
