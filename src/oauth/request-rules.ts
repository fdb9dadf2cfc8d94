// The rules that a request of an application can break: a closed list. The request inspector explains each one to the
// application's developer (http/site/developers/rule-words.ts).

/** All rules, in the order of a sign-in. */
export const REQUEST_RULES = [
  // The application and its callback address.
  'application_deactivated',
  'redirect_uri_missing',
  'redirect_uri_unregistered',
  // Parameters of any request.
  'parameter_missing',
  'parameter_repeated',
  'parameter_malformed',
  'parameter_not_supported',
  // The authorization request.
  'state_missing',
  'state_unusable',
  'nonce_missing',
  'nonce_too_long',
  'response_type_unsupported',
  'response_mode_unsupported',
  'scope_missing',
  'scope_malformed',
  'scope_unknown',
  'scope_unregistered',
  'challenge_missing',
  'challenge_method_unsupported',
  'challenge_malformed',
  'prompt_unsupported',
  'max_age_malformed',
  'sign_in_needed',
  'consent_needed',
  'another_member',
  'member_denied',
  'too_many_consents',
  'too_many_sign_ins',
  // The form and the authentication at the token endpoint.
  'method_unsupported',
  'content_type_wrong',
  'body_unreadable',
  'header_malformed',
  'assertion_unsupported',
  'secret_sent_twice',
  'client_ids_differ',
  'secret_missing',
  'secret_malformed',
  'secret_replaced',
  'secret_wrong',
  'secret_of_public_application',
  'grant_type_unsupported',
  // Codes.
  'code_malformed',
  'code_unknown',
  'code_used',
  'code_revoked',
  'code_expired',
  'code_redirect_uri_differs',
  'verifier_missing',
  'verifier_unexpected',
  'verifier_mismatch',
  // Refresh tokens.
  'refresh_token_malformed',
  'refresh_token_unknown',
  'refresh_token_raced',
  'refresh_token_used',
  'refresh_token_revoked',
  'refresh_token_expired',
  'scope_wider',
  'too_many_requests',
  'token_not_own',
  // The resource API.
  'access_token_expired',
  'access_token_revoked',
  'refresh_token_as_access_token',
  'code_as_access_token',
  'secret_as_access_token',
  'token_in_address',
  'scope_lacking',
  'api_parameter_wrong',
  'api_path_unknown',
  'api_method_unsupported',
] as const;

export type RequestRule = (typeof REQUEST_RULES)[number];

/**
 * The rule that a request broke, with the facts that its developer needs. They contain no secret: of a credential at
 * most its length or the beginning of its digest. They are the same in every language.
 */
export interface BrokenRule {
  rule: RequestRule;
  /** The name of a parameter. Always one that the server knows. */
  parameter?: string;
  /** What came. The inspector masks and shortens it. */
  came?: string;
  /** What is registered, or what the server expects. */
  expected?: readonly string[];
}

/** Name a credential for its developer by the beginning of its SHA-256 digest (given as base64url, shown as hex). */
export function credentialName(digest: string): string {
  return Buffer.from(digest, 'base64url').toString('hex').slice(0, NAME_LENGTH);
}

const NAME_LENGTH = 8;
