// Credentials of this site that were found in public: recognising them in a text, and revoking them, whoever found
// them. Nobody learns from the answer whether one was live.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ExposureSource, MASK, type MaskCredentials } from '../audit/credential-notice.ts';
import type { Timestamp } from '../lib/clock.ts';
import { groupsOf } from '../lib/groups.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { Client } from './client-store.ts';
import type { ExposureAct } from './exposed-credential-store.ts';
import { isLive } from './personal-token.ts';
import type { PersonalToken } from './personal-token-store.ts';
import type { AccessToken, TokenFamily } from './store.ts';
import { isGenuine, readToken } from './token.ts';

/** A genuine credential of this site, which may be dead. */
export type KnownCredential =
  | { kind: 'personal'; token: PersonalToken }
  | { kind: 'access'; token: AccessToken }
  | { kind: 'refresh'; family: TokenFamily }
  | { kind: 'client_secret'; client: Client };

/** Where a credential was found. */
export interface Finding {
  source: ExposureSource;
  /** The page, if the one who found it is trusted to name it. */
  url?: string | undefined;
}

/**
 * Find the record of a credential. Of the refresh tokens of a sign-in only the newest two can be told from a forgery;
 * older ones are dead. Undefined for codes, which are valid for minutes only.
 */
export async function findCredential(
  { reads, brand }: AuthorizationServer,
  text: string,
): Promise<KnownCredential | undefined> {
  const credential = readToken(text, brand);
  switch (credential?.kind) {
    case 'personal': {
      const token = await reads.findPersonalToken(credential.key);
      return token && isGenuine(credential, token.digest) ? { kind: 'personal', token } : undefined;
    }
    case 'access': {
      const token = await reads.findAccessToken(credential.key);
      return token && isGenuine(credential, token.digest) ? { kind: 'access', token } : undefined;
    }
    case 'refresh': {
      const family = await reads.findTokenFamily(credential.key);
      const digests = [family?.refreshDigest, family?.previousDigest];
      const isKnown = digests.some((digest) => digest !== undefined && isGenuine(credential, digest));
      return family && isKnown ? { kind: 'refresh', family } : undefined;
    }
    case 'clientSecret': {
      const client = await reads.findClientBySecret(credential.digest);
      return client && { kind: 'client_secret', client };
    }
    default:
      return undefined;
  }
}

/** A text that may be a credential, and where it was found. */
export interface ExposedText extends Finding {
  text: string;
}

/** Whether a text is a credential of this site, and whether it worked until it was found. */
export type Exposure = 'unknown' | 'dead' | 'live';

/**
 * Revoke the credentials in a report, and tell each owner once: an access token alone, a refresh token with its
 * sign-in, an API token. The secret of an application goes on working, since it opens no account by itself and the
 * application would stop for all its members: its owner and the operators are told, once a day.
 */
export async function revokeExposed(
  server: AuthorizationServer,
  texts: readonly ExposedText[],
): Promise<Exposure[]> {
  const found = await findCredentials(
    server,
    texts.map(({ text }) => text),
  );
  const at = server.clock();
  const live = new Map<KnownCredential, Finding>();
  const exposures = texts.map(({ text, ...finding }) => {
    const credential = found.get(text);
    if (credential === undefined) return 'unknown';
    if (!isAlive(credential, at)) return 'dead';
    if (!live.has(credential)) live.set(credential, finding);
    return 'live';
  });
  const byOwner = Map.groupBy(live, ([credential]) => ownerOf(credential));
  for (const [ownerId, credentials] of byOwner) {
    const others = ownerId === undefined ? 0 : credentials.length - 1;
    let isTold = false;
    for (const [credential, finding] of credentials) {
      const about = { kind: credential.kind, name: await nameOf(server, credential), ...finding };
      const act = { about: others === 0 ? about : { ...about, others }, at, isTold };
      const isRevoked = await revoke(server, credential, act);
      // The secrets of applications have no owner here, since several people are told of each.
      isTold ||= isRevoked && ownerId !== undefined;
    }
  }
  return exposures;
}

// Reads that begin together share a statement on PostgreSQL. Larger parts would keep SQLite from other requests.
const READ_TOGETHER = 32;

async function findCredentials(
  server: AuthorizationServer,
  texts: readonly string[],
): Promise<Map<string, KnownCredential | undefined>> {
  const found = new Map<string, KnownCredential | undefined>();
  const different = [...new Set(texts)];
  for (const group of groupsOf(different, READ_TOGETHER)) {
    if (found.size > 0) await nextTurn();
    const credentials = await Promise.all(group.map((text) => findCredential(server, text)));
    for (const [index, text] of group.entries()) found.set(text, credentials[index]);
  }
  return found;
}

