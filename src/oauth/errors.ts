// The protocol's errors: a closed list. Their descriptions are for developers and contain no secret.

import type { BrokenRule } from './request-rules.ts';

/** Error codes of RFC 6749 §4.1.2.1 and §5.2, RFC 6750 §3.1, RFC 8707 §2 and OpenID Connect Core §3.1.2.6. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied'
  | 'login_required'
  | 'consent_required'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'registration_not_supported'
  | 'temporarily_unavailable'
  | 'invalid_token'
  | 'insufficient_scope';

/**
 * An error of the protocol. The rules throw it, and `http/problem.ts` turns it into an answer, which contains
 * the description: ASCII without quotation marks and backslashes (RFC 6749 §5.2).
 */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;
  readonly description: string;
  /** For the application's owner alone, in the request inspector. */
  readonly broken: BrokenRule | undefined;

  constructor(code: OAuthErrorCode, description: string, broken?: BrokenRule) {
    super(`${code}: ${description}`);
    this.name = 'OAuthError';
    this.code = code;
    this.description = description;
    this.broken = broken;
  }
}
