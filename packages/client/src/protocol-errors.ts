// Turns the errors of sign-ins and token requests into errors that say what to do.

import * as oauth from 'oauth4webapi';
import { PorticoError } from './errors.ts';
import { retryAfter } from './patient-fetch.ts';
import type { Server } from './settings.ts';

export type Step = 'discover' | 'redeem' | 'refresh' | 'revoke';

export function protocolError(error: unknown, step: Step, server: Server): PorticoError {
  if (error instanceof PorticoError) return error;
  if (error instanceof oauth.AuthorizationResponseError) return callbackError(error, server);
  if (error instanceof oauth.ResponseBodyError) return answerError(error, step, server);
  const response = responseIn(error);
  if (response !== undefined) return statusError(response, error, server);
  if (error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError) {
    return checkError(error, step, server);
  }
  return new PorticoError(
    'unavailable',
    `${server.issuer} can't be reached (${reasonOf(error)}). Try again later.`,
    { cause: error },
  );
}

// The member came back with an error instead of a code.
function callbackError(error: oauth.AuthorizationResponseError, { issuer }: Server): PorticoError {
  const docs = `${issuer}/docs/errors/${error.error}`;
  const details = { cause: error, docs };
  const said = error.error_description ?? error.error;
  if (error.error === 'access_denied') {
    return new PorticoError('denied', said, details);
  }
  if (['login_required', 'consent_required', 'interaction_required'].includes(error.error)) {
    const advice = `${said} Begin the sign-in again without \`prompt: 'none'\`.`;
    return new PorticoError('sign_in_again', advice, details);
  }
  return new PorticoError('sign_in_failed', `${error.error}: ${said}`, details);
}

function answerError(error: oauth.ResponseBodyError, step: Step, server: Server): PorticoError {
  const { error_uri } = error.cause;
  const details = { cause: error, docs: typeof error_uri === 'string' ? error_uri : undefined };
  const said = error.error_description ?? error.error;
  if (error.status === 429) return rateLimited(error.response, server, error);
  if (error.error === 'invalid_grant') {
    return step === 'redeem'
      ? new PorticoError('sign_in_failed', `${said} Begin the sign-in again.`, details)
      : new PorticoError('sign_in_again', `${said} Ask the member to sign in again.`, details);
  }
  if (error.error === 'invalid_client') {
    const advice = 'Compare the clientId and the clientSecret with the registration of the application.';
    return new PorticoError('wrong_settings', `${said} ${advice}`, details);
  }
  return new PorticoError('unexpected', `${error.error}: ${said}`, details);
}

function statusError(response: Response, cause: unknown, server: Server): PorticoError {
  const { status, url } = response;
  if (status === 429) return rateLimited(response, server, cause);
  if (status >= 500) return unavailable(response, server, cause);
  const advice = `Check that ${server.issuer} is the address of the community.`;
  return new PorticoError('wrong_settings', `${url} answered with ${status}. ${advice}`, { cause });
}

// A check of oauth4webapi failed: state, iss, nonce, signature or the form of an answer.
function checkError(error: Error, step: Step, { issuer }: Server): PorticoError {
  if (step === 'discover') {
    const message = `The discovery document of ${issuer} is not usable: ${error.message}. Check the issuer.`;
    return new PorticoError('wrong_settings', message, { cause: error });
  }
  const message =
    `The sign-in was refused, because a check failed: ${error.message}. Begin the sign-in again. ` +
    'If it happens each time, the callback belongs to another attempt, or does not come from the community.';
  return new PorticoError('sign_in_failed', message, { cause: error });
}

export function rateLimited(response: Response, { now }: Server, cause?: unknown): PorticoError {
  const seconds = Math.ceil((retryAfter(response) ?? 60_000) / 1000);
  const retryAt = new Date(now() + seconds * 1000);
  const message = `Too many requests. Wait ${seconds} seconds before the next one.`;
  return new PorticoError('rate_limited', message, { cause, retryAt });
}

export function unavailable(response: Response, { now, issuer }: Server, cause?: unknown): PorticoError {
  const retryAt = new Date(now() + (retryAfter(response) ?? 5000));
  const message = `${issuer} is not available now (status ${response.status}). Try again later.`;
  return new PorticoError('unavailable', message, { cause, retryAt });
}

function responseIn(error: unknown): Response | undefined {
  if (!(error instanceof oauth.OperationProcessingError)) return undefined;
  const isStatus = error.code === oauth.RESPONSE_IS_NOT_CONFORM || error.code === oauth.RESPONSE_IS_NOT_JSON;
  return isStatus ? (error.cause as Response) : undefined;
}

// `fetch failed` has its reason in its cause.
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
