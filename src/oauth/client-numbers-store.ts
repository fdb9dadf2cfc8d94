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

export interface ClientNumbersReads {
  clientHours(clientId: string, since: Timestamp): Promise<ClientHour[]>;
  /** How often an old refresh token of the application was used, which ended a sign-in. */
  countReplays(clientId: string, since: Timestamp): Promise<number>;
}

export interface ClientNumbersWrites {
  /** Adds the numbers to those of the same hours. */
  addClientHours(hours: readonly ClientHour[]): Promise<void>;
}
