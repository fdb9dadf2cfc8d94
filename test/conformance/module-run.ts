// One run of a module: the suite's configuration (two clients and a member), its browser and its requests.

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

/** How the modules of a plan run. */
export interface Variant {
  clientAuth: 'client_secret_basic' | 'client_secret_post';
  responseMode: 'default' | 'form_post';
}

export const DEFAULT_VARIANT: Variant = { clientAuth: 'client_secret_basic', responseMode: 'default' };

export interface SuiteClient {
  id: string;
  secret: string;
  /** The one in its requests. */
  redirectUri: string;
  /** All registered ones. */
  redirectUris: string[];
  postLogoutRedirectUri: string;
}

/** What modules use of the discovery document. */
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

/** A response of the token endpoint or of userinfo, with its body. */
export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: modules assert what the body has
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
    { discovery, clients }: { discovery: Discovery; clients: [SuiteClient, SuiteClient] },
  ) {
    this.suite = suite;
    this.app = suite.app;
    this.callbacks = suite.callbacks;
    this.variant = variant;
    this.discovery = discovery;
    [this.client, this.client2] = clients;
    this.browser = new Browser(suite.app.url);
  }

  /** Configure a run as the suite does: a browser without cookies, client 1 and client 2. */
  static async begin(suite: Suite, variant: Variant): Promise<ModuleRun> {
    const discovery = await json(await fetch(`${suite.app.url}/.well-known/openid-configuration`));
    const clients = [await suiteClient(suite, 'one', ''), await suiteClient(suite, 'two', DUMMIES)];
    return new ModuleRun(suite, variant, { discovery, clients: clients as [SuiteClient, SuiteClient] });
  }

  now(): number {
    return Math.floor(this.app.clock.now / 1000);
  }

  /** Let time pass, without waiting. */
  wait(seconds: number): void {
    this.app.clock.advance(seconds * 1000);
  }

  /** Delete all cookies of the browser. */
  forgetCookies(): void {
    this.browser = new Browser(this.app.url);
  }

  /** Return the authorization request that every module begins with. An empty parameter is left out. */
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

  /** Open the authorization endpoint in the browser, and answer its pages until it is redirected elsewhere. */
  visit(request: URLSearchParams, options: VisitOptions = {}): Promise<Landing> {
    return this.open(this.discovery.authorization_endpoint, request, options);
  }

  /** Open the end session endpoint in the browser, and confirm if it asks. */
  logOut(request: URLSearchParams): Promise<Landing> {
    return this.open(this.discovery.end_session_endpoint, request);
  }

  private open(endpoint: string, request: URLSearchParams, options: VisitOptions = {}): Promise<Landing> {
    const { callbacks } = this;
    const member = { username: this.suite.username, password: PASSWORD, ...options.member };
    return visit({ browser: this.browser, callbacks }, endpoint, request, { ...options, member });
  }

  /** Exchange a code as this client. `extra` replaces or adds fields; an empty one is left out. */
  redeem(code: string, client: SuiteClient, extra: Record<string, string> = {}): Promise<Answer> {
    const fields = { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri, ...extra };
    return this.askToken(client, fields);
  }

  refresh(token: string, client: SuiteClient, extra: Record<string, string> = {}): Promise<Answer> {
    return this.askToken(client, { grant_type: 'refresh_token', refresh_token: token, ...extra });
  }

  /** Send a request to the token endpoint, authenticated with the variant's method. */
  async askToken(client: SuiteClient, fields: Record<string, string>): Promise<Answer> {
    const basic = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`;
    return this.variant.clientAuth === 'client_secret_basic'
      ? this.postToToken(fields, { Authorization: basic })
      : this.postToToken({ client_id: client.id, client_secret: client.secret, ...fields });
  }

  /** Send a request to the token endpoint with only these fields. */
  async postToToken(fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> {
    const body = new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== ''));
    return read(await fetch(this.discovery.token_endpoint, { method: 'POST', body, headers }));
  }

  /** Call userinfo, by default with the token in the header. */
  async userinfo(token: string, init: RequestInit = {}): Promise<Answer> {
    const headers = { Authorization: `Bearer ${token}` };
    return read(await fetch(this.discovery.userinfo_endpoint, { headers, ...init }));
  }

  async keys(): Promise<JSONWebKeySet> {
    return json(await fetch(this.discovery.jwks_uri));
  }

  /** Register another client, for modules about registration. */
  register(registration: Partial<ClientRegistration>): Promise<{ id: string; secret: string }> {
    return notebook(this.app.portico, { acceptsMissingStateAndNonce: true, ...registration });
  }
}

/** The query of each client's second redirect URI. */
export const DUMMIES = '?dummy1=lorem&dummy2=ipsum';

/** Return this many random letters and digits. */
export function random(length: number): string {
  return randomBytes(length).toString('hex').slice(0, length);
}

export async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  assert.notEqual(text, '', 'The body is empty.');
  return { status: response.status, headers: response.headers, body: JSON.parse(text) };
}

async function suiteClient(suite: Suite, name: string, query: '' | typeof DUMMIES): Promise<SuiteClient> {
  const callback = `${suite.callbacks.url}/test/a/${name}/callback`;
  const postLogoutRedirectUri = `${suite.callbacks.url}/test/a/${name}/post_logout_redirect`;
  const redirectUris = [callback, callback + DUMMIES];
  const { id, secret } = await notebook(suite.app.portico, {
    name: `Suite client ${name}`,
    redirectUris,
    postLogoutRedirectUris: [postLogoutRedirectUri],
    acceptsMissingStateAndNonce: true,
  });
  return { id, secret, redirectUris, redirectUri: callback + query, postLogoutRedirectUri };
}
