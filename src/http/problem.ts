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
  request_not_supported: 400,
  request_uri_not_supported: 400,
  registration_not_supported: 400,
  invalid_token: 401,
  insufficient_scope: 403,
};
