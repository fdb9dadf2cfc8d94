// What the protocol's rules stand on: given by the composer, never reached for.

import type { Clock } from '../lib/clock.ts';
import type { OAuthReads, OAuthWrites } from './store.ts';

export interface AuthorizationServer {
  reads: OAuthReads;
  /** For the rules of this room alone; no door uses them. */
  writes: OAuthWrites;
  clock: Clock;
  /** The community's brand, the first letters of each token. */
  brand: string;
  /** The issuer identifier (RFC 9207, RFC 8414): the configured base URL. */
  issuer: string;
}
