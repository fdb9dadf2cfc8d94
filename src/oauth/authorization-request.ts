// Reading an authorization request (RFC 6749 §4.1.1, spec §4.1) in the order of contract §3: the application,
// the address for the answer, and only then the request itself.

import { findAcceptedClient } from './accepted-client.ts';
import {
  type AuthenticationRequest,
  readAuthenticationRequest,
  wantsNoPage,
} from './authentication-request.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { Client } from './client-store.ts';
import { OAuthError } from './errors.ts';
import { type Form, isAsSent } from './form.ts';
import { readNonce } from './nonce.ts';
import { isCodeChallenge } from './pkce.ts';
import { isRegistered } from './redirect-uri.ts';
import type { BrokenRule } from './request-rules.ts';
import { checkResource } from './resource.ts';
import {
  difference,
  formatScope,
  intersection,
  noKnownScope,
  parseScope,
  SCOPES,
  type ScopeSet,
  unknownScopes,
} from './scope.ts';

/**
 * Names the callback of the flow tester, if the request is the owner's own trial of the application. Undefined for all
 * other requests. It is a page of this site, and is never registered.
 */
export type TrialCallback = (client: Client, form: Form) => string | undefined;

/**
 * Where the answer goes: an application, one of its registered addresses, and the state to send back. Every
 * redirect needs a return address, so a refusal of a request that has none must be a page.
 */
export class ReturnAddress {
  readonly client: Client;
  readonly redirectUri: string;
  readonly state: string | undefined;
  /** The answer travels in the query, or in a form that the browser posts (OAuth form_post response mode). */
  readonly responseMode: 'query' | 'form_post';
  private readonly issuer: string;

  private constructor(client: Client, redirectUri: string, form: Form, issuer: string) {
    this.client = client;
    this.redirectUri = redirectUri;
    this.responseMode = form.get('response_mode') === 'form_post' ? 'form_post' : 'query';
    const state = form.get('state');
    this.state = state !== undefined && this.canReturn(state) ? state : undefined;
    this.issuer = issuer;
  }

  /** Report whether the state would come back unchanged. Browsers change line breaks in the forms they post. */
  canReturn(state: string): boolean {
    return isAsSent(state) && (this.responseMode === 'query' || !/[\r\n]/.test(state));
  }

  /**
   * Read the return address. Undefined unless the address in the form is registered for the application, or is the
   * request's trial callback.
   */
  static find(
    client: Client,
    form: Form,
    issuer: string,
    trialCallback?: TrialCallback,
  ): ReturnAddress | undefined {
    const redirectUri = form.get('redirect_uri');
    if (redirectUri === undefined) return undefined;
    const isAllowed =
      isRegistered(redirectUri, client.redirectUris) || redirectUri === trialCallback?.(client, form);
    return isAllowed ? new ReturnAddress(client, redirectUri, form, issuer) : undefined;
  }

  /**
   * The parameters of an answer: always with `iss` (RFC 9207), and with the request's `state` if it has one.
   */
  answer(answer: { code: string } | OAuthError): URLSearchParams {
    const parameters = new URLSearchParams(
      answer instanceof OAuthError
        ? { error: answer.code, error_description: answer.description }
        : { code: answer.code },
    );
    if (this.state !== undefined) parameters.set('state', this.state);
    parameters.set('iss', this.issuer);
    return parameters;
  }

  /** The address with the answer added to its query. */
  withAnswer(answer: { code: string } | OAuthError): string {
    return this.redirectUri + (this.redirectUri.includes('?') ? '&' : '?') + this.answer(answer);
  }
}

/** A valid request, ready for the member's answer. */
export interface AuthorizationRequest {
  client: Client;
  returnTo: ReturnAddress;
  /** The requested scopes for which the application is registered. Never empty. */
  scopes: ScopeSet;
  authentication: AuthenticationRequest;
  codeChallenge: string | undefined;
  /** For the id_token. Undefined without one. */
  nonce: string | undefined;
  /** Mistakes in spite of which the request is answered: scopes that are dropped. */
  mistakes: readonly BrokenRule[];
}

/** Why a request can't be answered with a redirect. It ends on a page. */
export interface NoRedirect {
  reason: 'client_missing' | 'client_unknown' | 'redirect_uri_missing' | 'redirect_uri_unregistered';
  /** The application, if it exists. The page tells its owner more. */
  client: Client | undefined;
  redirectUri: string | undefined;
}

export type ReadRequest =
  | { outcome: 'request'; request: AuthorizationRequest }
  /** `atOnce`: the application wants no page, so the answer is not delayed by a sign-in. */
  | { outcome: 'refused'; returnTo: ReturnAddress; error: OAuthError; atOnce: boolean }
  | { outcome: 'no_redirect'; problem: NoRedirect };

/** Read a request. The same function serves GET, POST and the answer to the consent page. */
export async function readAuthorizationRequest(
  server: AuthorizationServer,
  form: Form,
  trialCallback?: TrialCallback,
): Promise<ReadRequest> {
  const clientId = form.get('client_id');
  const client = clientId === undefined ? undefined : await findAcceptedClient(server, clientId);
  if (client === undefined || client.status !== 'active') {
    const reason = clientId === undefined ? 'client_missing' : 'client_unknown';
    return { outcome: 'no_redirect', problem: { reason, client, redirectUri: undefined } };
  }
  const redirectUri = form.get('redirect_uri');
  const returnTo = ReturnAddress.find(client, form, server.issuer, trialCallback);
  if (returnTo === undefined) {
    const reason = redirectUri === undefined ? 'redirect_uri_missing' : 'redirect_uri_unregistered';
    return { outcome: 'no_redirect', problem: { reason, client, redirectUri } };
  }
  try {
    return { outcome: 'request', request: readParameters(form, client, returnTo, server.issuer) };
  } catch (error) {
    if (error instanceof OAuthError)
      return { outcome: 'refused', returnTo, error, atOnce: wantsNoPage(form) };
    throw error;
  }
}

