// One run of a module: what the suite has configured (two clients, a member), its browser, and the requests it makes.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { JSONWebKeySet } from 'jose';
import type { ClientRegistration } from '../../src/oauth/client.ts';
import type { App } from '../support/app.ts';
import { Browser } from '../support/browser.ts';
import { json } from '../support/json.ts';
import { notebook, PASSWORD } from '../support/people.ts';
import type { Callbacks } from './callbacks.ts';
import type { Suite } from './suite.ts';
import { type Landing, type VisitOptions, visit } from './visit.ts';

/** How a plan wants its modules to be run. */
export interface Variant {
  clientAuth: 'client_secret_basic' | 'client_secret_post';
  responseMode: 'default' | 'form_post';
}

export const DEFAULT_VARIANT: Variant = { clientAuth: 'client_secret_basic', responseMode: 'default' };

export interface SuiteClient {
  id: string;
  secret: string;
  /** The one that its requests name. */
  redirectUri: string;
  /** All that are registered. */
  redirectUris: string[];
  postLogoutRedirectUri: string;
}

/** A discovery document, as far as modules go by it. */
export interface Discovery {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  userinfo_endpoint: string;
  end_session_endpoint: string;
  jwks_uri: string;
  grant_types_supported: readonly string[];
  token_endpoint_auth_methods_supported: readonly string[];
  id_token_signing_alg_values_supported: readonly string[];
}

/** An answer of the token endpoint or of userinfo, read once. */
export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: what is in it is what a module asserts
  body: any;
}

export class ModuleRun {
  readonly app: App;
  readonly variant: Variant;
  readonly callbacks: Callbacks;
  readonly discovery: Discovery;
  readonly client: SuiteClient;
  readonly client2: SuiteClient;
  private readonly suite: Suite;
  private browser: Browser;

  private constructor(
    suite: Suite,
    variant: Variant,
    found: { discovery: Discovery; clients: [SuiteClient, SuiteClient] },
  ) {
    this.suite = suite;
    this.app = suite.app;
    this.callbacks = suite.callbacks;
    this.variant = variant;
    this.discovery = found.discovery;
    [this.client, this.client2] = found.clients;
    this.browser = new Browser(suite.app.url);
  }

  /** Configures a run as the suite does: a browser without cookies, client 1 and client 2. */
  static async begin(suite: Suite, variant: Variant): Promise<ModuleRun> {
    const discovery = await json(await fetch(`${suite.app.url}/.well-known/openid-configuration`));
    const clients = [await suiteClient(suite, 'one', ''), await suiteClient(suite, 'two', DUMMIES)];
    return new ModuleRun(suite, variant, { discovery, clients: clients as [SuiteClient, SuiteClient] });
  }

  now(): number {
    return Math.floor(this.app.clock.now / 1000);
  }

  /** Lets time pass, without waiting for it. */
  wait(seconds: number): void {
    this.app.clock.advance(seconds * 1000);
  }

  /** Another browser, or the same one with all its cookies deleted. */
  forgetCookies(): void {
    this.browser = new Browser(this.app.url);
  }

  /** The authorization request that every module begins from. An empty parameter is left out. */
  request(more: Record<string, string> = {}, client: SuiteClient = this.client): URLSearchParams {
    const parameters = {
      client_id: client.id,
      redirect_uri: client.redirectUri,
      scope: 'openid',
      state: random(10),
      nonce: random(10),
      response_type: 'code',
      response_mode: this.variant.responseMode === 'default' ? '' : this.variant.responseMode,
      ...more,
    };
    return new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== ''));
  }

  /** Opens the authorization endpoint in the browser and answers its pages until it is sent elsewhere. */
  visit(request: URLSearchParams, options: VisitOptions = {}): Promise<Landing> {
    return this.open(this.discovery.authorization_endpoint, request, options);
  }

  /** Opens the end session endpoint in the browser, and confirms where it asks. */
  logOut(request: URLSearchParams): Promise<Landing> {
    return this.open(this.discovery.end_session_endpoint, request);
  }

  private open(endpoint: string, request: URLSearchParams, options: VisitOptions = {}): Promise<Landing> {
    const { callbacks } = this;
    const member = { username: this.suite.username, password: PASSWORD, ...options.member };
    return visit({ browser: this.browser, callbacks }, endpoint, request, { ...options, member });
  }

  /** Exchanges a code as this client. `extra` goes over the usual fields; an empty one is left out. */
  redeem(code: string, client: SuiteClient, extra: Record<string, string> = {}): Promise<Answer> {
    const fields = { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri, ...extra };
    return this.askToken(client, fields);
  }

  refresh(token: string, client: SuiteClient, extra: Record<string, string> = {}): Promise<Answer> {
    return this.askToken(client, { grant_type: 'refresh_token', refresh_token: token, ...extra });
  }

  /** Asks the token endpoint, authenticated in the way of the variant. */
  async askToken(client: SuiteClient, fields: Record<string, string>): Promise<Answer> {
    const basic = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`;
    return this.variant.clientAuth === 'client_secret_basic'
      ? this.postToToken(fields, { Authorization: basic })
      : this.postToToken({ client_id: client.id, client_secret: client.secret, ...fields });
  }

  /** Asks the token endpoint with these fields and no others. */
  async postToToken(fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> {
    const body = new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== ''));
    return read(await fetch(this.discovery.token_endpoint, { method: 'POST', body, headers }));
  }

  /** Asks userinfo; with the token in the header unless said otherwise. */
  async userinfo(token: string, init: RequestInit = {}): Promise<Answer> {
    const headers = { Authorization: `Bearer ${token}` };
    return read(await fetch(this.discovery.userinfo_endpoint, { headers, ...init }));
  }

  async keys(): Promise<JSONWebKeySet> {
    return json(await fetch(this.discovery.jwks_uri));
  }

  /** Registers another client, for modules that are about what is registered. */
  register(registration: Partial<ClientRegistration>): Promise<{ id: string; secret: string }> {
    return notebook(this.app.portico, { acceptsMissingStateAndNonce: true, ...registration });
  }
}

/** What a second redirect URI of each client has in its query. */
export const DUMMIES = '?dummy1=lorem&dummy2=ipsum';

/** So many letters and digits. */
export function random(length: number): string {
  return randomBytes(length).toString('hex').slice(0, length);
}

export async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  assert.notEqual(text, '', 'The body is empty.');
  return { status: response.status, headers: response.headers, body: JSON.parse(text) };
}

async function suiteClient(suite: Suite, name: string, used: '' | typeof DUMMIES): Promise<SuiteClient> {
  const callback = `${suite.callbacks.url}/test/a/${name}/callback`;
  const postLogoutRedirectUri = `${suite.callbacks.url}/test/a/${name}/post_logout_redirect`;
  const redirectUris = [callback, callback + DUMMIES];
  const { id, secret } = await notebook(suite.app.portico, {
    name: `Suite client ${name}`,
    redirectUris,
    postLogoutRedirectUris: [postLogoutRedirectUri],
    acceptsMissingStateAndNonce: true,
  });
  return { id, secret, redirectUris, redirectUri: callback + used, postLogoutRedirectUri };
}
