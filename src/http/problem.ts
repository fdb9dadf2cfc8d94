// The one table from refusal to status.

import type { OAuthErrorCode } from '../oauth/errors.ts';

/** Spec §7.1 and §7.2, RFC 6749 §5.2, RFC 6750 §3.1. */
export const STATUS_OF: Record<OAuthErrorCode, 400 | 401 | 403> = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_scope: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  access_denied: 403,
  login_required: 400,
  consent_required: 400,
  request_not_supported: 400,
  request_uri_not_supported: 400,
  registration_not_supported: 400,
  invalid_token: 401,
  insufficient_scope: 403,
};

/** The problems of the resource API (RFC 9457, spec §7.2): status and title by code, the end of a problem's `type`. */
export const API_PROBLEMS = {
  missing_token: { status: STATUS_OF.invalid_token, title: 'No access token was sent' },
  invalid_token: { status: STATUS_OF.invalid_token, title: 'The access token is not accepted' },
  insufficient_scope: { status: STATUS_OF.insufficient_scope, title: 'The access token lacks a scope' },
  invalid_request: { status: STATUS_OF.invalid_request, title: 'A parameter is wrong' },
  not_found: { status: 404, title: 'There is nothing at this address' },
  method_not_allowed: { status: 405, title: 'This address does not take the method' },
  rate_limited: { status: 429, title: 'Too many requests' },
  server_error: { status: 500, title: 'Something went wrong on our side' },
  temporarily_unavailable: { status: 503, title: 'The service can not answer just now' },
} as const;

export type ApiProblemCode = keyof typeof API_PROBLEMS;
