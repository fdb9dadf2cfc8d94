// The port for the numbers of applications.

import type { Timestamp } from '../lib/clock.ts';

/** How often an application did something in an hour. */
export interface ClientHour {
  clientId: string;
  /** The beginning of the hour, in UTC. */
  hour: Timestamp;
  /** As `client-numbers.ts` lists them. */
  what: string;
  times: number;
}

/** When a callback or a secret of an application was last used. */
export interface ClientUse {
  clientId: string;
  /** As `client-numbers.ts` makes it. */
  name: string;
  /** The beginning of the hour, in UTC. */
  lastHour: Timestamp;
}

export interface ClientNumbersReads {
  clientHours(clientId: string, since: Timestamp): Promise<ClientHour[]>;
  clientUses(clientId: string): Promise<ClientUse[]>;
  /** How often an old refresh token of the application was used, which ended a sign-in. */
  countReplays(clientId: string, since: Timestamp): Promise<number>;
}

export interface ClientNumbersWrites {
  /** Adds the numbers to those of the same hours. */
  addClientHours(hours: readonly ClientHour[]): Promise<void>;
  /** Sets the last hours, unless later ones are known. */
  setClientUses(uses: readonly ClientUse[]): Promise<void>;
  /** Deletes the uses that have none of these names. */
  keepClientUses(clientId: string, names: readonly string[]): Promise<void>;
}
