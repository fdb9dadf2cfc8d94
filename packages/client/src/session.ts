// A member's sign-in at the application: keeps its tokens valid, and reads the API with them.

import { Api } from './api.ts';
import { PorticoError } from './errors.ts';
import type { Protocol } from './protocol.ts';
import type { Server } from './settings.ts';
import type { Claims, SavedTokens, TokenStore } from './store.ts';

export class Session extends Api {
  private readonly protocol: Protocol;
  private readonly store: TokenStore;

  constructor(server: Server, protocol: Protocol, store: TokenStore) {
    super(server, {
      accessToken: () => this.accessToken(),
      replacementFor: (refused) => this.refreshed(refused),
    });
    this.protocol = protocol;
    this.store = store;
  }

  /** Report whether the store has tokens. The community may have ended the sign-in meanwhile. */
  async isSignedIn(): Promise<boolean> {
    return (await this.store.load()) !== undefined;
  }

  /** Return what the verified id_token says about the member. Undefined without the scope `openid`. */
  async claims(): Promise<Claims | undefined> {
    return (await this.load()).claims;
  }

  /** Return the scopes that the member allowed, which may be fewer than those asked for. */
  async scopes(): Promise<string[]> {
    return (await this.load()).scope.split(' ');
  }

  /** Return an access token that is valid now, for requests of one's own. Refreshes if necessary. */
  async accessToken(): Promise<string> {
    const saved = await this.load();
    return this.isValid(saved) ? saved.accessToken : this.refreshed(undefined);
  }

  /**
   * Revoke all tokens of this sign-in, and remove them from the store. They are removed even if the community can't be
   * reached; then they stay valid until they expire, unless the member removes the application's access.
   */
  async signOut(): Promise<void> {
    await this.store.lock(async () => {
      const saved = await this.store.load();
      if (saved === undefined) return;
      try {
        await this.protocol.revoke(saved.refreshToken ?? saved.accessToken);
      } finally {
        await this.store.remove();
      }
    });
  }

  // Only one caller spends the refresh token, whichever tab or process it is in. The others wait for the lock, and
  // then find the new tokens in the store.
  private refreshed(refused: string | undefined): Promise<string> {
    return this.store.lock(async () => {
      const saved = await this.load();
      if (saved.accessToken !== refused && this.isValid(saved)) return saved.accessToken;
      return (await this.refresh(saved)).accessToken;
    });
  }

  private async refresh(saved: SavedTokens): Promise<SavedTokens> {
    if (saved.refreshToken === undefined) {
      await this.store.remove();
      throw signInAgain('The access token has expired, and the member allowed access for one sign-in only.');
    }
    // Says to a later run that the token may be spent. It also tries the store before the token is spent.
    await this.store.save({ ...saved, refreshStartedAt: this.server.now() });
    const answer = await this.protocol.refresh(saved.refreshToken).catch((error: unknown) => {
      return this.afterRefusal(error, saved);
    });
    const tokens: SavedTokens = { ...answer, ...claimsOf(answer, saved) };
    try {
      await this.store.save(tokens);
    } catch (cause) {
      throw signInAgain(`The new tokens could not be saved (${cause}), and the old ones are spent.`, cause);
    }
    return tokens;
  }

  private async afterRefusal(error: unknown, saved: SavedTokens): Promise<SavedTokens> {
    if (!(error instanceof PorticoError && error.reason === 'sign_in_again')) throw error;
    const savedNow = await this.store.load();
    // A store whose lock doesn't reach every process: another one was faster, and its tokens are good.
    if (savedNow !== undefined && savedNow.refreshToken !== saved.refreshToken) return savedNow;
    await this.store.remove();
    if (saved.refreshStartedAt === undefined) throw error;
    const startedAt = new Date(saved.refreshStartedAt).toISOString();
    throw signInAgain(
      `A refresh was interrupted at ${startedAt}, before its answer was saved. The old refresh token is spent, and ` +
        'the new one is lost.',
      error,
    );
  }

  private async load(): Promise<SavedTokens> {
    const saved = await this.store.load();
    if (saved === undefined) throw signInAgain('The store has no tokens.');
    return saved;
  }

  private isValid({ validUntil }: SavedTokens): boolean {
    return this.server.now() < validUntil;
  }
}

// A refresh without `openid` has no id_token: who signed in stays the same.
function claimsOf({ claims: newClaims }: SavedTokens, { claims }: SavedTokens): { claims?: Claims } {
  if (newClaims !== undefined && claims !== undefined && newClaims.sub !== claims.sub) {
    throw signInAgain('The refreshed tokens belong to another member.');
  }
  const latest = newClaims ?? claims;
  return latest === undefined ? {} : { claims: latest };
}

function signInAgain(what: string, cause?: unknown): PorticoError {
  return new PorticoError('sign_in_again', `${what} Ask the member to sign in again.`, { cause });
}
