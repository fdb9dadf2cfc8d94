// The port for logos, and for the operators' decisions on applications and logos. Each write is one atomic, durable
// step.

import type { Doer, OperatorDoer } from '../audit/doer.ts';
import type { Timestamp } from '../lib/clock.ts';
import type { Client, OwnedClient } from './client-store.ts';

/** An application that waits for operators, or whose logo does. */
export interface WaitingClient extends OwnedClient {
  since: Timestamp;
}

export interface ClientLogo {
  digest: string;
  /** A PNG. */
  image: Uint8Array;
}

export interface ClientReviewReads {
  findClientLogo(digest: string): Promise<Uint8Array | undefined>;
  /** The longest waiting first. */
  waitingClients(most: number): Promise<WaitingClient[]>;
  countWaitingClients(most: number): Promise<number>;
}

export interface ClientReviewWrites {
  /** Members see the logo once it is approved, or at once. False if there is no such application. */
  setClientLogo(by: Doer, clientId: string, logo: ClientLogo, isApproved: boolean): Promise<boolean>;
  /** False if there is no such application, or no logo. */
  removeClientLogo(by: Doer, clientId: string): Promise<boolean>;
  /** Approves the application and its logo, and tells the owner. False if it isn't any more as in `client`. */
  approveClient(by: OperatorDoer, client: Client): Promise<boolean>;
  /** Refuses the application, or removes the logo of one that works, and tells the owner. False as above. */
  refuseClient(by: OperatorDoer, client: Client, reason: string): Promise<boolean>;
  /** Makes a refused application wait again. False if it isn't refused. */
  askForApproval(by: Doer, clientId: string): Promise<boolean>;
}
