// The read-only API, with types, paging, and times as instants.

import type * as answers from './answers.ts';
import { PorticoError } from './errors.ts';
import { rateLimited, unavailable } from './protocol-errors.ts';
import { type Server, type ServerSettings, serverOf } from './settings.ts';

/** The same fields, with the time as an instant instead of a text in UTC+8. */
type WithInstant<T extends { createdAt: string }> = Omit<T, 'createdAt'> & { createdAt: Date };

export type Profile = WithInstant<answers.Profile>;
export type Post = WithInstant<answers.PostItem>;
export type PostPage = Omit<answers.PostPage, 'items'> & { items: Post[] };
export type ServiceInfo = answers.ServiceInfo;

export interface CallOptions {
  signal?: AbortSignal;
}

/** Where the API gets its access tokens. */
export interface TokenSource {
  accessToken(): Promise<string>;
  /** Return another token in place of a refused one, or throw what to do. */
  replacementFor(refused: string): Promise<string>;
}

export class Api {
  protected readonly server: Server;
  private readonly tokens: TokenSource;

  constructor(server: Server, tokens: TokenSource) {
    this.server = server;
    this.tokens = tokens;
  }

  /** Read the member's profile. Needs `profile:read`. */
  async me(options: CallOptions = {}): Promise<Profile> {
    return withInstant(await this.get<answers.Profile>('/me', options));
  }

  /** Read one page of the member's posts, newest first. Needs `posts:read`. `page` counts from 0. */
  async postPage({ page = 0, size = 20, ...options }: PageOptions = {}): Promise<PostPage> {
    const answer = await this.get<answers.PostPage>(`/me/posts?page=${page}&size=${size}`, options);
    return { ...answer, items: answer.items.map(withInstant) };
  }

  /** Read all the member's posts, newest first, page by page as they are needed. */
  async *posts(options: CallOptions = {}): AsyncGenerator<Post, void, undefined> {
    // A post that is published meanwhile moves the others to later pages, so some would come twice.
    const seen = new Set<number>();
    for (let page = 0, totalPages = 1; page < totalPages; page += 1) {
      const answer = await this.postPage({ ...options, page, size: 50 });
      totalPages = answer.totalPages;
      for (const post of answer.items) {
        if (!seen.has(post.id)) yield post;
        seen.add(post.id);
      }
    }
  }

  /** Ask what the token may do. Works with any valid token. */
  info(options: CallOptions = {}): Promise<ServiceInfo> {
    return this.get('/', options);
  }

  private async get<T>(path: string, options: CallOptions): Promise<T> {
    const token = await this.tokens.accessToken();
    let response = await this.send(path, token, options);
    if (response.status === 401) {
      await response.body?.cancel();
      response = await this.send(path, await this.tokens.replacementFor(token), options);
    }
    if (!response.ok) throw await this.refusal(response);
    return (await response.json()) as T;
  }

  private async send(path: string, token: string, { signal }: CallOptions): Promise<Response> {
    const headers = { Authorization: `Bearer ${token}` };
    const init = signal === undefined ? { headers } : { headers, signal };
    const { issuer, fetch } = this.server;
    try {
      return await fetch(`${issuer}/api/open/v1${path}`, init);
    } catch (error) {
      if (signal?.aborted) throw error;
      const message = `${issuer} can't be reached. Try again later.`;
      throw new PorticoError('unavailable', message, { cause: error });
    }
  }

  private async refusal(response: Response): Promise<PorticoError> {
    const { status } = response;
    const problem = (await response.json().catch(() => ({}))) as Partial<answers.Problem>;
    const said = problem.detail ?? `The answer was ${status}.`;
    const details = { docs: problem.type };
    if (status === 429) return rateLimited(response, this.server);
    if (status >= 500) return unavailable(response, this.server);
    if (status === 401) {
      return new PorticoError('sign_in_again', `${said} Ask the member to sign in again.`, details);
    }
    if (status === 403) {
      const advice = 'Do without it, or ask the member to sign in again and to allow it.';
      return new PorticoError('scope_missing', `${said} ${advice}`, details);
    }
    return new PorticoError('unexpected', said, details);
  }
}

export interface PageOptions extends CallOptions {
  page?: number;
  /** From 1 to 50. */
  size?: number;
}

/** Read one's own account with an API token, as a script does. */
export function apiWithToken(settings: ServerSettings, token: string): Api {
  const server = serverOf(settings);
  return new Api(server, {
    accessToken: async () => token,
    replacementFor() {
      const advice = `Create another one under ${server.issuer}/settings/tokens`;
      throw new PorticoError('token_refused', `The API token is not valid. ${advice}`);
    },
  });
}

function withInstant<T extends { createdAt: string }>(answer: T): WithInstant<T> {
  return { ...answer, createdAt: instantOf(answer.createdAt) };
}

/** Return the instant that a time of the API names: a local time in UTC+8, without an offset. */
export function instantOf(localTime: string): Date {
  return new Date(`${localTime}+08:00`);
}
