// Signing in through Portico, from an application's side: OpenID Connect with the authorization code flow and PKCE. It
// needs nothing but `fetch` and `node:crypto`. A larger application takes a library; this one is for reading.

import { createHash, randomBytes } from 'node:crypto';

export interface Registration {
  /** The address of the community, without a trailing slash. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
}

/** What the community says of its own addresses. */
interface Metadata {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  revocation_endpoint: string;
}

export interface Tokens {
  access_token: string;
  refresh_token: string;
  id_token?: string;
  scope: string;
  expires_in: number;
}

/** What has to be remembered between sending somebody to Portico and their return. */
export interface Attempt {
  state: string;
  nonce: string;
  verifier: string;
}

export interface Claims {
  iss: string;
  aud: string | string[];
  sub: string;
  exp: number;
  nonce?: string;
}

const SCOPE = 'openid profile:read posts:read';

export class SignInFailed extends Error {}

export class Portico {
  private metadata: Metadata | undefined;
  private readonly registration: Registration;

  constructor(registration: Registration) {
    this.registration = registration;
  }

  /** Where to send somebody who wants to sign in, and what to remember of it. */
  async begin(): Promise<{ address: string; attempt: Attempt }> {
    const attempt = { state: random(), nonce: random(), verifier: random() };
    const { authorization_endpoint } = await this.discover();
    const address = new URL(authorization_endpoint);
    address.search = new URLSearchParams({
      response_type: 'code',
      client_id: this.registration.clientId,
      redirect_uri: this.registration.redirectUri,
      scope: SCOPE,
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: createHash('sha256').update(attempt.verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }).toString();
    return { address: address.href, attempt };
  }

  /** What came back with somebody, turned into tokens. */
  async finish(returned: URLSearchParams, attempt: Attempt): Promise<{ tokens: Tokens; claims: Claims }> {
    // Without this anybody could sign somebody else in to an account that is not theirs.
    if (returned.get('state') !== attempt.state) throw new SignInFailed('The answer is to another question.');
    // RFC 9207: that it is this community that answers, and no other one that we also know.
    if (returned.get('iss') !== this.registration.issuer) throw new SignInFailed('Somebody else answers.');
    const error = returned.get('error');
    if (error !== null) throw new SignInFailed(returned.get('error_description') ?? error);
    const tokens = await this.ask({
      grant_type: 'authorization_code',
      code: returned.get('code') ?? '',
      redirect_uri: this.registration.redirectUri,
      code_verifier: attempt.verifier,
    });
    return { tokens, claims: this.claimsIn(tokens.id_token ?? '', attempt.nonce) };
  }

  /** New tokens for a refresh token. The old one must not be used again. */
  refresh(tokens: Tokens): Promise<Tokens> {
    return this.ask({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token });
  }

  /** Ends the sign-in at the community: the refresh token, and with it every access token, is over. */
  async revoke(tokens: Tokens): Promise<void> {
    const { revocation_endpoint } = await this.discover();
    await this.post(revocation_endpoint, { token: tokens.refresh_token });
  }

  /** Reads from the community's API. */
  async read(path: '/me' | '/me/posts', tokens: Tokens): Promise<unknown> {
    const answer = await fetch(`${this.registration.issuer}/api/open/v1${path}`, {
      headers: { Authorization: `Bearer ${tokens.access_token}` },
    });
    return answer.json();
  }

  private async discover(): Promise<Metadata> {
    if (this.metadata === undefined) {
      const answer = await fetch(`${this.registration.issuer}/.well-known/openid-configuration`);
      const metadata = (await answer.json()) as Metadata;
      if (metadata.issuer !== this.registration.issuer) throw new SignInFailed('Its own address is another.');
      this.metadata = metadata;
    }
    return this.metadata;
  }

  private async ask(fields: Record<string, string>): Promise<Tokens> {
    const { token_endpoint } = await this.discover();
    const answer = await this.post(token_endpoint, fields);
    const body = (await answer.json()) as Tokens & { error?: string; error_description?: string };
    if (!answer.ok) throw new SignInFailed(body.error_description ?? body.error ?? `status ${answer.status}`);
    return body;
  }

  private post(address: string, fields: Record<string, string>): Promise<Response> {
    const { clientId, clientSecret } = this.registration;
    const credentials = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`);
    return fetch(address, {
      method: 'POST',
      headers: { Authorization: `Basic ${credentials.toString('base64')}` },
      body: new URLSearchParams(fields),
    });
  }

  // It came over our own connection to the token endpoint, so its signature need not be looked at (OpenID Connect Core
  // §3.1.3.7, 6). One that came through a browser would have to be verified with the keys of the community.
  private claimsIn(idToken: string, nonce: string): Claims {
    const claims = JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString()) as Claims;
    const isOurs =
      claims.iss === this.registration.issuer &&
      [claims.aud].flat().includes(this.registration.clientId) &&
      claims.nonce === nonce &&
      claims.exp * 1000 > Date.now();
    if (!isOurs) throw new SignInFailed('The id_token is not for us.');
    return claims;
  }
}

function random(): string {
  return randomBytes(32).toString('base64url');
}
