// The context of this room's rules: storage, time, and the names that the configuration gives.

import type { Clock } from '../lib/clock.ts';
import type { OAuthReads, OAuthWrites } from './store.ts';

export interface AuthorizationServer {
  reads: OAuthReads;
  /** For the rules of this room alone; no door uses them. */
  writes: OAuthWrites;
  clock: Clock;
  /** The first letters of each token. */
  brand: string;
  /** The issuer identifier (RFC 9207, RFC 8414): the configured base URL. */
  issuer: string;
}
