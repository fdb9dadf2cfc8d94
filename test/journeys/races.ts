// Requests that race each other: many at once, and the outcomes that differ.

import type { RegisteredClient } from '../support/people.ts';

export function atOnce<T>(times: number, send: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: times }, send));
}

/** The outcomes that are not as they must be, each with its round. */
export function differing(outcomes: readonly number[][], expected: readonly number[]): string[] {
  const lines = outcomes.map((outcome, round) => [outcome.join(), `round ${round}: ${outcome.join()}`]);
  return lines.filter(([outcome]) => outcome !== expected.join()).map(([, line = '']) => line);
}

export function credentials({ id, secret }: RegisteredClient): Record<string, string> {
  return secret === '' ? { client_id: id } : { client_id: id, client_secret: secret };
}

export function redemption(client: RegisteredClient, code: string): Record<string, string> {
  const form = { grant_type: 'authorization_code', redirect_uri: client.redirectUri, code };
  return { ...credentials(client), ...form };
}

export function refreshing(client: RegisteredClient, refreshToken: string): Record<string, string> {
  return { ...credentials(client), grant_type: 'refresh_token', refresh_token: refreshToken };
}

export function numbered(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
