// Calls of the API: tokens, and requests with exact headers.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { byServer } from '../../../src/audit/doer.ts';
import { createPersonalToken } from '../../../src/oauth/personal-token.ts';
import type { ScopeSet } from '../../../src/oauth/scope.ts';
import type { App } from '../../support/app.ts';
import type { Person } from '../../support/people.ts';

export const EVERYTHING: ScopeSet = ['profile:read', 'posts:read'];

/** Create a personal token of a member, valid for 30 days. */
export async function tokenOf(app: App, { id }: Person, scopes = EVERYTHING): Promise<string> {
  const result = await createPersonalToken(byServer(app.portico.clock), app.portico.oauth, {
    userId: id,
    name: 'script',
    scopes,
    days: 30,
  });
  if ('problem' in result) throw new Error(result.problem);
  return result.text;
}

/** Call the API with a token. The path is relative to the API's base. */
export function ask(
  app: App,
  path: string,
  token: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Response> {
  return askWith(app, path, { Authorization: `Bearer ${token}`, ...headers }, method);
}

/** Call the API with only these headers. */
export function askWith(
  app: App,
  path: string,
  headers: Record<string, string>,
  method = 'GET',
): Promise<Response> {
  return fetch(`${app.url}/api/open/v1${path}`, { method, headers });
}

/** Call the API with these header lines, which may repeat a header. Returns the status. */
export function askRaw(app: App, path: string, lines: string[]): Promise<number | undefined> {
  const { host } = new URL(app.url);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${app.url}/api/open/v1${path}`,
      { headers: ['Host', host, ...lines] },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      },
    );
    outgoing.on('error', reject);
    outgoing.end();
  });
}

/** Expect this status. Returns the JSON object in the response. */
export async function objectOf(answer: Response, status = 200): Promise<Record<string, unknown>> {
  const text = await answer.text();
  assert.equal(answer.status, status, text);
  return JSON.parse(text) as Record<string, unknown>;
}

/** Return the items of a page of posts. */
export async function itemsOf(answer: Response): Promise<Record<string, unknown>[]> {
  return (await objectOf(answer)).items as Record<string, unknown>[];
}

/** Return the challenge in a response. */
export function challengeOf(answer: Response): string | null {
  return answer.headers.get('www-authenticate');
}

/** Return the challenge for a request without a token. A wrong token gets the same one with an error. */
export function challengeWithoutError({ url }: App): string {
  const metadata = `${url}/.well-known/oauth-protected-resource/api/open/v1`;
  return `Bearer realm="${url}", resource_metadata="${metadata}"`;
}
