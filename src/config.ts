// All settings, read from the environment and checked at the start. No other file reads the environment.

import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { readEarlierFilesUrl, readFilesUrl } from './files-setting.ts';
import type { FilesLocation } from './lib/open-file-store.ts';
import { readSecretFile } from './lib/secret-file.ts';
import { distanceBetween } from './lib/suggestion.ts';
import {
  type DatabaseLocation,
  InvalidSetting,
  oneOf,
  readBackupInterval,
  readBaseUrl,
  readBrand,
  readBreachedPasswordsUrl,
  readDatabaseUrl,
  readGithubScanningKeys,
  readMailFrom,
  readRedisUrl,
  readSandboxUrl,
  readSecurityContact,
  readSiteName,
  readSmtpUrl,
  readTimeZoneSetting,
  readTrustedProxies,
  wholeNumber,
  wholeNumberOrAuto,
} from './setting-values.ts';

export { InvalidSetting } from './setting-values.ts';

export interface Config {
  port: number;
  host: string;
  /** Without a trailing slash. All absolute addresses and the issuer begin with it. */
  baseUrl: string;
  database: DatabaseLocation;
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
  /** The time zone of pages and mails, until an operator chooses another: an IANA name. */
  timeZone: string;
  /** Where to report vulnerabilities: a mailto: or https: address. */
  securityContact: string | undefined;
  /** The sandbox for developers, a server of its own; undefined if there is none. */
  sandboxUrl: string | undefined;
  /** Where GitHub publishes the keys of its secret scanning; undefined if its messages aren't accepted. */
  githubScanningKeys: string | undefined;
  mail: {
    /** The server that sends email. If undefined, email is written into the folder `outbox`. */
    smtpUrl: string | undefined;
    outbox: string;
    /** Without a name, mails are from the site's own name. */
    from: { name: string | undefined; address: string };
  };
  /** The service that new passwords are checked with; undefined if they aren't. */
  breachedPasswordsUrl: string | undefined;
  /** Where Prometheus reads metrics; undefined if they aren't served. */
  metricsPort: number | undefined;
  /** Where backups are, and how often the server makes one. Undefined: nowhere, never. */
  backup: { folder: string | undefined; everyMs: number | undefined };
  /** Where uploaded pictures are kept. Undefined: in the database. */
  files: FilesLocation | undefined;
  /** Where they were kept before, if some are still there. */
  earlierFiles: FilesLocation | undefined;
  /** How many pictures a member may upload in a day, and how many bytes they may have. */
  pictures: { mostPerDay: number; mostBytes: number };
  /** What is probably a mistake in the settings: one line each. */
  warnings: readonly string[];
}

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
  'TIME_ZONE',
  'SMTP_URL',
  'MAIL_FROM',
  'BREACHED_PASSWORDS_URL',
  'SECURITY_CONTACT',
  'GITHUB_SCANNING_KEYS',
  'SANDBOX_URL',
  'BACKUP_TO',
  'BACKUP_EVERY',
  'FILES_URL',
  'FILES_KEY_ID',
  'FILES_SECRET',
  'EARLIER_FILES_URL',
  'EARLIER_FILES_KEY_ID',
  'EARLIER_FILES_SECRET',
  'PICTURES_PER_DAY',
  'PICTURE_QUOTA_MB',
  'DATABASE_URL_FILE',
  'REDIS_URL_FILE',
  'SMTP_URL_FILE',
  'FILES_SECRET_FILE',
  'EARLIER_FILES_SECRET_FILE',
] as const;

// These can contain a password, so `NAME_FILE` may name a file with the value.
const SECRET_SETTINGS = [
  'DATABASE_URL',
  'REDIS_URL',
  'SMTP_URL',
  'FILES_SECRET',
  'EARLIER_FILES_SECRET',
] as const;

/** The names of all settings. The documentation must list them. */
export const SETTINGS: readonly string[] = NAMES;

type Environment = Partial<Record<(typeof NAMES)[number], string>>;

const MOST_CACHED_TOKENS = 10_000_000;
const MOST_REQUESTS = 1_000_000_000;

/** Find variables that are no setting and look like a mistyped one: one line about each. */
export function mistypedSettings(environment: Record<string, string | undefined>): string[] {
  return Object.keys(environment).flatMap((name) => {
    const meant = SETTINGS.includes(name) ? undefined : SETTINGS.find((setting) => isLike(name, setting));
    return meant === undefined ? [] : [`${name} is not a setting. Did you mean ${meant}?`];
  });
}

