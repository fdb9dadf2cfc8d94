// Authenticating the application at the token and the revocation endpoint (RFC 6749 §2.3, spec §5.2,
// contract §4).

import { findAcceptedClient } from './accepted-client.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { isSecretOf, secretOf } from './client.ts';
import type { Client } from './client-store.ts';
import { OAuthError } from './errors.ts';
import type { Form } from './form.ts';
import { type BrokenRule, credentialName } from './request-rules.ts';
import { formOfToken, isGenuine, readTokenOf } from './token.ts';

/** The id and secret in the Authorization header. `malformed` if the header is there but unreadable. */
export type BasicCredentials = { id: string; secret: string | undefined } | 'malformed' | undefined;

/**
 * Read an Authorization header (RFC 6749 §2.3.1: both parts are form-encoded, then Base64). Undefined if
 * there is none. Two headers arrive joined by a comma, and are refused as two ways to authenticate at once.
 */
export function readBasicCredentials(header: string | undefined): BasicCredentials {
  if (header === undefined) return undefined;
  if (header.includes(',')) {
    throw new OAuthError('invalid_request', 'The Authorization header is given more than once.', {
      rule: 'header_malformed',
    });
  }
  const encodedPair = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(header)?.[1];
  if (encodedPair === undefined) return 'malformed';
  const [id, secret, ...more] = Buffer.from(encodedPair, 'base64')
    .toString('utf8')
    .split(':')
    .map(formDecoded);
  if (id === undefined || id === '' || secret === undefined || more.length > 0) return 'malformed';
  // PostgreSQL refuses NUL in a query.
  if (id.includes('\0')) return 'malformed';
  return { id, secret: secret || undefined };
}

/**
 * Identify the client, and authenticate it if it is confidential. Every failure is the same `invalid_client`,
 * so that it doesn't reveal whether an application exists, is deactivated or has a new secret.
 */
export async function authenticateClient(
  server: AuthorizationServer,
  form: Form,
  basic: BasicCredentials,
): Promise<Client> {
  const { id, secret } = readCredentials(form, basic);
  const client = await findAcceptedClient(server, id);
  if (client === undefined) throw refusal();
  if (client.status !== 'active') throw refusal({ rule: 'application_deactivated' });
  const broken = client.kind === 'public' ? noSecret(secret) : checkSecret(server, client, secret);
  if (broken !== undefined) throw refusal(broken);
  return client;
}

/** Tell by its ending which secret an authenticated client used. Undefined for a public client. */
export function secretUsed(
  server: AuthorizationServer,
  client: Client,
  form: Form,
  basic: BasicCredentials,
): string | undefined {
  // Comparing takes time, and most clients have one secret.
  if (client.previousSecretUntil === undefined) return client.secretEnding;
  const { secret = '' } = readCredentials(form, basic);
  const isPresent = secretOf(client, secret, server.brand, server.clock()) === 'present';
  return isPresent ? client.secretEnding : client.previousSecretEnding;
}

function noSecret(secret: string | undefined): BrokenRule | undefined {
  return secret === undefined ? undefined : { rule: 'secret_of_public_application' };
}

// A text that is no secret of ours may be a password, so its digest would help to guess it: only its length is kept.
function checkSecret(
  { brand, clock }: AuthorizationServer,
  client: Client,
  secret: string | undefined,
): BrokenRule | undefined {
  if (secret === undefined) return { rule: 'secret_missing' };
  if (isSecretOf(client, secret, brand, clock())) return undefined;
  const token = readTokenOf('clientSecret', secret, brand);
  if (token === undefined) {
    return { rule: 'secret_malformed', came: `length = ${secret.length}`, expected: [formOf(brand)] };
  }
  const { secretDigest, previousSecretDigest } = client;
  const wasReplaced = previousSecretDigest !== undefined && isGenuine(token, previousSecretDigest);
  return {
    rule: wasReplaced ? 'secret_replaced' : 'secret_wrong',
    came: secretName(token.digest),
    expected: secretDigest === undefined ? [] : [secretName(secretDigest)],
  };
}

function secretName(digest: string): string {
  return `SHA-256 = ${credentialName(digest)}...`;
}

function formOf(brand: string): string {
  const { prefix, length } = formOfToken('clientSecret', brand);
  return `${prefix}..., length = ${length}`;
}

function refusal(broken?: BrokenRule): OAuthError {
  return new OAuthError(
    'invalid_client',
    'The client_id is not known or not active, or the client_secret is missing or wrong.',
    broken,
  );
}

function readCredentials(form: Form, basic: BasicCredentials): { id: string; secret: string | undefined } {
  if (basic === 'malformed') throw refusal({ rule: 'header_malformed' });
  if (form.get('client_assertion') !== undefined || form.get('client_assertion_type') !== undefined) {
    throw new OAuthError('invalid_request', 'Client assertions are not supported; send client_secret.', {
      rule: 'assertion_unsupported',
    });
  }
  const secret = form.get('client_secret');
  if (basic === undefined) return { id: form.required('client_id'), secret };
  if (secret !== undefined) {
    throw new OAuthError(
      'invalid_request',
      'Send the secret in the Authorization header or in the body, not in both.',
      { rule: 'secret_sent_twice' },
    );
  }
  const id = form.get('client_id');
  if (id !== undefined && id !== basic.id) {
    throw new OAuthError(
      'invalid_request',
      'The client_id in the body is not the one in the Authorization header.',
      { rule: 'client_ids_differ' },
    );
  }
  return basic;
}

function formDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
