// Signs members in through Portico, as an application does: OpenID Connect with the authorization code flow and PKCE.
// It needs nothing but `fetch` and `node:crypto`. A real application should use a library; this code is for reading.

import { createHash, randomBytes } from 'node:crypto';

export interface Registration {
  /** The address of the community, without a trailing slash. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
}

/** What this application needs from the discovery document. */
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

/** What the application remembers while the member is at Portico. */
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

  /** Begin a sign-in. Returns the address to redirect to, and what to remember until the member returns. */
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

  /** Finish a sign-in: exchange the code that the callback received for tokens. */
  async finish(callback: URLSearchParams, attempt: Attempt): Promise<{ tokens: Tokens; claims: Claims }> {
    // Otherwise an attacker could make someone else's browser finish the attacker's own sign-in.
    if (callback.get('state') !== attempt.state)
      throw new SignInFailed('This response belongs to another sign-in.');
    // RFC 9207: an application with several servers must know which one the response comes from.
    if (callback.get('iss') !== this.registration.issuer)
      throw new SignInFailed('This response comes from another server.');
    const error = callback.get('error');
    if (error !== null) throw new SignInFailed(callback.get('error_description') ?? error);
    const tokens = await this.requestTokens({
      grant_type: 'authorization_code',
      code: callback.get('code') ?? '',
      redirect_uri: this.registration.redirectUri,
      code_verifier: attempt.verifier,
    });
    return { tokens, claims: this.claimsIn(tokens.id_token ?? '', attempt.nonce) };
  }

  /** Exchange the refresh token for new tokens. It must not be used again. */
  refresh(tokens: Tokens): Promise<Tokens> {
    return this.requestTokens({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token });
  }

  /** Revoke the refresh token, and with it every access token of this sign-in. */
  async revoke(tokens: Tokens): Promise<void> {
    const { revocation_endpoint } = await this.discover();
    await this.post(revocation_endpoint, { token: tokens.refresh_token });
  }

  /** Read from the community's API. */
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
      if (metadata.issuer !== this.registration.issuer)
        throw new SignInFailed('The discovery document names another issuer.');
      this.metadata = metadata;
    }
    return this.metadata;
  }

  private async requestTokens(fields: Record<string, string>): Promise<Tokens> {
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

  // This id_token came straight from the token endpoint, so its signature need not be verified (OpenID Connect Core
  // §3.1.3.7, 6). If it came through a browser, it would have to be verified with the community's keys.
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
