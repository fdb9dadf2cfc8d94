// What a test can do at the community. The front sends each act to the process that runs it.

/** An application to register. What is left out is as for a public application at `redirectUri`. */
export interface ApplicationToRegister {
  redirectUri: string;
  /** A confidential application gets a secret. */
  kind?: 'public' | 'confidential';
  name?: string;
}

export interface RegisteredApplication {
  clientId: string;
  /** Empty for a public application. */
  clientSecret: string;
  redirectUri: string;
}

export interface Choice {
  /** The username. `alice` if left out. */
  as?: string;
  /** Whether to allow the application. Yes if left out. */
  allow?: boolean;
  /** The scopes to leave ticked. All if left out. */
  scopes?: string[];
  /** For how long. Until the access is removed, if left out. */
  duration?: 'until_removed' | '30_days' | '1_day' | 'once';
}

/**
 * `rate_limited`: 429 with `Retry-After`. `unavailable`: 503. `lost_answer`: the server does what the request asks for
 * and then closes the connection. `replayed`: someone else has just sent the same code or refresh token.
 */
export type Fault = 'rate_limited' | 'unavailable' | 'lost_answer' | 'replayed';

export interface Acts {
  /** Register another application. */
  register(application: ApplicationToRegister): Promise<RegisteredApplication>;
  /** Add a member. `alice` is there from the beginning. */
  addMember(username: string): Promise<void>;
  /** Publish a post of a member. Returns its id. */
  publish(username: string, title: string, text?: string): Promise<number>;
  /**
   * Open an authorization address in a browser of its own, sign a member in, and answer the consent page. Returns the
   * address of the callback that the browser would open, or throws what the page says.
   */
  signIn(authorizationUrl: string, choice?: Choice): Promise<string>;
  /** Let time pass at the community. A code expires after 300 seconds, an access token after 3,600. */
  advance(seconds: number): Promise<void>;
  /** Remove an application's access, as a member does. */
  withdrawConsent(username: string, clientId: string): Promise<void>;
  /** Replace the keys that sign id_tokens, at once. */
  replaceKeys(): Promise<void>;
  /** Let the next requests fail: those of the API, or those for tokens. */
  failNext(fault: Fault, where: 'api' | 'tokens', times?: number): Promise<void>;
}

/** The names of the acts. */
export const ACTS = [
  'register',
  'addMember',
  'publish',
  'signIn',
  'advance',
  'withdrawConsent',
  'replaceKeys',
  'failNext',
] as const satisfies readonly (keyof Acts)[];

/** From the front to the process. */
export interface Request {
  id: number;
  act: keyof Acts;
  words: unknown[];
}

/** From the process to the front. The first one has the issuer as its result. */
export interface Response {
  id: number;
  result?: unknown;
  error?: string;
}
