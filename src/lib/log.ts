// The log: one JSON document a line on standard output.

import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';

export type Log = Logger;

/**
 * Open the log, on standard output by default. Callers log selected facts, never whole requests, headers,
 * forms or addresses with a query. As a safety net, values under the names below are redacted.
 */
export function openLog(level: string, destination?: DestinationStream): Log {
  const options: LoggerOptions = {
    level,
    base: null,
    redact: {
      paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`]),
      censor: '[redacted]',
    },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
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
