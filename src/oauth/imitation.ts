// Signs that an application imitates the community, or an application that more members use.

import { isOneLetterApart, looksOf, mixesAlphabets } from '../lib/look-alikes.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { hostsOf, looksOfHost, looksOfName, nameOf, readableHost } from './client-looks.ts';
import type { Client } from './client-store.ts';

/** Beyond this number of members, nobody needs to know more. */
export const MOST_MEMBERS_COUNTED = 10_000;
// Of the names and hosts that are alike, those of the applications that were registered first.
const MOST_FOUND = 100;
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
 * use. Members can be invented, so operators' approval counts more: then only older applications count.
 */
export async function imitationsBy(
  server: AuthorizationServer,
  client: Client,
  redirectUris: readonly string[],
  isOfficialName: (name: string) => boolean,
): Promise<Imitation[]> {
  const { documentUrl } = client;
  const hosts = hostsOf(documentUrl === undefined ? redirectUris : [documentUrl, ...redirectUris]);
  const name = nameOf(client);
  const found: Imitation[] = [];
  // Operators may give their own applications such names.
  if (!isOfOperators(client) && isOfficialName(name)) found.push({ kind: 'official_name' });
  if (mixesAlphabets(name)) found.push({ kind: 'mixed_name' });
  if (hosts.some((host) => host.split('.').some(mixesAlphabets))) found.push({ kind: 'mixed_host' });
  const ownHost = readableHost(server.issuer);
  if (hosts.some((host) => resembles(host, ownHost))) found.push({ kind: 'host', of: ownHost });
  return [...found, ...(await likeBetterKnown(server, client, hosts))];
}

async function likeBetterKnown(
  { reads, clock }: AuthorizationServer,
  client: Client,
  ownHosts: readonly string[],
): Promise<Imitation[]> {
  const looks = [...looksOfName(nameOf(client)), ...ownHosts.flatMap(looksOfHost)];
  const now = clock();
  const members = await reads.countGrants(client.id, now, MOST_MEMBERS_COUNTED);
  const registeredBefore = isKnownToOperators(client) ? client.createdAt : undefined;
  const comparison = { looks, ownHosts, members, registeredBefore, now };
  const found = new Map<string, Imitation>();
  for (const other of await reads.clientsLike(client, comparison, MOST_FOUND)) {
    const { id, name, host } = other;
    if (host === '') found.set(`${id} name`, { kind: 'name', of: name });
    else if (ownHosts.some((own) => resembles(own, host)))
      found.set(`${id} host`, { kind: 'host', of: host });
  }
  return [...found.values()];
}

/** Report whether operators added the application, or approved it as it is. */
export function isKnownToOperators(client: Client): boolean {
  return isOfOperators(client) || client.approvedAt !== undefined;
}

function isOfOperators({ ownerId, documentUrl }: Client): boolean {
  return ownerId === undefined && documentUrl === undefined;
}

function resembles(host: string, known: string): boolean {
  if (host === known || known.length < LEAST_HOST_LENGTH) return false;
  return looksOf(host) === looksOf(known) || isOneLetterApart(host, known);
}
