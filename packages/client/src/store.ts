// Where an application keeps the tokens of one sign-in.

/** Plain data: it can be saved as JSON. */
export interface SavedTokens {
  accessToken: string;
  /** Absent if the member allowed access for one sign-in only. */
  refreshToken?: string;
  /** When to refresh, in milliseconds since 1970: a little before the server refuses the access token. */
  validUntil: number;
  /** What the member allowed, separated by spaces. */
  scope: string;
  /** The claims of the verified id_token. Absent without the scope `openid`. */
  claims?: Claims;
  /** Set while a refresh is in progress. If it is set when the tokens are loaded, a refresh was interrupted. */
  refreshStartedAt?: number;
}

export interface Claims {
  iss: string;
  /** The member's number as a string. It never changes and is never reused. */
  sub: string;
  /** When the member last proved their identity, in seconds since 1970. */
  auth_time?: number;
  [claim: string]: unknown;
}

/**
 * Keeps the tokens of one sign-in. `save` must not resolve before the tokens are durable: a refresh spends the old
 * token, so tokens that get lost can't be had again.
 */
export interface TokenStore {
  load(): Promise<SavedTokens | undefined> | SavedTokens | undefined;
  save(tokens: SavedTokens): Promise<void> | void;
  remove(): Promise<void> | void;
  /** Run the work while nothing else that uses the same tokens, in any process, runs its own. */
  lock<T>(work: () => Promise<T>): Promise<T>;
}

/** Keep the tokens in memory, until the program ends. */
export function memoryStore(): TokenStore {
  let tokens: SavedTokens | undefined;
  return {
    load: () => tokens,
    save(newTokens) {
      tokens = newTokens;
    },
    remove() {
      tokens = undefined;
    },
    lock: oneAtATime(),
  };
}

/** Return a lock for the callers in this process. They get it in the order in which they ask. */
export function oneAtATime(): TokenStore['lock'] {
  let previous: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = previous.then(work);
    previous = result.catch(() => {});
    return result;
  };
}
