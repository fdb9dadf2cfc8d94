// Signs that an application imitates the community, or an application that more members use.

import { domainToUnicode } from 'node:url';
import { looksOf as computeLooks, isOneLetterApart, mixesAlphabets } from '../lib/look-alikes.ts';
import { memoize } from '../lib/remember.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { Client } from './client-store.ts';
import { isSharedByDevice } from './redirect-uri.ts';

// Well-known applications are among those that were registered first.
const MOST_COMPARED = 1000;
// The same names and addresses are compared on every consent page.
const looksOf = memoize(computeLooks, 4 * MOST_COMPARED);
const readableHost = memoize(hostOf, 4 * MOST_COMPARED);
// Short addresses differ by one letter by chance.
const LEAST_HOST_LENGTH = 8;

export type Imitation =
  /** The name looks like the community's, or like an official one. */
  | { kind: 'official_name' }
  /** Latin letters stand beside similar ones of another alphabet. */
  | { kind: 'mixed_name' | 'mixed_host' }
  /** The name, or the callback's host, looks like this one. */
  | { kind: 'name' | 'host'; of: string };

/**
 * List the signs that the consent page warns of, for these callback addresses. `isOfficialName` reports whether a name
 * looks like one that belongs to the community. Only other owners' applications count, and only those that more members
 * use.
 */
export async function imitationsBy(
  server: AuthorizationServer,
  client: Client,
  redirectUris: readonly string[],
  isOfficialName: (name: string) => boolean,
): Promise<Imitation[]> {
  const hosts = hostsOf({ ...client, redirectUris, homePage: undefined });
  const name = nameOf(client);
  const found: Imitation[] = [];
  // Operators may give their own applications such names.
  if (!isOperators(client) && isOfficialName(name)) found.push({ kind: 'official_name' });
  if (mixesAlphabets(name)) found.push({ kind: 'mixed_name' });
  if (hosts.some((host) => host.split('.').some(mixesAlphabets))) found.push({ kind: 'mixed_host' });
  const ownHost = readableHost(server.issuer);
  if (hosts.some((host) => resembles(host, ownHost))) found.push({ kind: 'host', of: ownHost });
  return [...found, ...(await likeBetterKnown(server, client, hosts))];
}

async function likeBetterKnown(
  { reads, clock }: AuthorizationServer,
  client: Client,
  hosts: readonly string[],
): Promise<Imitation[]> {
  const looks = looksOf(nameOf(client));
  const now = clock();
  const members = await reads.countGrants(client.id, now);
  const found: Imitation[] = [];
  for (const other of await reads.oldestClients(MOST_COMPARED)) {
    if (other.id === client.id || hasSameOwner(other, client)) continue;
    const likeHost = hostsOf(other).find((known) => hosts.some((host) => resembles(host, known)));
    const isLikeName = looks !== '' && looksOf(nameOf(other)) === looks;
    if ((!isLikeName && likeHost === undefined) || (await reads.countGrants(other.id, now)) <= members)
      continue;
    if (isLikeName) found.push({ kind: 'name', of: nameOf(other) });
    if (likeHost !== undefined) found.push({ kind: 'host', of: likeHost });
  }
  return found;
}

// An application that describes itself has no owner, and chooses this name as it likes.
function nameOf({ name, claimedName = name }: Client): string {
  return claimedName;
}

function isOperators({ ownerId, documentUrl }: Client): boolean {
  return ownerId === undefined && documentUrl === undefined;
}

// The host is the owner of an application that describes itself.
function hasSameOwner(one: Client, other: Client): boolean {
  if (one.documentUrl === undefined && other.documentUrl === undefined) return one.ownerId === other.ownerId;
  return one.documentUrl !== undefined && other.documentUrl !== undefined && one.name === other.name;
}

function hostsOf({ redirectUris, homePage, documentUrl }: Client): string[] {
  const addresses = [documentUrl, ...redirectUris, homePage].filter((address) => address !== undefined);
  return [...new Set(addresses.filter((address) => !isSharedByDevice(address)).map(readableHost))];
}

function resembles(host: string, known: string): boolean {
  if (host === known || known.length < LEAST_HOST_LENGTH) return false;
  return looksOf(host) === looksOf(known) || isOneLetterApart(host, known);
}

function hostOf(address: string): string {
  const { hostname } = new URL(address);
  return domainToUnicode(hostname) || hostname;
}
