// All settings, read from the environment and checked at the start. No other file reads the environment.

import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { isNetwork } from './lib/network.ts';
import { readSecretFile } from './lib/secret-file.ts';
import { isLoopback } from './oauth/redirect-uri.ts';

export interface Config {
  port: number;
  host: string;
  /** Without a trailing slash. All absolute addresses and the issuer begin with it. */
  baseUrl: string;
  database: { kind: 'sqlite'; path: string } | { kind: 'postgres'; url: string };
  redisUrl: string | undefined;
  brand: string;
  siteName: string;
  /** The addresses or CIDR ranges of the proxies whose X-Forwarded-For we trust. */
  trustedProxies: readonly string[];
  logLevel: (typeof LOG_LEVELS)[number];
  rateLimitPerMinute: number;
  tokenRateLimitPerMinute: number;
  rsaKeyBits: number;
  /** How many tokens' records the cache over SQLite may hold. */
  cachedTokens: number;
  /** The connections to PostgreSQL that each process may open. */
  databasePool: number;
  /** How many processes answer requests. */
  workers: number;
  /** Who can sign up: anyone, people with an invitation, or nobody. */
  signUp: (typeof SIGN_UP_MODES)[number];
  /** Where to report vulnerabilities: a mailto: or https: address. */
  securityContact: string | undefined;
  mail: {
    /** The server that sends email. If undefined, email is written into the folder `outbox`. */
    smtpUrl: string | undefined;
    outbox: string;
    from: { name: string; address: string };
  };
  /** The service that new passwords are checked with; undefined if they aren't. */
  breachedPasswordsUrl: string | undefined;
  /** Where Prometheus reads metrics; undefined if they aren't served. */
  metricsPort: number | undefined;
}

/** A setting that can't be used. The message is one line for the operator and contains no secret. */
export class InvalidSetting extends Error {}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const SIGN_UP_MODES = ['open', 'invitation', 'closed'] as const;

const NAMES = [
  'PORT',
  'HOST',
  'BASE_URL',
  'DATABASE_URL',
  'REDIS_URL',
  'BRAND',
  'SITE_NAME',
  'TRUST_PROXY',
  'LOG_LEVEL',
  'RATE_LIMIT_PER_MINUTE',
  'TOKEN_RATE_LIMIT_PER_MINUTE',
  'RSA_KEY_BITS',
  'CACHED_TOKENS',
  'DATABASE_POOL',
  'WORKERS',
  'METRICS_PORT',
  'SIGN_UP',
  'SMTP_URL',
  'MAIL_FROM',
  'BREACHED_PASSWORDS_URL',
  'SECURITY_CONTACT',
  'DATABASE_URL_FILE',
  'REDIS_URL_FILE',
  'SMTP_URL_FILE',
] as const;

// These can contain a password, so `NAME_FILE` may name a file with the value.
const SECRET_SETTINGS = ['DATABASE_URL', 'REDIS_URL', 'SMTP_URL'] as const;

/** The names of all settings. The documentation must list them. */
export const SETTINGS: readonly string[] = NAMES;

type Environment = Partial<Record<(typeof NAMES)[number], string>>;

const MOST_CACHED_TOKENS = 10_000_000;
const MOST_REQUESTS = 1_000_000_000;

/** Say what is wrong with TRUST_PROXY, as far as the other settings tell. Undefined if nothing is. */
export function problemWithTrustedProxies({ baseUrl, trustedProxies }: Config): string | undefined {
  // The server speaks http, so an https address is that of a proxy.
  if (!baseUrl.startsWith('https:') || trustedProxies.length > 0) return undefined;
  return 'TRUST_PROXY is empty, so all visitors count as one in every limit; set it to the proxy’s address';
}

