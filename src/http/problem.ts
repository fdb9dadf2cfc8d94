// Refusals: the table from error code to status, and the translation of errors for callers.

import { StorageUnavailable } from '../lib/storage-unavailable.ts';
import { OAuthError, type OAuthErrorCode } from '../oauth/errors.ts';
import { UnreadableForm } from './request-form.ts';

/** The status of each protocol error (spec §7.1 and §7.2, RFC 6749 §5.2, RFC 6750 §3.1). */
export const STATUS_OF: Record<OAuthErrorCode, 400 | 401 | 403 | 503> = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_scope: 400,
  invalid_target: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  access_denied: 403,
  login_required: 400,
  consent_required: 400,
  request_not_supported: 400,
  request_uri_not_supported: 400,
  registration_not_supported: 400,
  temporarily_unavailable: 503,
  invalid_token: 401,
  insufficient_scope: 403,
};

/** The problems of the resource API (RFC 9457, spec §7.2) by code, with which their `type` ends. */
export const API_PROBLEMS = {
  missing_token: { status: STATUS_OF.invalid_token, title: 'No access token was sent' },
  invalid_token: { status: STATUS_OF.invalid_token, title: 'The access token is not accepted' },
  insufficient_scope: { status: STATUS_OF.insufficient_scope, title: 'The access token lacks a scope' },
  invalid_request: { status: STATUS_OF.invalid_request, title: 'A parameter is wrong' },
  not_found: { status: 404, title: 'There is nothing at this address' },
  method_not_allowed: { status: 405, title: 'This address does not accept the method' },
  rate_limited: { status: 429, title: 'Too many requests' },
  server_error: { status: 500, title: 'Something went wrong on our side' },
  temporarily_unavailable: { status: 503, title: 'The service is unavailable right now' },
} as const;

export type ApiProblemCode = keyof typeof API_PROBLEMS;

/** A refusal by the HTTP code, not by a rule. The developer sees the message, so it contains no secret. */
export class HttpRefusal extends Error {
  readonly code: ApiProblemCode;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ApiProblemCode, detail: string, retryAfterSeconds?: number) {
    super(detail);
    this.name = 'HttpRefusal';
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The facts of an error that the caller may know. Each door writes them in the form of its protocol. */
export interface Problem {
  code: OAuthErrorCode | ApiProblemCode;
  status: 400 | 401 | 403 | 404 | 405 | 413 | 415 | 429 | 500 | 503;
  /** An explanation for the developer. */
  detail: string;
  retryAfterSeconds?: number | undefined;
}

// An unreachable database is often back within seconds, and bodies that are being received are read by then.
const RETRY_SECONDS = 5;

/** Translate an error for the caller. An unexpected error becomes a `server_error` without details. */
export function problemOf(error: unknown): Problem {
  if (error instanceof OAuthError) {
    return { code: error.code, status: STATUS_OF[error.code], detail: error.description };
  }
  if (error instanceof HttpRefusal) {
    const { code, message: detail, retryAfterSeconds } = error;
    return { code, status: API_PROBLEMS[code].status, detail, retryAfterSeconds };
  }
  if (error instanceof UnreadableForm) {
    const { status, message: detail } = error;
    if (status === 429) return { code: 'rate_limited', status, detail, retryAfterSeconds: RETRY_SECONDS };
    if (status === 503)
      return { code: 'temporarily_unavailable', status, detail, retryAfterSeconds: RETRY_SECONDS };
    return { code: 'invalid_request', status, detail };
  }
  if (error instanceof StorageUnavailable) {
    return {
      code: 'temporarily_unavailable',
      status: 503,
      detail: "The service can't reach its data. Try again soon.",
      retryAfterSeconds: RETRY_SECONDS,
    };
  }
  return {
    code: 'server_error',
    status: 500,
    detail: 'The request failed. The error was logged.',
  };
}
