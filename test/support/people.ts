// The members and applications of the tests. alice reads, bob writes, mallory attacks.

import assert from 'node:assert/strict';
import { byMember, byServer } from '../../src/audit/doer.ts';
import { write } from '../../src/community/writing.ts';
import type { Portico } from '../../src/compose.ts';
import type { Identity } from '../../src/identity/identity.ts';
import type { AccountStatus } from '../../src/identity/user.ts';
import { type ClientRegistration, registerClient } from '../../src/oauth/client.ts';
import { Browser } from './browser.ts';
import { addMember } from './seeding.ts';

export const PASSWORD = 'a long walk in the rain';
/** A hash of `PASSWORD` that is quick to verify. */
export const PASSWORD_HASH =
  '$argon2id$v=19$m=8,t=1,p=1$c2FsdC1vZi10aGUtdGVzdHM$E2QzhXU9J5ylR+lxiR5zJ0tXjgTHs98qhsWgx1oGvYQ';

export interface Person {
  id: number;
  username: string;
}

/** Add an account with `PASSWORD`. */
export async function person(portico: Portico, username: string, bio = ''): Promise<Person> {
  const id = await addMember(portico, username, { bio, passwordHash: PASSWORD_HASH });
  return { id, username };
}

/** Sign a member in, by default with `PASSWORD`. Returns the member's browser. */
export async function browserOf(
  { url }: { url: string },
  username: string,
  language = 'en',
  password = PASSWORD,
): Promise<Browser> {
  const browser = new Browser(url, language);
  const answer = await browser.signIn(username, password);
  assert.equal(answer.status, 303);
  return browser;
}

export type Member = Person & { browser: Browser };

/** Add an account with `PASSWORD`, and sign in. */
export async function member(
  app: { url: string; portico: Portico },
  username: string,
  { bio = '', language = 'en', isOperator = false } = {},
): Promise<Member> {
  const account = await person(app.portico, username, bio);
  const { identity, clock } = app.portico;
  if (isOperator) {
    await identity.writes.setRole(byServer(clock), account.id, 'operator');
    // Otherwise tests that move the clock by weeks would need a second factor.
    await identity.writes.setFactorDue(byMember(account, clock), Date.UTC(9999, 0));
  }
  return { ...account, browser: await browserOf(app, username, language) };
}

/** Set the status of an account. */
export function setStatus(
  { writes, clock }: Pick<Identity, 'writes' | 'clock'>,
  userId: number,
  status: AccountStatus,
): Promise<boolean> {
  const by = byServer(clock);
  return status === 'closed' ? writes.closeAccount(by, userId) : writes.setStatus(by, userId, status);
}

export interface RegisteredClient {
  id: string;
  secret: string;
  redirectUri: string;
}

/** Register a confidential application. */
export function notebook(
  portico: Portico,
  more: Partial<ClientRegistration> = {},
): Promise<RegisteredClient> {
  return register(portico, {
    name: 'Notebook',
    kind: 'confidential',
    redirectUris: ['https://notebook.example.com/callback'],
    ...more,
  });
}

/** Register a public application. */
export function pocket(portico: Portico, more: Partial<ClientRegistration> = {}): Promise<RegisteredClient> {
  return register(portico, {
    name: 'Pocket',
    kind: 'public',
    redirectUris: ['https://pocket.example.com/cb'],
    ...more,
  });
}

/** Publish a post. Returns its id. */
export async function publish(
  portico: Portico,
  author: Person,
  title: string,
  body = 'Some words.',
  tags = '',
): Promise<number> {
  const text = { title, body, categoryId: 1, tags };
  const writing = { authorId: author.id, text, status: 'published' } as const;
  const post = await write(byServer(portico.clock), portico.community, writing);
  if (!('id' in post)) throw new Error(JSON.stringify(post));
  return post.id;
}

async function register(portico: Portico, registration: ClientRegistration): Promise<RegisteredClient> {
  const { client, secret } = await registerClient(byServer(portico.clock), portico.oauth, registration);
  return { id: client.id, secret: secret ?? '', redirectUri: client.redirectUris[0] ?? '' };
}
