// The log: one JSON document per line on standard output.

import { type Logger, pino } from 'pino';

export type Log = Logger;

/**
 * Opens the log. Callers hand over chosen facts, never whole requests, headers, forms or addresses with a query; the
 * names below are blotted out all the same, so that a slip does not become a leak.
 */
export function openLog(level: string): Log {
  return pino({
    level,
    base: null,
    redact: {
      paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`]),
      censor: '[redacted]',
    },
  });
}

const SECRET_NAMES = [
  'authorization',
  'cookie',
  'password',
  'token',
  'access_token',
  'refresh_token',
  'client_secret',
  'code',
  'code_verifier',
  'secret',
];
