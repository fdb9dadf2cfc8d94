// The context of src/oauth: its port, the clock, and two configured names. compose.ts creates it.

import type { Awaitable } from '../lib/awaitable.ts';
import type { Clock } from '../lib/clock.ts';
import type { DocumentPolicy } from './client-document.ts';
import type { OAuthReads, OAuthWrites } from './store.ts';

export interface AuthorizationServer {
  reads: OAuthReads;
  /** Only for the rules in src/oauth. The HTTP and command-line code must not use it. */
  writes: OAuthWrites;
  clock: Clock;
  /** The first letters of each token. */
  brand: string;
  /** The issuer identifier (RFC 9207, RFC 8414): the configured base URL. */
  issuer: string;
  /** The length of new RSA keys. */
  rsaKeyBits: number;
  /** How long access tokens of a member are valid, in milliseconds. The sandbox alone has it; elsewhere, an hour. */
  accessTokenLifetime?: (userId: number) => number;
  /** Which applications are accepted that describe themselves instead of being registered. */
  documentPolicy: () => Awaitable<DocumentPolicy>;
}
