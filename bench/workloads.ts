// The workloads that are measured, each as whole requests that are ready to be sent.

import type { Portico } from '../src/compose.ts';
import {
  type Application,
  addApplication,
  addCodes,
  addMembers,
  addPosts,
  addSessions,
  addSignIns,
  CALLBACK,
  type SignedIn,
  shuffle,
  VERIFIER,
} from './community.ts';

export interface Workload {
  name: string;
  /** The least acceptable share of a bare server, in percent; undefined if the workload is only shown. */
  must: number | undefined;
  /** The share to aim for, in percent. */
  aim: number | undefined;
  status: number;
  /** Whether the requests can be sent repeatedly. If not, each round gets new ones. */
  isRepeatable: boolean;
  requests(): Promise<string[]>;
  /** Whether the load leaves its core to the server's threads while it waits. */
  yieldsCore?: boolean;
}

/** How many of the first members have posts, and how many each. */
export const AUTHORS = 100;
export const POSTS_EACH = 200;
/** How many members after them have as many posts as a page shows. More than there are lists in memory. */
const WRITERS = 2000;
const POSTS_OF_WRITERS = 20;

/** The community that the workloads use. */
export interface Seeded {
  portico: Portico;
  application: Application;
  signIns: SignedIn[];
  /** How many requests a round has if they can't be repeated. */
  unrepeatable: number;
}

/** Add the members and posts that the workloads use. */
export async function addCommunity(portico: Portico, members: number): Promise<void> {
  await addMembers(portico, members);
  await addPosts(portico, { first: 1, authors: AUTHORS, postsEach: POSTS_EACH });
  await addPosts(portico, { first: 1 + AUTHORS, authors: WRITERS, postsEach: POSTS_OF_WRITERS });
}

/** Add a sign-in of each member to an application, and make the workloads that use them. */
export async function addWorkloads(
  portico: Portico,
  members: number,
  unrepeatable: number,
): Promise<Workload[]> {
  const application = await addApplication(portico);
  const signIns = await addSignIns(portico, application, members);
  return workloadsOf({ portico, application, signIns, unrepeatable });
}

export function workloadsOf({ portico, application, signIns, unrepeatable: most }: Seeded): Workload[] {
  const unrepeatable = Math.min(most, signIns.length);
  // Fewer: an RS256 signature takes longer than several requests of other workloads.
  const signed = Math.ceil(unrepeatable / 4);

  async function exchanges(alg: 'RS256' | 'ES256', openid: boolean, count = unrepeatable): Promise<string[]> {
    const application = await addApplication(portico, alg);
    const scopes = openid ? (['openid', 'profile:read'] as const) : (['profile:read', 'posts:read'] as const);
    const codes = await addCodes(portico, application, count, scopes);
    return codes.map(({ text }) => exchangeRequest(application, text));
  }

  async function freshSignIns(request: (one: SignedIn, at: Application) => string): Promise<string[]> {
    const application = await addApplication(portico);
    return (await addSignIns(portico, application, unrepeatable)).map((one) => request(one, application));
  }

  const repeated = (
    name: string,
    must: number | undefined,
    aim: number | undefined,
    requests: () => Promise<string[]>,
    status = 200,
  ): Workload => ({ name, must, aim, status, isRepeatable: true, requests });
  const unrepeated = (
    name: string,
    must: number | undefined,
    aim: number | undefined,
    requests: () => Promise<string[]>,
  ): Workload => ({
    name,
    must,
    aim,
    status: 200,
    isRepeatable: false,
    requests,
  });

  return [
    repeated('GET /me', 50, 70, async () => shuffle(signIns).map((one) => apiRequest('/me', one))),
    repeated(`GET /me/posts, 20 of ${POSTS_EACH}`, 20, 35, async () =>
      shuffle(signIns.slice(0, AUTHORS)).map((one) => apiRequest('/me/posts', one)),
    ),
    repeated(`GET /me/posts from the database, of ${WRITERS} members`, undefined, undefined, async () =>
      shuffle(signIns.slice(AUTHORS, AUTHORS + WRITERS)).map((one) => apiRequest('/me/posts', one)),
    ),
    unrepeated('code exchange with PKCE', 9, 16, () => exchanges('RS256', false)),
    unrepeated('code exchange with an ES256 id_token', 7, 12, () => exchanges('ES256', true)),
    unrepeated(RS256_ON_ONE_CORE, undefined, undefined, () => exchanges('RS256', true, signed)),
    unrepeated('refresh with rotation', 12, 20, () => freshSignIns(refreshRequest)),
    repeated(
      'authorize with remembered consent',
      8,
      12,
      async () =>
        (await addSessions(portico, Math.min(signIns.length, 10_000))).map((cookie) =>
          authorizationRequest(application, cookie),
        ),
      303,
    ),
    unrepeated('revoke', 12, 20, () => freshSignIns(revocationRequest)),
    repeated('post page', 10, undefined, async () =>
      Array.from({ length: 1000 }, (_, index) => get(`/posts/${1 + index}`, 'Accept: text/html')),
    ),
    repeated('home page', 10, undefined, async () => [get('/', 'Accept: text/html')]),
    // Must be the last: it changes where the server's threads run.
    {
      ...unrepeated(RS256_EXCHANGE, undefined, undefined, () => exchanges('RS256', true, signed)),
      yieldsCore: true,
    },
  ];
}

export const RS256_EXCHANGE = 'code exchange with an RS256 id_token';
export const RS256_ON_ONE_CORE = 'RS256, signing threads on the same core';

export function get(path: string, header = 'Accept: */*'): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${header}\r\n\r\n`;
}

export function apiRequest(path: string, { access }: Pick<SignedIn, 'access'>): string {
  return get(`/api/open/v1${path}`, `Authorization: Bearer ${access}`);
}

export function exchangeRequest(application: Application, code: string): string {
  return form('/api/oauth/token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: CALLBACK,
    code_verifier: VERIFIER,
    ...credentials(application),
  });
}

export function refreshRequest({ refresh }: SignedIn, application: Application): string {
  return form('/api/oauth/token', {
    grant_type: 'refresh_token',
    refresh_token: refresh,
    ...credentials(application),
  });
}

function revocationRequest({ access }: SignedIn, application: Application): string {
  return form('/api/oauth/revoke', { token: access, ...credentials(application) });
}

/** Ask for a code for a member who is signed in and has allowed the application before. */
export function authorizationRequest({ client }: Application, session: string): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: client.id,
    redirect_uri: CALLBACK,
    scope: 'profile:read posts:read',
    state: 'af0ifjsldkj',
  });
  return get(`/oauth/authorize?${query}`, `Cookie: portico_session=${session}`);
}

function form(path: string, fields: Record<string, string>): string {
  const body = new URLSearchParams(fields).toString();
  return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

function credentials({ client, secret }: Application): Record<string, string> {
  return { client_id: client.id, client_secret: secret };
}
