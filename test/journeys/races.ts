// Requests that race each other: sending many at once, and finding unexpected outcomes.

import type { RegisteredClient } from '../support/people.ts';

export function atOnce<T>(times: number, send: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: times }, send));
}

/** Return the unexpected outcomes, each with its round. */
export function unexpectedOutcomes(outcomes: readonly number[][], expected: readonly number[]): string[] {
  const lines = outcomes.map((outcome, round) => [outcome.join(), `round ${round}: ${outcome.join()}`]);
  return lines.filter(([outcome]) => outcome !== expected.join()).map(([, line = '']) => line);
}

export function credentials({ id, secret }: RegisteredClient): Record<string, string> {
  return secret === '' ? { client_id: id } : { client_id: id, client_secret: secret };
}

/** Return the form that redeems a code. */
export function redemptionForm(client: RegisteredClient, code: string): Record<string, string> {
  const form = { grant_type: 'authorization_code', redirect_uri: client.redirectUri, code };
  return { ...credentials(client), ...form };
}

/** Return the form that refreshes a sign-in. */
export function refreshForm(client: RegisteredClient, refreshToken: string): Record<string, string> {
  return { ...credentials(client), grant_type: 'refresh_token', refresh_token: refreshToken };
}

/** Return the numbers from 0 to below `count`. */
export function indexes(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
