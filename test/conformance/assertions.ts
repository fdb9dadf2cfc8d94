// The suite's checks in every module. Where the suite only warns, these fail.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { decodeProtectedHeader, importJWK, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';
import type { Answer, Discovery, ModuleRun, SuiteClient } from './module-run.ts';
import type { Landing } from './visit.ts';

const MINUTE = 60;
const YEAR = 365 * 24 * 3600;

// The configuration of a module.

/** The document has the issuer and the endpoints, as https addresses. */
export function assertDiscovery(discovery: Discovery, url: string): void {
  assert.equal(discovery.issuer, url);
  assert.match(discovery.issuer, /^https:\/\//);
  assert.match(discovery.authorization_endpoint, /^https:\/\//);
  assert.match(discovery.token_endpoint, /^https:\/\//);
  assert.match(discovery.userinfo_endpoint, /^https:\/\//);
  assert.match(discovery.jwks_uri, /^https:\/\//);
}

/** Every key has a kid, and no private part. */
export async function assertKeys({ keys }: JSONWebKeySet): Promise<void> {
  assert.ok(keys.length > 0);
  for (const key of keys) {
    for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']) assert.ok(!(secret in key), secret);
    assert.ok(key.kty === 'RSA' || key.kty === 'EC');
    assert.match(key.kid ?? '', /\S/);
    await importJWK(key, key.alg);
  }
  assert.equal(new Set(keys.map(({ kid }) => kid)).size, keys.length, 'A kid is used twice.');
}

/** The document lists the method with which the module authenticates its clients. */
export function assertAuthMethod(run: ModuleRun): void {
  assert.ok(run.discovery.token_endpoint_auth_methods_supported.includes(run.variant.clientAuth));
}

/** There are two clients, each with a plain callback and one with a query. */
export function assertClients({ client, client2 }: ModuleRun): void {
  assert.notEqual(client.id, client2.id);
  assert.notEqual(client.secret, client2.secret);
  for (const { redirectUris } of [client, client2]) {
    const [plain = '', withQuery] = redirectUris;
    assert.doesNotMatch(plain, /\?/);
    assert.equal(withQuery, `${plain}?dummy1=lorem&dummy2=ipsum`);
  }
}

// The response at the callback.

/** The browser arrived at the right callback, in the right way. Returns the response's parameters. */
export function assertArrival(run: ModuleRun, request: URLSearchParams, landing: Landing): URLSearchParams {
  const { arrival } = landing;
  assert.ok(arrival !== undefined, landing.pages.at(-1)?.text ?? 'It arrived nowhere.');
  const registered = new URL(request.get('redirect_uri') ?? '');
  assert.equal(arrival.url.origin + arrival.url.pathname, registered.origin + registered.pathname);
  for (const [name, value] of registered.searchParams)
    assert.equal(arrival.url.searchParams.get(name), value);
  if (run.variant.responseMode === 'form_post') {
    assertFormPost(landing, registered);
    return new URLSearchParams(arrival.body);
  }
  assert.equal(arrival.method, 'GET');
  const parameters = new URLSearchParams(arrival.url.searchParams);
  for (const name of registered.searchParams.keys()) parameters.delete(name);
  return parameters;
}

/** The response came in a form, from a page that is not cached and allows no scripts of others. */
function assertFormPost({ arrival, pages }: Landing, registered: URL): void {
  assert.equal(arrival?.method, 'POST');
  assert.match(arrival?.contentType ?? '', /^application\/x-www-form-urlencoded\b/);
  assert.equal(arrival?.url.href, registered.href, 'Something was added to the address.');
  const page = pages.at(-1);
  assert.equal(page?.kind, 'form_post');
  assert.match(page?.headers.get('cache-control') ?? '', /no-store/);
  assert.match(page?.headers.get('content-security-policy') ?? '', /script-src 'self';/);
  assert.doesNotMatch(page?.headers.get('content-security-policy') ?? '', /unsafe/);
  assert.match(page?.text ?? '', /<script src="\/[^"]+"[^>]*><\/script>/, 'Nothing submits the form.');
  assert.doesNotMatch(page?.text ?? '', /\son[a-z]+=|<script>/, 'A script is on the page itself.');
}

/** The response has a code, the state as it was sent, and the issuer. Returns the code. */
export function assertCode(run: ModuleRun, request: URLSearchParams, landing: Landing): string {
  const parameters = assertArrival(run, request, landing);
  assert.equal(parameters.get('error'), null, parameters.get('error_description') ?? '');
  assert.equal(parameters.get('state'), request.get('state'));
  assert.equal(parameters.get('iss'), run.discovery.issuer);
  assert.deepEqual(
    [...parameters.keys()].sort(),
    request.has('state') ? ['code', 'iss', 'state'] : ['code', 'iss'],
  );
  const code = parameters.get('code') ?? '';
  assert.notEqual(code, '');
  return code;
}

/** The response at the callback has one of these errors, and no parameter that an error doesn't have. */
export function assertAuthorizationError(
  run: ModuleRun,
  request: URLSearchParams,
  landing: Landing,
  errors: readonly string[],
): void {
  const parameters = assertArrival(run, request, landing);
  assert.ok(errors.includes(parameters.get('error') ?? ''), `${parameters}`);
  assert.equal(parameters.get('code'), null);
  assert.equal(parameters.get('state'), request.get('state'));
  assert.equal(parameters.get('iss'), run.discovery.issuer);
  const known = ['error', 'error_description', 'error_uri', 'state', 'iss'];
  assert.deepEqual(
    [...parameters.keys()].filter((name) => !known.includes(name)),
    [],
  );
  assertErrorWords(parameters.get('error_description'), parameters.get('error_uri'));
}

/** The browser stayed on an error page, which has no link to the given address. */
export function assertErrorPage(landing: Landing, given: string): void {
  assert.equal(landing.arrival, undefined);
  assert.deepEqual(landing.sentTo, []);
  const page = landing.pages.at(-1);
  assert.equal(page?.status, 400);
  assert.match(page?.headers.get('content-type') ?? '', /^text\/html/);
  assert.equal(page?.headers.get('location'), null);
  assert.equal(page?.headers.get('refresh'), null);
  assert.doesNotMatch(page?.text ?? '', /http-equiv="?refresh/i);
  const hrefs = [...(page?.text ?? '').matchAll(/(?:href|action|src)="([^"]*)"/g)].map(
    ([, target]) => target,
  );
  const origin = URL.parse(given)?.origin;
  assert.deepEqual(
    hrefs.filter((target) => origin !== undefined && target?.startsWith(origin)),
    [],
  );
}

// The token endpoint.

export interface SuiteTokens {
  access_token: string;
  refresh_token: string;
  id_token: string;
}

/** The token endpoint returned tokens. */
export function assertTokens(answer: Answer): SuiteTokens {
  const { status, headers, body } = answer;
  assert.equal(status, 200, JSON.stringify(body));
  assertJson(headers);
  assertNotKept(headers);
  assert.equal(body.error, undefined);
  assert.match(body.access_token, /^[\x20-\x7E]+$/);
  assert.match(body.token_type, /^bearer$/i);
  assert.equal(typeof body.expires_in, 'number');
  assert.ok(body.expires_in > 0 && body.expires_in <= YEAR);
  assert.match(body.refresh_token, /^[\x20-\x7E]+$/);
  assert.equal(typeof body.id_token, 'string', 'There is no id_token.');
  return body;
}

/** The token endpoint returned this error. */
export function assertTokenError(answer: Answer, error: string, status = 400): void {
  const { headers, body } = answer;
  assert.equal(answer.status, status, JSON.stringify(body));
  assertJson(headers);
  assertNotKept(headers);
  assert.equal(body.error, error);
  assertErrorWords(body.error_description, body.error_uri);
  for (const name of ['access_token', 'refresh_token', 'id_token']) assert.ok(!(name in body), name);
}

/** The text can't be guessed: it has at least 128 bits, and more than 96 bits of Shannon entropy. */
export function assertUnguessable(secret: string): void {
  assert.ok(secret.length * 8 >= 128, secret);
  assert.ok(shannonBits(secret) > 96, secret);
}

// The id_token and userinfo.

/** What an id_token must match. */
export interface Expected {
  client: SuiteClient;
  nonce: string | null;
  accessToken: string;
}

// The claims that an id_token may have without being requested.
const ID_TOKEN_CLAIMS =
  'iss sub aud exp iat auth_time nonce acr amr azp at_hash c_hash nbf jti sid s_hash txn'.split(' ');

/** The id_token is signed by a published key, and is for this client and this sign-in, now. Returns its claims. */
export async function assertIdToken(
  run: ModuleRun,
  idToken: string,
  { client, nonce, accessToken }: Expected,
): Promise<JWTPayload & { auth_time: number; sub: string }> {
  const claims = await assertSignature(run, idToken);
  const now = run.now();
  assert.equal(claims.iss, run.discovery.issuer);
  assert.deepEqual([claims.aud].flat(), [client.id]);
  assertMoment(claims.exp, now - 5 * MINUTE, now + 50 * YEAR);
  assertMoment(claims.iat, now - 5 * MINUTE, now + 5 * MINUTE);
  assertMoment(claims.auth_time, now - YEAR, now);
  if ('nbf' in claims) assertMoment(claims.nbf, 0, now + 5 * MINUTE);
  assert.equal(claims.nonce ?? null, nonce);
  if ('acr' in claims) assert.match(String(claims.acr), /\S/);
  assert.match(claims.sub ?? '', /^[\x21-\x7E]{1,255}$/);
  if ('at_hash' in claims) assert.equal(claims.at_hash, leftHalfOfHash(accessToken));
  assert.ok(!('c_hash' in claims), 'A code flow needs no c_hash.');
  assert.deepEqual(
    Object.keys(claims).filter((name) => !ID_TOKEN_CLAIMS.includes(name)),
    [],
  );
  return claims as JWTPayload & { auth_time: number; sub: string };
}

/** Userinfo is about the same member, with the standard's types. */
export function assertUserinfo({ status, headers, body }: Answer, sub: string): void {
  assert.equal(status, 200, JSON.stringify(body));
  assertJson(headers);
  assert.equal(body.sub, sub);
  for (const [name, value] of Object.entries(body)) {
    assert.equal(typeof value, 'string', name);
    assert.match(String(value), /\S/, name);
    assert.notEqual(value, 'null', name);
  }
}

/** The token was refused. */
export function assertTokenRefused({ status, headers }: Answer): void {
  assert.equal(status, 401);
  assert.match(headers.get('www-authenticate') ?? '', /^Bearer .*error="invalid_token"/);
}

/** The id_token is signed by exactly one published key, and has not expired. Returns its claims. */
export async function assertSignature(run: ModuleRun, idToken: string): Promise<JWTPayload> {
  const { kid, alg = '' } = decodeProtectedHeader(idToken);
  assert.ok(run.discovery.id_token_signing_alg_values_supported.includes(alg), alg);
  assert.notEqual(alg, 'none');
  const { keys } = await run.keys();
  const matching = keys.filter((key) => key.kid === kid && key.alg === alg && key.use === 'sig');
  assert.equal(matching.length, 1, 'Not exactly one key matches.');
  const currentDate = new Date(run.now() * 1000);
  const { payload } = await jwtVerify(idToken, await importJWK(matching[0] ?? {}, alg), { currentDate });
  return payload;
}

function assertMoment(value: unknown, earliest: number, latest: number): void {
  assert.ok(typeof value === 'number' && value >= earliest && value <= latest, String(value));
}

function assertJson(headers: Headers): void {
  assert.match(headers.get('content-type') ?? '', /^application\/json\b/);
}

function assertNotKept(headers: Headers): void {
  assert.match(headers.get('cache-control') ?? '', /no-store/);
  assert.match(headers.get('pragma') ?? '', /no-cache/);
}

// RFC 6749 §4.1.2.1, §5.2.
function assertErrorWords(description?: string | null, uri?: string | null): void {
  assert.match(description ?? '', /^[\x20-\x21\x23-\x5B\x5D-\x7E]*$/);
  assert.match(uri ?? '', /^[\x21\x23-\x5B\x5D-\x7E]*$/);
}

function leftHalfOfHash(text: string): string {
  const hash = createHash('sha256').update(text, 'ascii').digest();
  return hash.subarray(0, hash.length / 2).toString('base64url');
}

function shannonBits(text: string): number {
  const counts = new Map<string, number>();
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  const perLetter = [...counts.values()].map(
    (count) => (count / text.length) * Math.log2(count / text.length),
  );
  return -perLetter.reduce((sum, bits) => sum + bits, 0) * text.length;
}
