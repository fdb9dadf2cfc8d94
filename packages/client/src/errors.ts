// What can go wrong, as one error with a closed list of reasons. Each message says what to do.

/**
 * `sign_in_again`: the member has to sign in again · `denied`: the member said no · `sign_in_failed`: this attempt
 * failed, start another · `token_refused`: the API token is no longer valid · `scope_missing`: the member didn't
 * allow this · `rate_limited`: too many requests, try again at `retryAt` · `unavailable`: the community doesn't
 * answer · `wrong_settings`: the application's own settings are wrong · `unexpected`: an answer that this library
 * doesn't know.
 */
export type Reason =
  | 'sign_in_again'
  | 'denied'
  | 'sign_in_failed'
  | 'token_refused'
  | 'scope_missing'
  | 'rate_limited'
  | 'unavailable'
  | 'wrong_settings'
  | 'unexpected';

export interface ErrorDetails {
  cause?: unknown;
  /** The address of a page that explains the error. */
  docs?: string | undefined;
  retryAt?: Date | undefined;
}

export class PorticoError extends Error {
  override readonly name = 'PorticoError';
  readonly reason: Reason;
  readonly docs: string | undefined;
  readonly retryAt: Date | undefined;

  constructor(reason: Reason, message: string, { cause, docs, retryAt }: ErrorDetails = {}) {
    super(docs === undefined ? message : `${message} See ${docs}`, cause === undefined ? {} : { cause });
    this.reason = reason;
    this.docs = docs;
    this.retryAt = retryAt;
  }
}
