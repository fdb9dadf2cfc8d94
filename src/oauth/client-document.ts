// Client ID metadata documents (draft-ietf-oauth-client-id-metadata-document): an application that isn't registered has
// as its client_id the https address of a JSON document, in which it describes itself.

import { isIP } from 'node:net';
import { DAY, HOUR, MINUTE, SECOND } from '../lib/clock.ts';
import { hasHiddenCharacters } from '../lib/one-line.ts';
import type { Client, DescribedClient } from './client-store.ts';
import { isLoopback, problemWithRedirectUri } from './redirect-uri.ts';
import { MOST_REDIRECT_URIS } from './registration-rules.ts';
import { API_SCOPES, intersection, parseScope } from './scope.ts';

// An index entry of PostgreSQL takes about 2,700 bytes.
const LONGEST_URL = 500;
const LONGEST_NAME = 60;
const MOST_QUOTED = 100;

const SHORTEST_FRESH = 5 * MINUTE;
const USUAL_FRESH = 1 * HOUR;
const LONGEST_FRESH = 1 * DAY;

/** How long an application is kept that no member has allowed, after its document was fresh. */
export const UNUSED_DOCUMENT_LIFETIME = 30 * DAY;

/**
 * Which of these applications the server accepts: none; those that it knows already; new ones, which wait for the
 * operators' approval; or all.
 */
export type DocumentPolicy = 'off' | 'known' | 'approval' | 'open';

/** The policy of a community: an application needs no more trust than one that any member could register. */
export function documentPolicyOf(
  isOn: boolean,
  registration: 'open' | 'approval' | 'operators',
): DocumentPolicy {
  if (!isOn) return 'off';
  return registration === 'operators' ? 'known' : registration;
}

/** The address or its document can't be used. The message tells the developer why. */
export class UnusableDocument extends Error {
  /** The site fails, which says nothing about the document. */
  readonly isPassing: boolean;

  constructor(message: string, isPassing = false) {
    super(message);
    this.isPassing = isPassing;
  }
}

/** Report whether a client_id is meant as the address of a document. */
export function isDocumentUrl(clientId: string): boolean {
  return clientId.startsWith('https://');
}

/** Throw `UnusableDocument` if a document can't have this address. */
export function checkDocumentUrl(address: string, issuer: string): void {
  const problem = problemWithUrl(address, issuer);
  if (problem !== undefined) throw new UnusableDocument(problem);
}

// One application has one address, in one spelling. So a query and a port are not accepted, which the draft only
// discourages or allows: they would let one site have any number of them, and lead the server to any port.
function problemWithUrl(address: string, issuer: string): string | undefined {
  const url = URL.parse(address);
  if (address.length > LONGEST_URL) return `The client_id is longer than ${LONGEST_URL} characters.`;
  if (url === null) return 'The client_id is not a URL.';
  if (url.username !== '' || url.password !== '')
    return 'The client_id must not have a user name or a password.';
  if (address.includes('#')) return 'The client_id must not have a fragment (#).';
  if (address.includes('?')) return 'The client_id must not have a query (?).';
  if (url.port !== '') return `The client_id must not have a port, here ${url.port}.`;
  if (url.pathname === '/') return 'The client_id must have a path, such as https://example.com/client.json.';
  if (address !== url.href)
    return 'The client_id must be written as browsers write it, without dot segments.';
  const { hostname } = url;
  if (isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0 || !/[^.]\.[^.]+$/.test(hostname)) {
    return 'The host of the client_id must be a domain name.';
  }
  return hostname === new URL(issuer).hostname
    ? 'The host of the client_id is this community itself.'
    : undefined;
}