// A short name, such as PORT, is one letter away from variables of other programs.
function isLike(name: string, setting: string): boolean {
  const letters = (text: string) =>
    text
      .toUpperCase()
      .replace(/^PORTICO_/, '')
      .replaceAll(/[^A-Z\d]/g, '');
  return letters(name) === letters(setting) || (setting.length > 6 && distanceBetween(name, setting) === 1);
}

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
  if (metricsPort === port) {
    throw new InvalidSetting(`METRICS_PORT: must differ from PORT, and both are ${port}`);
  }
  const baseUrl = readBaseUrl(values.BASE_URL ?? `http://localhost:${port}`);
  const database = readDatabaseUrl(values.DATABASE_URL ?? 'file:data/portico.db');
  const siteName = readSiteName(values.SITE_NAME ?? 'Portico');
  const workers = wholeNumberOrAuto(values, 'WORKERS', 1, 256) ?? 1;
  const processes = workers === 'auto' ? availableParallelism() : workers;
  const cachedTokens = wholeNumberOrAuto(values, 'CACHED_TOKENS', 0, MOST_CACHED_TOKENS) ?? 'auto';
  const host = values.HOST ?? 'localhost';
  return {
    port,
    host,
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
    timeZone: readTimeZoneSetting(values.TIME_ZONE ?? 'Asia/Shanghai'),
    securityContact: readSecurityContact(values.SECURITY_CONTACT),
    sandboxUrl: readSandboxUrl(values.SANDBOX_URL, baseUrl),
    githubScanningKeys: readGithubScanningKeys(values.GITHUB_SCANNING_KEYS),
    backup: backupOf(values, database),
    files: readFilesUrl(values),
    earlierFiles: readEarlierFilesUrl(values),
    pictures: {
      mostPerDay: wholeNumber(values, 'PICTURES_PER_DAY', 0, 100_000) ?? 100,
      mostBytes: (wholeNumber(values, 'PICTURE_QUOTA_MB', 0, 1_000_000) ?? 500) * 1_000_000,
    },
    warnings: [...mistypedSettings(environment), ...localLinks(host, values.BASE_URL, baseUrl)],
    mail: {
      smtpUrl: readSmtpUrl(values.SMTP_URL),
      outbox: outboxBeside(database),
      from: readMailFrom(values.MAIL_FROM?.trim(), new URL(baseUrl).hostname),
    },
  };
}

// Only this machine can open http://localhost, which would be in every mail.
function localLinks(host: string, setBaseUrl: string | undefined, baseUrl: string): string[] {
  const isLocal = host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
  if (isLocal || setBaseUrl !== undefined) return [];
  return [
    `BASE_URL is not set, so all links lead to ${baseUrl}, which other machines can’t open; HOST is ${host}. ` +
      'Set BASE_URL to the public address, such as https://community.example',
  ];
}

function backupOf(values: Environment, { kind }: DatabaseLocation): Config['backup'] {
  const folder = values.BACKUP_TO;
  const everyMs = readBackupInterval(values.BACKUP_EVERY);
  if (everyMs !== undefined && folder === undefined) {
    throw new InvalidSetting('BACKUP_EVERY: BACKUP_TO is missing; set it to the folder for the backups');
  }
  if (everyMs !== undefined && kind === 'postgres') {
    throw new InvalidSetting('BACKUP_EVERY: is for SQLite; run pg_dump from a timer for PostgreSQL');
  }
  return { folder, everyMs };
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
      throw new InvalidSetting(`${name}_FILE: ${(error as Error).message}`);
    }
  }
  return complete;
}

const BYTES_OF_CACHED_TOKEN = 1000;

// A quarter of the heap that Node allows itself, which depends on the memory of the machine or container.
function tokensThatFit(processes: number): number {
  const tokens = getHeapStatistics().heap_size_limit / 4 / processes / BYTES_OF_CACHED_TOKEN;
  return Math.min(Math.floor(tokens), MOST_CACHED_TOKENS);
}

function outboxBeside(database: Config['database']): string {
  return database.kind === 'sqlite' ? join(dirname(database.path), 'outbox') : 'data/outbox';
}