/** The member whose account a credential opens. */
function ownerOf(found: KnownCredential): number | undefined {
  switch (found.kind) {
    case 'personal':
    case 'access':
      return found.token.user.id;
    case 'refresh':
      return found.family.userId;
    case 'client_secret':
      return undefined;
  }
}

function revoke({ writes }: AuthorizationServer, found: KnownCredential, act: ExposureAct): Promise<boolean> {
  switch (found.kind) {
    case 'personal':
      return writes.revokeExposedPersonalToken(found.token, act);
    case 'access': {
      const { key, clientId, user } = found.token;
      return writes.revokeExposedAccessToken({ key, clientId, userId: user.id }, act);
    }
    case 'refresh':
      return writes.revokeExposedFamily(found.family, act);
    case 'client_secret':
      return writes.tellOfExposedSecret(found.client, act);
  }
}

/** Report whether a credential still works. Doesn't check the account or the application. */
export function isAlive(found: KnownCredential, now: Timestamp): boolean {
  switch (found.kind) {
    case 'personal':
      return isLive(found.token, now);
    case 'access': {
      const { revokedAt, familyRevokedAt, expiresAt } = found.token;
      return revokedAt === undefined && familyRevokedAt === undefined && expiresAt > now;
    }
    case 'refresh':
      return found.family.revokedAt === undefined && found.family.refreshExpiresAt > now;
    case 'client_secret':
      return true;
  }
}

/** The name of an API token, or of the application. */
async function nameOf({ reads }: AuthorizationServer, found: KnownCredential): Promise<string> {
  if (found.kind === 'personal') return found.token.name;
  if (found.kind === 'client_secret') return found.client.name;
  const { clientId } = found.kind === 'access' ? found.token : found.family;
  return (await reads.findClient(clientId))?.name ?? clientId;
}

// A text with more is no mistake of its author, and each takes a query.
const MOST_LOOKED_UP = 20;

// As Markdown shows it: editors escape it, and so does the description of a picture.
const UNDERSCORE = String.raw`(?:\\?_|&#0{0,5}95;|&#[xX]0{0,5}5[fF];|&(?:lowbar|UnderBar);)`;
const ONE_UNDERSCORE = new RegExp(UNDERSCORE);
const SECRET_LENGTH = 60;

/** List the credentials in a text, by their form and checksum alone, each with its spellings. */
function credentialsIn(text: string, brand: string): [credential: string, spellings: string[]][] {
  if (!text.includes(brand)) return [];
  const spellings = new Set(text.match(formOf(brand)) ?? []);
  return [...Map.groupBy(spellings, credentialOf)].filter(([one]) => readToken(one, brand) !== undefined);
}

function formOf(brand: string): RegExp {
  const form = `${brand}[oprs]${UNDERSCORE}[0-9A-Za-z]{${SECRET_LENGTH}}`;
  return new RegExp(`(?<![0-9A-Za-z])${form}(?![0-9A-Za-z])`, 'g');
}

function credentialOf(spelling: string): string {
  return spelling.replace(ONE_UNDERSCORE, '_');
}

function masked(spelling: string): string {
  return spelling.slice(0, -SECRET_LENGTH) + MASK;
}

/** Make the function that masks and revokes the live credentials in a text that becomes public. */
export function credentialMask(server: AuthorizationServer): MaskCredentials {
  return (text, source) => maskExposed(server, text, source);
}

async function maskExposed(
  server: AuthorizationServer,
  text: string,
  source: ExposureSource,
): Promise<string> {
  const credentials = credentialsIn(text, server.brand);
  if (credentials.length === 0) return text;
  const exposures = await revokeExposed(
    server,
    credentials.slice(0, MOST_LOOKED_UP).map(([one]) => ({ text: one, source })),
  );
  const result = credentials
    .slice(0, MOST_LOOKED_UP)
    .filter((_, index) => exposures[index] === 'live')
    .flatMap(([, spellings]) => spellings)
    .reduce((rest, one) => rest.replaceAll(one, masked(one)), text);
  // Those that aren't looked up are masked too, or invented ones would let a live one pass.
  const others = new Set(credentials.slice(MOST_LOOKED_UP).map(([one]) => one));
  return others.size === 0
    ? result
    : result.replace(formOf(server.brand), (one) => (others.has(credentialOf(one)) ? masked(one) : one));
}
