// Every setting, read once from the environment and checked at start. No other file reads the environment.

import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { z } from 'zod';
import { isLoopback } from './oauth/redirect-uri.ts';

export interface Config {
  port: number;
  host: string;
  /** Without a trailing slash. Every absolute address and the issuer come from it. */
  baseUrl: string;
  database: { kind: 'sqlite'; path: string } | { kind: 'postgres'; url: string };
  redisUrl: string | undefined;
  brand: string;
  siteName: string;
  /** Addresses (or CIDR ranges) of proxies whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[];
  logLevel: (typeof LOG_LEVELS)[number];
  rateLimitPerMinute: number;
  tokenRateLimitPerMinute: number;
  /** Of how many tokens an embedded database keeps the records in memory. */
  cachedTokens: number;
  /** Connections to PostgreSQL that each process may hold. */
  databasePool: number;
  /** Processes that serve. */
  workers: number;
  /** Who can make an account: anyone, whoever was invited, or nobody. */
  signUp: (typeof SIGN_UP_MODES)[number];
  mail: {
    /** The server that takes mails; undefined: they are written into the folder. */
    smtpUrl: string | undefined;
    outbox: string;
    from: { name: string; address: string };
  };
  /** Where metrics are read; undefined if nobody wants any. */
  metricsPort: number | undefined;
}

/** A setting that can't be used. The message is one line for the operator and repeats no secret. */
export class InvalidSetting extends Error {}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const SIGN_UP_MODES = ['open', 'invitation', 'closed'] as const;

const wholeNumber = (least: number, most: number) => {
  const problem = `must be a whole number from ${least} to ${most}`;
  return z.coerce.number(problem).int(problem).min(least, problem).max(most, problem);
};

const MOST_CACHED_TOKENS = 10_000_000;

const settings = {
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: z.string().default('localhost'),
  BASE_URL: z.string().optional(),
  DATABASE_URL: z.string().default('file:data/portico.db'),
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\//, 'must begin with redis:// or rediss://')
    .optional(),
  BRAND: z
    .string()
    .regex(/^[a-z][a-z0-9]{1,11}$/, 'must be 2 to 12 lower-case letters or digits')
    .default('svc'),
  SITE_NAME: z.string().trim().min(1).max(60).default('Portico'),
  TRUST_PROXY: z.string().default(''),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
  RATE_LIMIT_PER_MINUTE: wholeNumber(1, 1_000_000_000).default(60),
  TOKEN_RATE_LIMIT_PER_MINUTE: wholeNumber(1, 1_000_000_000).default(600),
  CACHED_TOKENS: z
    .union(
      [z.literal('auto'), wholeNumber(0, MOST_CACHED_TOKENS)],
      `must be auto or a whole number from 0 to ${MOST_CACHED_TOKENS}`,
    )
    .default('auto'),
  DATABASE_POOL: wholeNumber(2, 1000).default(10),
  WORKERS: z
    .union([z.literal('auto'), wholeNumber(1, 256)], 'must be auto or a whole number from 1 to 256')
    .default(1),
  METRICS_PORT: wholeNumber(1, 65_535).optional(),
  SIGN_UP: z.enum(SIGN_UP_MODES, `must be one of ${SIGN_UP_MODES.join(', ')}`).default('open'),
  SMTP_URL: z.string().optional(),
  MAIL_FROM: z.string().trim().optional(),
};

/** The names of all settings, as the documentation must list them. */
export const SETTINGS = Object.keys(settings);