/** Read the document of an application. Throws `UnusableDocument`. */
export function readDocument(address: string, body: Uint8Array): DescribedClient {
  const fields = objectIn(body);
  if (fields.client_id !== address) {
    throw new UnusableDocument(
      `client_id in the document must be ${address}, not ${quoted(fields.client_id)}.`,
    );
  }
  for (const name of ['client_secret', 'client_secret_expires_at']) {
    if (fields[name] !== undefined) {
      throw new UnusableDocument(`The document must not have ${name}: everyone can read it.`);
    }
  }
  const { token_endpoint_auth_method: method = 'none' } = fields;
  if (method !== 'none') {
    throw new UnusableDocument(`token_endpoint_auth_method must be none, not ${quoted(method)}.`);
  }
  checkHas(fields, 'grant_types', 'authorization_code');
  checkHas(fields, 'response_types', 'code');
  return {
    claimedName: nameIn(fields),
    redirectUris: redirectUrisIn(fields, new URL(address).origin),
    scopes: scopesIn(fields),
  };
}

/** How long a document is fresh, in milliseconds. */
export function freshFor(cacheControl = ''): number {
  if (/\bno-(?:store|cache)\b/i.test(cacheControl)) return SHORTEST_FRESH;
  const seconds = /\bmax-age="?(\d{1,9})/i.exec(cacheControl)?.[1];
  const asked = seconds === undefined ? USUAL_FRESH : Number(seconds) * SECOND;
  return Math.min(LONGEST_FRESH, Math.max(SHORTEST_FRESH, asked));
}

type Fields = Readonly<Record<string, unknown>>;

function objectIn(body: Uint8Array): Fields {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new UnusableDocument('The document is not JSON in UTF-8.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UnusableDocument('The document is not a JSON object.');
  }
  return value as Fields;
}

function checkHas(fields: Fields, name: string, needed: string): void {
  const value = fields[name];
  if (value === undefined || (Array.isArray(value) && value.includes(needed))) return;
  throw new UnusableDocument(`${name} must contain ${needed}.`);
}

function nameIn({ client_name: value }: Fields): string {
  const name = typeof value === 'string' ? value.trim() : '';
  const { length } = [...name];
  if (length >= 1 && length <= LONGEST_NAME && !hasHiddenCharacters(name)) return name;
  throw new UnusableDocument(`client_name must have 1 to ${LONGEST_NAME} visible characters.`);
}

// The host is all that members know of the application, so nothing may be sent to another one. Loopback addresses are
// for programs on the member's device, which are asked about each time. Others are left out, since a document serves
// many communities.
function redirectUrisIn({ redirect_uris: value }: Fields, origin: string): string[] {
  if (!Array.isArray(value) || !value.every((uri) => typeof uri === 'string') || value.length === 0) {
    throw new UnusableDocument('redirect_uris must be a list of addresses.');
  }
  if (value.length > MOST_REDIRECT_URIS) {
    throw new UnusableDocument(`redirect_uris must have at most ${MOST_REDIRECT_URIS} addresses.`);
  }
  const problems = value.map((uri) => problemWithCallback(uri, origin));
  const usable = value.filter((_, index) => problems[index] === undefined);
  if (usable.length > 0) return [...new Set(usable)];
  throw new UnusableDocument(
    `redirect_uris has no address that can be used. ${quoted(value[0])}: ${problems[0]}`,
  );
}

function problemWithCallback(uri: string, origin: string): string | undefined {
  const problem = problemWithRedirectUri(uri);
  if (problem !== undefined) return problem;
  const url = new URL(uri);
  const isOwn = url.origin === origin || (url.protocol === 'http:' && isLoopback(url.hostname));
  return isOwn ? undefined : `The address must begin with ${origin}/, or be a loopback address.`;
}

// Nothing but reading is needed. Without `openid` the application gets no id_token, whose audience would be its id.
function scopesIn({ scope }: Fields): Client['scopes'] {
  const asked = typeof scope === 'string' ? parseScope(scope) : undefined;
  const scopes = intersection(asked ?? [], API_SCOPES);
  return scopes.length === 0 ? API_SCOPES : scopes;
}

function quoted(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing';
  return text.length > MOST_QUOTED ? `${text.slice(0, MOST_QUOTED)}…` : text;
}
