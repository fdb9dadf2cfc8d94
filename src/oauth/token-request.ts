// The token request of an authenticated client (RFC 6749 §3.2, spec §4.2): choose the grant type, issue,
// answer. Before that, `http/oauth/token-endpoint.ts` reads the form and authenticates the client.

import { hasIssuedCode, presentedCode, redeemAuthorizationCode } from './authorization-code.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { Client } from './client-store.ts';
import { OAuthError } from './errors.ts';
import type { Form } from './form.ts';
import type { IssuedTokens } from './issued-tokens.ts';
import { hasIssuedRefreshToken, presentedFamily, rotateRefreshToken } from './refresh-token.ts';
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

/** The grant in a form: an authorization code or a refresh token. */
export interface PresentedGrant {
  /** Reports whether it was issued to the client, used or not. Changes nothing. */
  isIssuedTo(client: Client): Promise<boolean>;
  issue(client: Client, address: string | undefined): Promise<IssuedTokens>;
}

/** Begins to read the grant in a form. */
type GrantType = (server: AuthorizationServer, form: Form) => PresentedGrant;

/** Spec §4.2. */
const GRANT_TYPES = new Map<string, GrantType>([
  [
    'authorization_code',
    (server, form) => {
      const code = presentedCode(server, form);
      return {
        isIssuedTo: (client) => hasIssuedCode(client, code),
        issue: (client, address) => redeemAuthorizationCode(server, client, form, address, code),
      };
    },
  ],
  [
    'refresh_token',
    (server, form) => {
      const family = presentedFamily(server, form);
      return {
        isIssuedTo: (client) => hasIssuedRefreshToken(client, family),
        issue: (client, address) => rotateRefreshToken(server, client, form, address, family),
      };
    },
  ],
]);

/** For the metadata. */
export const GRANT_TYPE_NAMES = [...GRANT_TYPES.keys()];

/** Throw `invalid_request` for a form that can't be a token request, before any query. */
export function checkTokenForm(form: Form): void {
  form.refuseMalformed();
  form.required('grant_type');
}

/**
 * Begin to read the grant in the form, whichever application it was issued to. It can be read together with the client
 * that sends it. Undefined if there is no such grant type.
 */
export function presentedGrant(server: AuthorizationServer, form: Form): PresentedGrant | undefined {
  return GRANT_TYPES.get(form.get('grant_type') ?? '')?.(server, form);
}

/** Report whether the form has a grant that was issued to the client, used or not. Changes nothing. */
export async function hasIssuedGrant(
  server: AuthorizationServer,
  client: Client,
  form: Form,
  grant = presentedGrant(server, form),
): Promise<boolean> {
  return (await grant?.isIssuedTo(client)) ?? false;
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
  grant = presentedGrant(server, form),
): Promise<TokenResponse> {
  const name = form.required('grant_type');
  if (grant === undefined) {
    throw new OAuthError(
      'unsupported_grant_type',
      `The grant_type must be one of ${GRANT_TYPE_NAMES.join(', ')}.`,
      { rule: 'grant_type_unsupported', came: name, expected: GRANT_TYPE_NAMES },
    );
  }
  const issued = await grant.issue(client, address);
  return {
    access_token: issued.accessToken,
    token_type: 'Bearer',
    expires_in: issued.expiresIn,
    ...(issued.refreshToken === undefined ? {} : { refresh_token: issued.refreshToken }),
    scope: formatScope(issued.scopes),
    ...(issued.idToken === undefined ? {} : { id_token: issued.idToken }),
  };
}