function readParameters(
  form: Form,
  client: Client,
  returnTo: ReturnAddress,
  issuer: string,
): AuthorizationRequest {
  form.refuseMalformed();
  refuseUnsupported(form);
  checkResponseType(form);
  checkState(form, client, returnTo);
  checkResource(form, issuer);
  const scopes = readScopes(form, client);
  return {
    client,
    returnTo,
    scopes,
    authentication: readAuthenticationRequest(form),
    codeChallenge: readCodeChallenge(form, client),
    nonce: scopes.includes('openid') ? readNonce(form, client) : undefined,
    mistakes: droppedScopes(form.required('scope'), client),
  };
}

function checkState(form: Form, client: Client, returnTo: ReturnAddress): void {
  const state = client.acceptsMissingStateAndNonce ? form.get('state') : form.required('state');
  if (state !== undefined && !returnTo.canReturn(state)) {
    throw new OAuthError(
      'invalid_request',
      'The state must be valid UTF-8 and, with response_mode=form_post, contain no line breaks.',
      { rule: 'state_unusable' },
    );
  }
}

// OpenID Connect Core §3.1.2.6. The server never fetches these.
function refuseUnsupported(form: Form): void {
  for (const name of ['request', 'request_uri', 'registration'] as const) {
    if (form.get(name) !== undefined) {
      const broken: BrokenRule = { rule: 'parameter_not_supported', parameter: name };
      throw new OAuthError(`${name}_not_supported`, `The parameter ${name} is not supported.`, broken);
    }
  }
}

function checkResponseType(form: Form): void {
  const responseType = form.required('response_type');
  if (responseType !== 'code') {
    throw new OAuthError('unsupported_response_type', 'The only response_type is code.', {
      rule: 'response_type_unsupported',
      came: responseType,
      expected: ['code'],
    });
  }
  const responseMode = form.get('response_mode');
  if (responseMode !== undefined && responseMode !== 'query' && responseMode !== 'form_post') {
    throw new OAuthError('invalid_request', 'The response_mode must be query or form_post.', {
      rule: 'response_mode_unsupported',
      came: responseMode,
      expected: ['query', 'form_post'],
    });
  }
}

function readScopes(form: Form, client: Client): ScopeSet {
  const text = form.get('scope');
  if (text === undefined) {
    throw new OAuthError('invalid_scope', 'The parameter scope is missing.', {
      rule: 'scope_missing',
      expected: client.scopes,
    });
  }
  const knownScopes = parseScope(text);
  if (knownScopes === undefined) {
    throw new OAuthError('invalid_scope', 'The parameter scope contains a forbidden character.', {
      rule: 'scope_malformed',
      came: text,
      expected: client.scopes,
    });
  }
  if (knownScopes.length === 0) {
    throw new OAuthError('invalid_scope', noKnownScope(text), {
      rule: 'scope_unknown',
      came: text,
      expected: SCOPES,
    });
  }
  const scopes = intersection(knownScopes, client.scopes);
  if (scopes.length === 0) {
    throw new OAuthError(
      'invalid_scope',
      `The application is registered for ${formatScope(client.scopes)}, not for ${formatScope(knownScopes)}.`,
      { rule: 'scope_unregistered', came: formatScope(knownScopes), expected: client.scopes },
    );
  }
  return scopes;
}

// Contract §3: scopes that are unknown or not registered are ignored beside good ones.
function droppedScopes(text: string, client: Client): BrokenRule[] {
  const dropped: BrokenRule[] = [];
  const unknown = unknownScopes(text);
  if (unknown.length > 0) {
    dropped.push({ rule: 'scope_unknown', came: unknown.join(' '), expected: SCOPES });
  }
  const unregistered = difference(parseScope(text) ?? [], client.scopes);
  if (unregistered.length > 0) {
    dropped.push({ rule: 'scope_unregistered', came: formatScope(unregistered), expected: client.scopes });
  }
  return dropped;
}

function readCodeChallenge(form: Form, client: Client): string | undefined {
  const challenge = form.get('code_challenge');
  const method = form.get('code_challenge_method');
  if (challenge === undefined) {
    if (method !== undefined) {
      throw new OAuthError('invalid_request', 'code_challenge_method is given without code_challenge.', {
        rule: 'challenge_missing',
        parameter: 'code_challenge',
      });
    }
    if (client.kind === 'public') {
      throw new OAuthError(
        'invalid_request',
        'A public application must use PKCE: code_challenge is missing.',
        { rule: 'challenge_missing', parameter: 'code_challenge' },
      );
    }
    return undefined;
  }
  // RFC 7636 §4.3 reads a missing method as plain, which is not supported (RFC 9700 §2.1.1).
  if (method !== 'S256') {
    throw new OAuthError(
      'invalid_request',
      'The transform algorithm is not supported: code_challenge_method must be S256.',
      { rule: 'challenge_method_unsupported', came: method ?? '', expected: ['S256'] },
    );
  }
  if (!isCodeChallenge(challenge)) {
    throw new OAuthError('invalid_request', 'code_challenge must be 43 base64url characters.', {
      rule: 'challenge_malformed',
      came: `length = ${challenge.length}`,
      expected: ['length = 43, A-Z a-z 0-9 - _'],
    });
  }
  return challenge;
}
