// The port for what applications look like: the index by which an imitation finds what it imitates.

import type { Timestamp } from '../lib/clock.ts';
import type { Client } from './client-store.ts';

/** Something by which an application is found, like the looks of its name, or of one of its hosts. */
export interface ClientLook {
  look: string;
  /** The host as members read it. Empty for the looks of a name. */
  host: string;
}

/** An application that can be mistaken for another one. */
export interface LookAlike extends Pick<Client, 'id' | 'name'> {
  /** The host that was found. Empty if it was the name. */
  host: string;
}

/** What an application is compared by. */
export interface Comparison {
  looks: readonly string[];
  /** Its own hosts: to use the same host is no imitation. */
  ownHosts: readonly string[];
  /** How many members use it. */
  members: number;
  /** Only applications that were registered before, if it can't be an imitation of a younger one. */
  registeredBefore: Timestamp | undefined;
  now: Timestamp;
}

/** The settings of which the looks are made. */
export type VisibleSettings = Pick<
  Client,
  'id' | 'name' | 'claimedName' | 'redirectUris' | 'homePage' | 'documentUrl'
>;

export interface ClientLooksReads {
  /** Other owners' active applications that more members use. The oldest first, at most `most` names and hosts. */
  clientsLike(
    client: Pick<Client, 'id' | 'name' | 'ownerId' | 'documentUrl'>,
    comparison: Comparison,
    most: number,
  ): Promise<LookAlike[]>;
  /** Some of the applications whose looks are not stored in this version, or not for their present settings. */
  clientsWithoutLooks(version: number, most: number): Promise<VisibleSettings[]>;
}

export interface ClientLooksWrites {
  /** Replaces an application's looks. False if its settings have changed since they were read. */
  setLooks(of: VisibleSettings, version: number, looks: readonly ClientLook[]): Promise<boolean>;
}
