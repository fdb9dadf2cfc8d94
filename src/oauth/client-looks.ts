// What applications look like. The server stores it soon after each change of an application, so that a consent page
// reads only the applications that resemble the one that asks.

import { domainToUnicode } from 'node:url';
import { looksOf, neighbourKeys } from '../lib/look-alikes.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { ClientLook, VisibleSettings } from './client-looks-store.ts';
import { isSharedByDevice } from './redirect-uri.ts';

// To be raised when the looks change: the server then makes those of all applications again.
const LOOKS_VERSION = 1;
// So that the looks of an application are few hundred, each short enough for an index of PostgreSQL.
const MOST_HOSTS = 5;
const LONGEST_HOST = 100;
const LONGEST_LOOK = 200;
const CLIENTS_OF_STEP = 20;

/** Store the looks of some of the applications that have none. Returns how many it stored, 0 if none are left. */
export async function renewLooks({ reads, writes }: AuthorizationServer): Promise<number> {
  const clients = await reads.clientsWithoutLooks(LOOKS_VERSION, CLIENTS_OF_STEP);
  let count = 0;
  for (const client of clients) {
    if (await writes.setLooks(client, LOOKS_VERSION, looksOfClient(client))) count += 1;
  }
  return count;
}

function looksOfClient(settings: VisibleSettings): ClientLook[] {
  const { documentUrl, homePage, redirectUris } = settings;
  const addresses = [documentUrl, homePage, ...redirectUris].filter((address) => address !== undefined);
  const hosts = hostsOf(addresses);
  const ofHost = (host: string) => looksOfHost(host).map((look) => ({ look, host }));
  return [
    ...looksOfName(nameOf(settings)).map((look) => ({ look, host: '' })),
    ...hosts.slice(0, MOST_HOSTS).flatMap(ofHost),
  ];
}

/** The name that an application has chosen. One that describes itself is listed by its host. */
export function nameOf({ name, claimedName = name }: Pick<VisibleSettings, 'name' | 'claimedName'>): string {
  return claimedName;
}

/** The different hosts of addresses as members read them, without those that every device has. */
export function hostsOf(addresses: readonly string[]): string[] {
  return [...new Set(addresses.filter((address) => !isSharedByDevice(address)).map(readableHost))];
}

/** Write the host of an address in its own alphabet. */
export function readableHost(address: string): string {
  const { hostname } = new URL(address);
  return domainToUnicode(hostname) || hostname;
}

/** What two applications have in common whose names look alike. Empty for a name without letters and digits. */
export function looksOfName(name: string): string[] {
  const looks = looksOf(name);
  return looks === '' ? [] : [stored('name', looks)];
}

/** Several looks: two hosts that look alike, or are one letter apart, have at least one of them in common. */
export function looksOfHost(host: string): string[] {
  if (host.length > LONGEST_HOST) return [];
  return [stored('host', looksOf(host)), ...neighbourKeys(host).map((key) => stored('near', key))];
}

function stored(kind: string, look: string): string {
  return `${kind} ${look.slice(0, LONGEST_LOOK).toWellFormed()}`;
}