/**
 * Read the settings. An empty setting counts as not set. Throws `InvalidSetting` for the first invalid one.
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const values = withSecrets(
    Object.fromEntries(Object.entries(environment).filter(([, text]) => text !== '')),
  );
  const port = wholeNumber(values, 'PORT', 0, 65_535) ?? 3000;
  const metricsPort = wholeNumber(values, 'METRICS_PORT', 1, 65_535);
  if (metricsPort === port) throw new InvalidSetting('METRICS_PORT: must differ from PORT');
  const baseUrl = readBaseUrl(values.BASE_URL ?? `http://localhost:${port}`);
  const database = readDatabaseUrl(values.DATABASE_URL ?? 'file:data/portico.db');
  const siteName = readSiteName(values.SITE_NAME ?? 'Portico');
  const workers = wholeNumberOrAuto(values, 'WORKERS', 1, 256) ?? 1;
  const processes = workers === 'auto' ? availableParallelism() : workers;
  const cachedTokens = wholeNumberOrAuto(values, 'CACHED_TOKENS', 0, MOST_CACHED_TOKENS) ?? 'auto';
  return {
    port,
    host: values.HOST ?? 'localhost',
    baseUrl,
    database,
    redisUrl: readRedisUrl(values.REDIS_URL),
    brand: readBrand(values.BRAND ?? 'svc'),
    siteName,
    trustedProxies: readTrustedProxies(values.TRUST_PROXY ?? ''),
    logLevel: oneOf(values, 'LOG_LEVEL', LOG_LEVELS) ?? 'info',
    rateLimitPerMinute: wholeNumber(values, 'RATE_LIMIT_PER_MINUTE', 1, MOST_REQUESTS) ?? 60,
    tokenRateLimitPerMinute: wholeNumber(values, 'TOKEN_RATE_LIMIT_PER_MINUTE', 1, MOST_REQUESTS) ?? 600,
    rsaKeyBits: Number(oneOf(values, 'RSA_KEY_BITS', ['2048', '3072']) ?? 2048),
    cachedTokens: cachedTokens === 'auto' ? tokensThatFit(processes) : cachedTokens,
    databasePool: wholeNumber(values, 'DATABASE_POOL', 2, 1000) ?? 10,
    workers: processes,
    metricsPort,
    breachedPasswordsUrl: readBreachedPasswordsUrl(values.BREACHED_PASSWORDS_URL),
    signUp: oneOf(values, 'SIGN_UP', SIGN_UP_MODES) ?? 'open',
    securityContact: readSecurityContact(values.SECURITY_CONTACT),
    mail: {
      smtpUrl: readSmtpUrl(values.SMTP_URL),
      outbox: outboxBeside(database),
      from: readMailFrom(values.MAIL_FROM?.trim(), siteName, new URL(baseUrl).hostname),
    },
  };
}

function withSecrets(values: Environment): Environment {
  const complete = { ...values };
  for (const name of SECRET_SETTINGS) {
    const path = values[`${name}_FILE`];
    if (path === undefined) continue;
    if (values[name] !== undefined) {
      throw new InvalidSetting(`${name}_FILE: ${name} is set too; set only one of them`);
    }
    try {
      complete[name] = readSecretFile(path);
    } catch (error) {
      throw new InvalidSetting(`${name}_FILE: the file ${(error as Error).message}`);
    }
  }
  return complete;
}

function wholeNumber(
  environment: Environment,
  name: keyof Environment,
  least: number,
  most: number,
): number | undefined {
  const text = environment[name];
  if (text === undefined) return undefined;
  const number = Number(text);
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  throw new InvalidSetting(`${name}: must be a whole number from ${least} to ${most}`);
}

function wholeNumberOrAuto(
  environment: Environment,
  name: keyof Environment,
  least: number,
  most: number,
): number | 'auto' | undefined {
  if (environment[name] === 'auto') return 'auto';
  try {
    return wholeNumber(environment, name, least, most);
  } catch {
    throw new InvalidSetting(`${name}: must be auto or a whole number from ${least} to ${most}`);
  }
}

function oneOf<T extends string>(
  environment: Environment,
  name: keyof Environment,
  choices: readonly T[],
): T | undefined {
  const text = environment[name];
  if (text === undefined) return undefined;
  const choice = choices.find((one) => one === text);
  if (choice === undefined) throw new InvalidSetting(`${name}: must be one of ${choices.join(', ')}`);
  return choice;
}

const BYTES_OF_CACHED_TOKEN = 1000;

// A quarter of the heap that Node allows itself, which depends on the memory of the machine or container.
function tokensThatFit(processes: number): number {
  const tokens = getHeapStatistics().heap_size_limit / 4 / processes / BYTES_OF_CACHED_TOKEN;
  return Math.min(Math.floor(tokens), MOST_CACHED_TOKENS);
}

function readBaseUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new InvalidSetting(
      'BASE_URL: must be an absolute https address, such as https://community.example',
    );
  }
  // RFC 9700 §2.6: credentials must not travel unencrypted, except inside one machine.
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
      throw new InvalidSetting('DATABASE_URL: the postgres address cannot be read');
    return { kind: 'postgres', url: text };
  }
  const path = /^file:(?:\/\/(?=\/))?(.+)$/.exec(text)?.[1];
  if (path !== undefined) return { kind: 'sqlite', path };
  throw new InvalidSetting('DATABASE_URL: must begin with file: or postgres://');
}

function readRedisUrl(text: string | undefined): string | undefined {
  if (text === undefined || /^rediss?:\/\//.test(text)) return text;
  throw new InvalidSetting('REDIS_URL: must begin with redis:// or rediss://');
}

function readBrand(text: string): string {
  if (/^[a-z][a-z0-9]{1,11}$/.test(text)) return text;
  throw new InvalidSetting('BRAND: must be 2 to 12 lower-case letters or digits');
}

function readSiteName(text: string): string {
  const name = text.trim();
  if (name !== '' && name.length <= 60) return name;
  throw new InvalidSetting('SITE_NAME: must have 1 to 60 characters');
}

// The address contains a password, so the message doesn't quote it.
function readSmtpUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url === null || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '') {
    throw new InvalidSetting('SMTP_URL: must be an address such as smtps://user:password@mail.example');
  }
  return text;
}

function readBreachedPasswordsUrl(text: string | undefined): string | undefined {
  const { protocol, hostname } = URL.parse(text ?? '') ?? { protocol: '', hostname: '' };
  const isPrivate = protocol === 'https:' || isLoopback(hostname);
  if (text === undefined || (isPrivate && /^https?:[^?#]+$/.test(text))) return text?.replace(/\/+$/, '');
  throw new InvalidSetting('BREACHED_PASSWORDS_URL: must be an https address without a query');
}

// RFC 9116 §2.5.3. A line break would begin another field of security.txt, so none is accepted.
function readSecurityContact(text: string | undefined): string | undefined {
  if (text === undefined || /^(?:mailto:[^\s@]+@|https:\/\/)[^\s@]+$/.test(text)) return text;
  throw new InvalidSetting(
    'SECURITY_CONTACT: must be an address such as mailto:security@community.example or https://community.example/report',
  );
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
  if (entries.every(isNetwork)) return entries;
  throw new InvalidSetting(
    'TRUST_PROXY: must be IP addresses or ranges such as 10.0.0.0/8, separated by commas',
  );
}