/** Reads the settings; an empty one counts as not set. Throws `InvalidSetting` for the first that is wrong. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => SETTINGS.includes(name) && value !== ''),
  );
  const result = z.object(settings).safeParse(given);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new InvalidSetting(`${issue?.path.join('.')}: ${issue?.message}`);
  }
  const values = result.data;
  if (values.METRICS_PORT === values.PORT) throw new InvalidSetting('METRICS_PORT: must differ from PORT');
  const baseUrl = readBaseUrl(values.BASE_URL ?? `http://localhost:${values.PORT}`);
  const database = readDatabaseUrl(values.DATABASE_URL);
  const workers = values.WORKERS === 'auto' ? availableParallelism() : values.WORKERS;
  return {
    port: values.PORT,
    host: values.HOST,
    baseUrl,
    database,
    redisUrl: values.REDIS_URL,
    brand: values.BRAND,
    siteName: values.SITE_NAME,
    trustedProxies: readTrustedProxies(values.TRUST_PROXY),
    logLevel: values.LOG_LEVEL,
    rateLimitPerMinute: values.RATE_LIMIT_PER_MINUTE,
    tokenRateLimitPerMinute: values.TOKEN_RATE_LIMIT_PER_MINUTE,
    cachedTokens: values.CACHED_TOKENS === 'auto' ? tokensThatFit(workers) : values.CACHED_TOKENS,
    databasePool: values.DATABASE_POOL,
    workers,
    metricsPort: values.METRICS_PORT,
    signUp: values.SIGN_UP,
    mail: {
      smtpUrl: readSmtpUrl(values.SMTP_URL),
      outbox: outboxBeside(database),
      from: readMailFrom(values.MAIL_FROM, values.SITE_NAME, new URL(baseUrl).hostname),
    },
  };
}

const BYTES_OF_CACHED_TOKEN = 1000;

// So that they fill a quarter of the memory that the runtime will use, which follows the machine's or the container's.
function tokensThatFit(workers: number): number {
  const fit = getHeapStatistics().heap_size_limit / 4 / workers / BYTES_OF_CACHED_TOKEN;
  return Math.min(Math.floor(fit), MOST_CACHED_TOKENS);
}

function readBaseUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new InvalidSetting(
      'BASE_URL: must be an absolute https address, such as https://community.example',
    );
  }
  // RFC 9700 §2.6: credentials must not travel in clear, except inside one machine.
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new InvalidSetting('BASE_URL: http is for this machine only (localhost); use https');
  }
  if (url.username !== '' || url.search !== '' || url.hash !== '' || url.pathname !== '/') {
    throw new InvalidSetting(
      'BASE_URL: must be only scheme, host and port, without path, query or user name',
    );
  }
  return url.origin;
}

function readDatabaseUrl(text: string): Config['database'] {
  if (/^postgres(ql)?:\/\//.test(text)) {
    if (URL.parse(text) === null)
      throw new InvalidSetting('DATABASE_URL: the postgres address can not be read');
    return { kind: 'postgres', url: text };
  }
  const path = /^file:(?:\/\/(?=\/))?(.+)$/.exec(text)?.[1];
  if (path !== undefined) return { kind: 'sqlite', path };
  throw new InvalidSetting('DATABASE_URL: must begin with file: or postgres://');
}

// Its password must not be repeated, so nothing of it is.
function readSmtpUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url === null || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '') {
    throw new InvalidSetting('SMTP_URL: must be an address such as smtps://user:password@mail.example');
  }
  return text;
}

function outboxBeside(database: Config['database']): string {
  return database.kind === 'sqlite' ? join(dirname(database.path), 'outbox') : 'data/outbox';
}

function readMailFrom(text: string | undefined, siteName: string, host: string): Config['mail']['from'] {
  if (text === undefined) return { name: siteName, address: `no-reply@${host}` };
  const [, name = '', address = text] = /^([^<>]*)<([^<>]*)>$/.exec(text) ?? [];
  if (!/^[^\s@<>,;:"()]+@[^\s@<>,;:"()]+$/.test(address) || /\p{Cc}/u.test(name)) {
    throw new InvalidSetting('MAIL_FROM: must be an address such as Community <no-reply@community.example>');
  }
  return { name: name.trim().replace(/^"(.*)"$/, '$1') || siteName, address };
}

function readTrustedProxies(text: string): string[] {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  for (const entry of entries) {
    if (!isNetwork(entry)) {
      throw new InvalidSetting(
        'TRUST_PROXY: must be IP addresses or ranges such as 10.0.0.0/8, separated by commas',
      );
    }
  }
  return entries;
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32));
}
