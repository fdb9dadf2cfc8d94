// The nonce of an authentication request (OpenID Connect Core §3.1.2.1), which comes back in the id_token.

import type { Client } from './client-store.ts';
import { OAuthError } from './errors.ts';
import type { Form } from './form.ts';

// It is stored until the code is redeemed. Applications send 20 to 400 characters.
const LONGEST_NONCE = 1024;

/** Read the nonce of a request with the scope openid. */
export function readNonce(form: Form, client: Client): string | undefined {
  const nonce = client.acceptsMissingStateAndNonce ? form.get('nonce') : form.required('nonce');
  if (nonce !== undefined && nonce.length > LONGEST_NONCE) {
    throw new OAuthError('invalid_request', `The nonce has more than ${LONGEST_NONCE} characters.`, {
      rule: 'nonce_too_long',
      came: `length = ${nonce.length}`,
      expected: [`length <= ${LONGEST_NONCE}`],
    });
  }
  return nonce;
}
