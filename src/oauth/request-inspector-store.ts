// The port for the request inspector.

import type { Timestamp } from '../lib/clock.ts';
import type { BrokenRule } from './request-rules.ts';

/** The endpoints whose requests are kept. */
export type InspectedEndpoint = 'authorize' | 'token' | 'revoke' | 'api' | 'userinfo';

/** What became of a request. */
export type RequestOutcome =
  | 'sign_in_asked'
  | 'consent_asked'
  | 'code_issued'
  | 'tokens_issued'
  | 'revoked'
  | 'read'
  | 'refused';

/**
 * What a flood of one kind can't push out are the newest lines of the others: what the API answered; other requests
 * that succeeded; refused ones of the application itself; and all that anyone can send in its name.
 */
export const LINE_KINDS = ['read', 'done', 'refused', 'anyone'] as const;
export type LineKind = (typeof LINE_KINDS)[number];

/** The facts of a request. They contain no secret, and name no member. */
export interface RequestFacts {
  endpoint: InspectedEndpoint;
  outcome: RequestOutcome;
  /** The HTTP status of the answer. */
  status: number;
  /** The code of the error, which has a page in the documentation. */
  error?: string;
  /** The rule that failed; of a request that succeeded, the mistakes that it has all the same. */
  broken: readonly BrokenRule[];
  /** The name of the code or token that it presented or got (`credentialName`). */
  credential?: string;
  /** The path of the API. */
  path?: string;
  grantType?: string;
  /** The scopes that it got. */
  scope?: string;
  /** The minute had too many different requests, so the details are left out. */
  isShortened?: true;
}

/** The equal requests of a minute. */
export interface RequestLine {
  clientId: string;
  /** The beginning of the minute. */
  minute: Timestamp;
  /** Made from the facts. The member's error page shows it. */
  id: string;
  kind: LineKind;
  facts: RequestFacts;
  /** The network that the first of them came from, such as 192.0.2.0/24. */
  network: string;
  program: string;
  requests: number;
  firstAt: Timestamp;
  lastAt: Timestamp;
}

export interface RequestInspectorReads {
  /** The lines of an application, newest first. */
  requestLines(clientId: string, limit: number): Promise<RequestLine[]>;
  /** A number that grows with every batch of lines of the application. */
  requestsVersion(clientId: string): Promise<number>;
}

export interface RequestInspectorWrites {
  /**
   * Adds lines of one application, and their numbers to those that it has. Does nothing if the application is gone.
   * `trimTo`: then deletes the oldest lines beyond this number, but the newest `keep` of each kind stay.
   */
  addRequestLines(
    clientId: string,
    lines: readonly RequestLine[],
    trimTo?: { most: number; keep: number },
  ): Promise<void>;
}
