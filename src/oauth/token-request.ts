// The token endpoint as a pipeline (RFC 6749 §3.2, spec §4.2): form, client, grant type, issue, answer. A grant fills
// in only its own part and can't forget a shared check.

import { SECOND } from '../lib/clock.ts';
import { redeemAuthorizationCode } from './authorization-code.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { Client } from './client.ts';
import { OAuthError } from './errors.ts';
import type { Form } from './form.ts';
import { ACCESS_TOKEN_LIFETIME, type IssuedTokens } from './issued-tokens.ts';
import { rotateRefreshToken } from './refresh-token.ts';
import { formatScope } from './scope.ts';

/** Spec §2.1. */
export interface TokenResponse {
  access_token: string;
  token_type: 'Bearer';
  /** Seconds. */
  expires_in: number;
  refresh_token: string;
  scope: string;
  /** Only when `openid` was granted. */
  id_token?: string;
}

type GrantType = (server: AuthorizationServer, client: Client, form: Form) => Promise<IssuedTokens>;

/** Spec §4.2: the only two. */
const GRANT_TYPES = new Map<string, GrantType>([
  ['authorization_code', redeemAuthorizationCode],
  ['refresh_token', rotateRefreshToken],
]);

/** As the metadata lists them. */
export const GRANT_TYPE_NAMES = [...GRANT_TYPES.keys()];

/** `invalid_request` for a form that no token request can have, before anything is looked up. */
export function checkTokenForm(form: Form): void {
  form.refuseMalformed();
  form.required('grant_type');
}

/** Answers the request of an authenticated client. What it answers is durable. */
export async function answerTokenRequest(
  server: AuthorizationServer,
  client: Client,
  form: Form,
): Promise<TokenResponse> {
  const grantType = GRANT_TYPES.get(form.required('grant_type'));
  if (grantType === undefined) {
    throw new OAuthError(
      'unsupported_grant_type',
      `The grant_type must be one of ${GRANT_TYPE_NAMES.join(', ')}.`,
    );
  }
  const issued = await grantType(server, client, form);
  return {
    access_token: issued.accessToken,
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_LIFETIME / SECOND,
    refresh_token: issued.refreshToken,
    scope: formatScope(issued.scopes),
    ...(issued.idToken === undefined ? {} : { id_token: issued.idToken }),
  };
}
