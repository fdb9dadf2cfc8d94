// The modules about discovery: oidcc-config-certification-test-plan, and those of other plans that read the document.

import assert from 'node:assert/strict';
import { json } from '../support/json.ts';
import { assertKeys } from './assertions.ts';
import type { ModuleRun } from './module-run.ts';

const isText = (value: unknown) => typeof value === 'string' && value !== '';
const isHttps = (value: unknown) => isText(value) && URL.parse(String(value))?.protocol === 'https:';
const isFlag = (value: unknown) => typeof value === 'boolean';
// RFC 8414 §3.2: a member without elements is left out.
const isList = (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(isText);

/** Members that RFC 8414, RFC 9207, OpenID Connect Discovery, RP-Initiated Logout and prompt=create register. */
const MEMBERS: Record<string, (value: unknown) => boolean> = {
  issuer: isHttps,
  authorization_endpoint: isHttps,
  token_endpoint: isHttps,
  revocation_endpoint: isHttps,
  introspection_endpoint: isHttps,
  userinfo_endpoint: isHttps,
  end_session_endpoint: isHttps,
  jwks_uri: isHttps,
  scopes_supported: isList,
  response_types_supported: isList,
  response_modes_supported: isList,
  grant_types_supported: isList,
  acr_values_supported: isList,
  token_endpoint_auth_methods_supported: isList,
  revocation_endpoint_auth_methods_supported: isList,
  subject_types_supported: isList,
  id_token_signing_alg_values_supported: isList,
  userinfo_signing_alg_values_supported: isList,
  claim_types_supported: isList,
  claims_supported: isList,
  code_challenge_methods_supported: isList,
  prompt_values_supported: isList,
  display_values_supported: isList,
  ui_locales_supported: isList,
  claims_locales_supported: isList,
  backchannel_logout_supported: isFlag,
  backchannel_logout_session_supported: isFlag,
  claims_parameter_supported: isFlag,
  request_parameter_supported: isFlag,
  request_uri_parameter_supported: isFlag,
  require_request_uri_registration: isFlag,
  authorization_response_iss_parameter_supported: isFlag,
  client_id_metadata_document_supported: isFlag,
  service_documentation: isHttps,
  op_policy_uri: isHttps,
  op_tos_uri: isHttps,
};

export async function discoveryEndpointVerification(run: ModuleRun): Promise<void> {
  const address = `${run.app.url}/.well-known/openid-configuration`;

  const answer = await fetch(address);

  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json\b/);
  const document = await json(answer);
  assertMembers(document);
  assertIssuer(document.issuer, address);
  assert.deepEqual(document.response_types_supported, ['code']);
  assert.deepEqual(document.response_modes_supported, ['query', 'form_post']);
  assert.deepEqual(document.grant_types_supported, ['authorization_code', 'refresh_token']);
  assert.deepEqual(document.subject_types_supported, ['public']);
  assert.deepEqual(document.id_token_signing_alg_values_supported, ['RS256', 'ES256']);
  assert.deepEqual(document.scopes_supported, ['openid', 'profile:read', 'posts:read']);
  assert.deepEqual(document.code_challenge_methods_supported, ['S256']);
  for (const claim of ['iss', 'sub', 'aud', 'exp', 'iat'])
    assert.ok(document.claims_supported.includes(claim));
  for (const scope of document.scopes_supported) assert.match(scope, /^[\x21\x23-\x5B\x5D-\x7E]+$/);
  const locales = document.ui_locales_supported;
  assert.deepEqual(Intl.getCanonicalLocales(locales), locales);
  await assertKeys(await run.keys());
  await assertSameForOAuth(run, document);
}

export async function offersLogout(run: ModuleRun): Promise<void> {
  assert.equal(run.discovery.end_session_endpoint, `${run.app.url}/oauth/logout`);
}

export async function fapiDiscovery(run: ModuleRun): Promise<void> {
  const document = await json(await fetch(`${run.app.url}/.well-known/openid-configuration`));

  assert.equal(document.authorization_response_iss_parameter_supported, true);
  assert.deepEqual(document.response_types_supported, ['code']);
  assert.deepEqual(document.code_challenge_methods_supported, ['S256']);
  assert.deepEqual(document.grant_types_supported, ['authorization_code', 'refresh_token']);
}

function assertMembers(document: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(document)) {
    const isRight = MEMBERS[name];
    assert.ok(isRight !== undefined, `${name} is not a registered member`);
    assert.ok(isRight(value), `${name}: ${JSON.stringify(value)}`);
    if (name.endsWith('_endpoint')) assert.ok(isHttps(value), name);
  }
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint']) {
    assert.ok(name in document, name);
  }
}

function assertIssuer(issuer: string, address: string): void {
  assert.equal(`${issuer}/.well-known/openid-configuration`, address);
  const { protocol, hostname, username, search, hash } = new URL(issuer);
  assert.deepEqual(
    { protocol, hostname, username, search, hash },
    { protocol: 'https:', hostname: 'localhost', username: '', search: '', hash: '' },
  );
}

async function assertSameForOAuth(run: ModuleRun, document: unknown): Promise<void> {
  const other = await fetch(`${run.app.url}/.well-known/oauth-authorization-server`);
  assert.deepEqual(await other.json(), document);
}
