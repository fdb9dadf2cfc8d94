// A community to measure: members with posts, and applications with sign-ins, written straight through the stores.

import { createHash } from 'node:crypto';
import { byMember, byServer } from '../src/audit/doer.ts';
import type { Portico } from '../src/compose.ts';
import { startSession } from '../src/identity/session.ts';
import { MARKDOWN_VERSION } from '../src/lib/markdown.ts';
import { registerClient } from '../src/oauth/client.ts';
import type { Client } from '../src/oauth/client-store.ts';
import {
  CODE_LIFETIME,
  FAMILY_LIFETIME,
  mintAccessToken,
  REFRESH_TOKEN_LIFETIME,
} from '../src/oauth/issued-tokens.ts';
import { SCOPES, type ScopeSet } from '../src/oauth/scope.ts';
import type { AuthorizationCode, NewAuthorizationCode } from '../src/oauth/store.ts';
import { mintToken } from '../src/oauth/token.ts';

const START = { method: 'password', address: '192.0.2.7' } as const;

export const CALLBACK = 'https://notebook.example.com/callback';
export const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

export interface Application {
  client: Client;
  secret: string;
}

/** A member's tokens at an application. */
export interface SignedIn {
  access: string;
  refresh: string;
}

/** Add members; their ids begin at 1. */
export async function addMembers({ identity, clock }: Portico, count: number): Promise<void> {
  await inGroups(count, (index) =>
    identity.writes.addUser(byServer(clock), {
      username: `member-${index + 1}`,
      usernameKey: `member-${index + 1}`,
      email: undefined,
      emailKey: undefined,
      passwordHash: 'none',
      bio: 'Reads a lot',
      isOperator: index === 0,
      createdAt: clock(),
    }),
  );
}

/** Add `postsEach` published posts by each of `authors` members, from the one with the number `first` on. */
export async function addPosts(
  { community, clock }: Portico,
  { first, authors, postsEach }: { first: number; authors: number; postsEach: number },
): Promise<void> {
  await inGroups(authors * postsEach, (index) =>
    community.writes.addPost(
      { kind: 'server', at: clock() - index },
      {
        userId: first + (index % authors),
        title: `Post ${index}`,
        body: 'Some words about a thing.',
        excerpt: 'Some words about a thing.',
        // As a saved post has it. Otherwise the server would render texts while its speed is measured.
        html: '<p>Some words about a thing.</p>\n',
        htmlVersion: MARKDOWN_VERSION,
        words: `post ${index} some words about a thing`,
        categoryId: 1,
        status: 'published',
        xp: 10,
      },
    ),
  );
}

export async function addApplication(
  portico: Portico,
  idTokenAlg: 'RS256' | 'ES256' = 'RS256',
): Promise<Application> {
  const registration = {
    name: 'Notebook',
    kind: 'confidential',
    redirectUris: [CALLBACK],
    idTokenAlg,
  } as const;
  const { client, secret } = await registerClient(byServer(portico.clock), portico.oauth, registration);
  return { client, secret: secret ?? '' };
}

/** Let members allow the application. Each gets a code that can be redeemed. */
export function addCodes(
  portico: Portico,
  { client }: Application,
  members: number,
  scopes: ScopeSet,
): Promise<{ text: string; record: NewAuthorizationCode }[]> {
  return inGroups(members, async (index) => {
    const now = portico.clock();
    const { text, key, digest } = mintToken('code', portico.config.brand, now);
    const record: NewAuthorizationCode = {
      key,
      digest,
      clientId: client.id,
      userId: index + 1,
      redirectUri: CALLBACK,
      scopes,
      codeChallenge: CHALLENGE,
      nonce: scopes.includes('openid') ? 'n-0S6_WzA2Mj' : undefined,
      authenticatedAt: now,
      expiresAt: now + CODE_LIFETIME,
      duration: 'until_removed',
      grantEndsAt: undefined,
      program: 'Firefox on Linux',
      network: '192.0.2.0/24',
    };
    await portico.oauth.writes.approve(
      byMember({ id: record.userId }, portico.clock),
      undefined,
      scopes,
      record,
    );
    return { text, record };
  });
}

/** Sign members in at the application. Each gets an access token and a refresh token. */
export async function addSignIns(
  portico: Portico,
  application: Application,
  members: number,
): Promise<SignedIn[]> {
  const scopes = SCOPES.filter((scope) => scope !== 'openid');
  const codes = await addCodes(portico, application, members, scopes);
  return inGroups(codes.length, async (index) => {
    const now = portico.clock();
    const code = codes[index]?.record as NewAuthorizationCode;
    const refresh = mintToken('refresh', portico.config.brand, now);
    const expiresAt = now + FAMILY_LIFETIME;
    const access = mintAccessToken(
      portico.oauth,
      { key: refresh.key, userId: code.userId, expiresAt },
      scopes,
      now,
    );
    const storedCode: AuthorizationCode = {
      ...code,
      redeemedAt: undefined,
      voidedAt: undefined,
      pausedAt: undefined,
      accountStatus: 'active',
    };
    await portico.oauth.writes.redeem(
      storedCode,
      {
        key: refresh.key,
        clientId: code.clientId,
        userId: code.userId,
        scopes,
        authenticatedAt: now,
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
    return { access: access.text, refresh: refresh.text };
  });
}

/** Sign members in to the site. Returns their session cookies. */
export function addSessions(portico: Portico, members: number): Promise<string[]> {
  return inGroups(members, (index) => startSession(portico.identity, index + 1, START));
}

// A group shares one commit in SQLite. On PostgreSQL, none may wait for a connection for five seconds.
async function inGroups<T>(count: number, make: (index: number) => Promise<T>, size = 500): Promise<T[]> {
  const results: T[] = [];
  for (let from = 0; from < count; from += size) {
    const length = Math.min(size, count - from);
    results.push(...(await Promise.all(Array.from({ length }, (_, index) => make(from + index)))));
  }
  return results;
}

/** Return the list in random order. */
export function shuffle<T>(list: readonly T[]): T[] {
  const mixed = [...list];
  for (let index = mixed.length - 1; index > 0; index -= 1) {
    const other = Math.floor(Math.random() * (index + 1));
    [mixed[index], mixed[other]] = [mixed[other] as T, mixed[index] as T];
  }
  return mixed;
}
