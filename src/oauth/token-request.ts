// The token request of an authenticated client (RFC 6749 §3.2, spec §4.2): choose the grant type, issue,
// answer. Before that, `http/oauth/token-endpoint.ts` reads the form and authenticates the client.

import { hasIssuedCode, redeemAuthorizationCode } from './authorization-code.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { Client } from './client-store.ts';
import { OAuthError } from './errors.ts';
import type { Form } from './form.ts';
import type { IssuedTokens } from './issued-tokens.ts';
import { hasIssuedRefreshToken, rotateRefreshToken } from './refresh-token.ts';
import { checkResource } from './resource.ts';
import { formatScope } from './scope.ts';

/** Spec §2.1. */
export interface TokenResponse {
  access_token: string;
  token_type: 'Bearer';
  /** Seconds. */
  expires_in: number;
  /** Missing if the member allowed one sign-in only. */
  refresh_token?: string;
  scope: string;
  /** Present if the scope openid is granted. */
  id_token?: string;
}

type Step<T> = (server: AuthorizationServer, client: Client, form: Form, address?: string) => Promise<T>;

interface GrantType {
  issue: Step<IssuedTokens>;
  /** Reports whether the form has a grant that was issued to the client, used or not. Changes nothing. */
  isIssued: Step<boolean>;
}

/** Spec §4.2. */
const GRANT_TYPES = new Map<string, GrantType>([
  ['authorization_code', { issue: redeemAuthorizationCode, isIssued: hasIssuedCode }],
  ['refresh_token', { issue: rotateRefreshToken, isIssued: hasIssuedRefreshToken }],
]);

/** For the metadata. */
export const GRANT_TYPE_NAMES = [...GRANT_TYPES.keys()];

/** Throw `invalid_request` for a form that can't be a token request, before any query. */
export function checkTokenForm(form: Form): void {
  form.refuseMalformed();
  form.required('grant_type');
}

/** Report whether the form has a grant that was issued to the client, used or not. Changes nothing. */
export async function hasIssuedGrant(
  server: AuthorizationServer,
  client: Client,
  form: Form,
): Promise<boolean> {
  const grantType = GRANT_TYPES.get(form.get('grant_type') ?? '');
  return (await grantType?.isIssued(server, client, form)) ?? false;
}

/**
 * Issue tokens to an authenticated client. They are stored before this returns. `address` is the network
 * address of the request.
 */
export async function answerTokenRequest(
  server: AuthorizationServer,
  client: Client,
  form: Form,
  address?: string,
): Promise<TokenResponse> {
  const name = form.required('grant_type');
  const grantType = GRANT_TYPES.get(name);
  if (grantType === undefined) {
    throw new OAuthError(
      'unsupported_grant_type',
      `The grant_type must be one of ${GRANT_TYPE_NAMES.join(', ')}.`,
      { rule: 'grant_type_unsupported', came: name, expected: GRANT_TYPE_NAMES },
    );
  }
  checkResource(form, server.issuer);
  const issued = await grantType.issue(server, client, form, address);
  return {
    access_token: issued.accessToken,
    token_type: 'Bearer',
    expires_in: issued.expiresIn,
    ...(issued.refreshToken === undefined ? {} : { refresh_token: issued.refreshToken }),
    scope: formatScope(issued.scopes),
    ...(issued.idToken === undefined ? {} : { id_token: issued.idToken }),
  };
}
