// The closed list of refusals. A refusal has words for the developer; nothing in them is secret.

/** Error codes of RFC 6749 §4.1.2.1 and §5.2, RFC 6750 §3.1 and OpenID Connect Core §3.1.2.6. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied'
  | 'login_required'
  | 'consent_required'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'registration_not_supported'
  | 'invalid_token'
  | 'insufficient_scope';

/**
 * A refusal of the protocol, thrown by the rules and turned into an answer in one place. The description is shown to
 * the application, so it keeps to the characters of RFC 6749 §5.2 (no quotation mark, no backslash, ASCII only).
 */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;
  readonly description: string;

  constructor(code: OAuthErrorCode, description: string) {
    super(`${code}: ${description}`);
    this.name = 'OAuthError';
    this.code = code;
    this.description = description;
  }
}
