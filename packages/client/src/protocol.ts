// The requests of OAuth and OpenID Connect, made and checked by oauth4webapi.

import * as oauth from 'oauth4webapi';
import { protocolError } from './protocol-errors.ts';
import type { ApplicationSettings, Server } from './settings.ts';
import type { Claims, SavedTokens } from './store.ts';

/** What the application keeps while the member is at the community. Plain data: it can be saved as JSON. */
export interface SignInAttempt {
  state: string;
  nonce: string;
  codeVerifier: string;
}

export interface SignInOptions {
  /** `none` shows no page, `login` asks for the password, `consent` asks for consent again. */
  prompt?: 'none' | 'login' | 'consent' | 'select_account';
  /** The username that the sign-in form starts with. */
  loginHint?: string;
}

// Refreshes a little early, since the clocks differ and a request takes time.
const MOST_MARGIN = 30_000;

export class Protocol {
  private readonly settings: ApplicationSettings;
  private readonly server: Server;
  private readonly client: oauth.Client;
  private readonly clientAuth: oauth.ClientAuth;
  private metadata: Promise<oauth.AuthorizationServer> | undefined;

  constructor(settings: ApplicationSettings, server: Server) {
    this.settings = settings;
    this.server = server;
    this.client = { client_id: settings.clientId };
    this.clientAuth =
      settings.clientSecret === undefined ? oauth.None() : oauth.ClientSecretPost(settings.clientSecret);
  }

  get scope(): string {
    return this.settings.scope ?? 'openid profile:read posts:read';
  }

  async begin({ prompt, loginHint }: SignInOptions): Promise<{ url: string; attempt: SignInAttempt }> {
    const attempt = {
      state: oauth.generateRandomState(),
      nonce: oauth.generateRandomNonce(),
      codeVerifier: oauth.generateRandomCodeVerifier(),
    };
    const { authorization_endpoint } = await this.discover();
    const url = new URL(authorization_endpoint ?? '');
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: this.settings.clientId,
      redirect_uri: this.settings.redirectUri,
      scope: this.scope,
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(attempt.codeVerifier),
      code_challenge_method: 'S256',
      ...(prompt === undefined ? {} : { prompt }),
      ...(loginHint === undefined ? {} : { login_hint: loginHint }),
    }).toString();
    return { url: url.href, attempt };
  }

  /** Check the callback's `state` and `iss`, exchange its code, and verify the id_token. */
  redeem(callback: URL, { state, nonce, codeVerifier }: SignInAttempt): Promise<SavedTokens> {
    return this.request('redeem', async (server, options) => {
      const parameters = oauth.validateAuthResponse(server, this.client, callback, state);
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        this.client,
        this.clientAuth,
        parameters,
        this.settings.redirectUri,
        codeVerifier,
        options,
      );
      const answer = await oauth.processAuthorizationCodeResponse(
        server,
        this.client,
        response,
        this.scope.split(' ').includes('openid') ? { expectedNonce: nonce, requireIdToken: true } : {},
      );
      return this.tokensIn(server, answer, response);
    });
  }

  /** Spend a refresh token. The result has no `claims` if the answer has no id_token. */
  refresh(refreshToken: string): Promise<SavedTokens> {
    return this.request('refresh', async (server, options) => {
      const { client, clientAuth } = this;
      const response = await oauth.refreshTokenGrantRequest(
        server,
        client,
        clientAuth,
        refreshToken,
        options,
      );
      const answer = await oauth.processRefreshTokenResponse(server, client, response);
      return this.tokensIn(server, answer, response);
    });
  }

  revoke(token: string): Promise<void> {
    return this.request('revoke', async (server, options) => {
      const response = await oauth.revocationRequest(server, this.client, this.clientAuth, token, options);
      await oauth.processRevocationResponse(response);
    });
  }

  private async request<T>(
    step: 'redeem' | 'refresh' | 'revoke',
    send: (server: oauth.AuthorizationServer, options: RequestOptions) => Promise<T>,
  ): Promise<T> {
    const server = await this.discover();
    try {
      return await send(server, this.options);
    } catch (error) {
      throw protocolError(error, step, this.server);
    }
  }

  private discover(): Promise<oauth.AuthorizationServer> {
    this.metadata ??= this.fetchMetadata().catch((error: unknown) => {
      this.metadata = undefined;
      throw protocolError(error, 'discover', this.server);
    });
    return this.metadata;
  }

  private async fetchMetadata(): Promise<oauth.AuthorizationServer> {
    const issuer = new URL(this.server.issuer);
    const response = await oauth.discoveryRequest(issuer, this.options);
    const metadata = await oauth.processDiscoveryResponse(issuer, response);
    return { ...metadata, issuer: this.server.issuer };
  }

  private async tokensIn(
    server: oauth.AuthorizationServer,
    answer: oauth.TokenEndpointResponse,
    response: Response,
  ): Promise<SavedTokens> {
    const claims = oauth.getValidatedIdTokenClaims(answer);
    if (claims !== undefined) await this.verifySignature(server, response);
    const lifetime = (answer.expires_in ?? 0) * 1000;
    return {
      accessToken: answer.access_token,
      ...(answer.refresh_token === undefined ? {} : { refreshToken: answer.refresh_token }),
      validUntil: this.server.now() + lifetime - Math.min(MOST_MARGIN, lifetime / 10),
      scope: answer.scope ?? this.scope,
      ...(claims === undefined ? {} : { claims: claims as Claims }),
    };
  }

  private async verifySignature(server: oauth.AuthorizationServer, response: Response): Promise<void> {
    try {
      await oauth.validateApplicationLevelSignature(server, response, this.options);
    } catch (error) {
      if (!(error instanceof oauth.OperationProcessingError && error.code === oauth.KEY_SELECTION))
        throw error;
      // The key is newer than the keys in memory, which belong to this object. A copy has none, and fetches them.
      await oauth.validateApplicationLevelSignature({ ...server }, response, this.options);
      this.metadata = undefined;
    }
  }

  private get options(): RequestOptions {
    return {
      [oauth.customFetch]: (url, init) => this.server.fetchSoon(url, init as RequestInit),
      [oauth.allowInsecureRequests]: this.server.isLocal,
    };
  }
}

// The same for all requests: oauth4webapi types each one by its method and body.
interface RequestOptions {
  // biome-ignore lint/suspicious/noExplicitAny: see above
  [oauth.customFetch]: (url: string, init: oauth.CustomFetchOptions<any, any>) => Promise<Response>;
  [oauth.allowInsecureRequests]: boolean;
}
