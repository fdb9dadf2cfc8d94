// The values of settings, read from their texts. Each function throws `InvalidSetting` for a text that can't be used.

import { DAY, HOUR, MINUTE } from './lib/clock.ts';
import { isNetwork } from './lib/network.ts';
import { escapeHidden } from './lib/one-line.ts';
import { readTimeZone } from './lib/time-zone.ts';
import { isLoopback } from './oauth/redirect-uri.ts';

/** A setting that can't be used. The message is one line for the operator and contains no secret. */
export class InvalidSetting extends Error {}

export type DatabaseLocation = { kind: 'sqlite'; path: string } | { kind: 'postgres'; url: string };

type Environment = Readonly<Record<string, string | undefined>>;

export function wholeNumber(
  environment: Environment,
  name: string,
  least: number,
  most: number,
): number | undefined {
  const text = environment[name];
  if (text === undefined) return undefined;
  const number = Number(text);
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  throw new InvalidSetting(`${name}: must be a whole number from ${least} to ${most}, not ${quoted(text)}`);
}

export function wholeNumberOrAuto(
  environment: Environment,
  name: string,
  least: number,
  most: number,
): number | 'auto' | undefined {
  if (environment[name] === 'auto') return 'auto';
  try {
    return wholeNumber(environment, name, least, most);
  } catch {
    throw new InvalidSetting(
      `${name}: must be auto or a whole number from ${least} to ${most}, not ${quoted(environment[name] ?? '')}`,
    );
  }
}

export function oneOf<T extends string>(
  environment: Environment,
  name: string,
  choices: readonly T[],
): T | undefined {
  const text = environment[name];
  if (text === undefined) return undefined;
  const choice = choices.find((one) => one === text);
  if (choice === undefined) {
    throw new InvalidSetting(`${name}: must be one of ${choices.join(', ')}, not ${quoted(text)}`);
  }
  return choice;
}

export function readSandboxUrl(text: string | undefined, baseUrl: string): string | undefined {
  const url = text && readBaseUrl(text, 'SANDBOX_URL');
  if (url !== baseUrl) return url;
  throw new InvalidSetting('SANDBOX_URL: must differ from BASE_URL; the sandbox is a server of its own');
}

export function readBaseUrl(text: string, name = 'BASE_URL'): string {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new InvalidSetting(
      `${name}: must be an absolute https address such as https://community.example, not ${quoted(text)}`,
    );
  }
  // RFC 9700 §2.6: credentials must not travel unencrypted, except inside one machine.
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new InvalidSetting(`${name}: http is for this machine only; use https instead of ${url.origin}`);
  }
  if (url.username !== '' || url.search !== '' || url.hash !== '' || url.pathname !== '/') {
    throw new InvalidSetting(
      `${name}: must be only scheme, host and port, such as ${url.origin}, without path, query or user name`,
    );
  }
  return url.origin;
}

export function readDatabaseUrl(text: string): DatabaseLocation {
  if (/^postgres(ql)?:\/\//.test(text)) {
    if (URL.parse(text) === null)
      throw new InvalidSetting(`DATABASE_URL: the address cannot be read; ${ENCODE}`);
    return { kind: 'postgres', url: text };
  }
  const path = /^file:(?:\/\/(?=\/))?(.+)$/.exec(text)?.[1];
  if (path !== undefined) return { kind: 'sqlite', path };
  throw new InvalidSetting(`DATABASE_URL: must begin with file: or postgres://${schemeOf(text)}`);
}

export function readRedisUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!/^rediss?:\/\//.test(text)) {
    throw new InvalidSetting(`REDIS_URL: must begin with redis:// or rediss://${schemeOf(text)}`);
  }
  if (URL.canParse(text)) return text;
  throw new InvalidSetting(`REDIS_URL: the address cannot be read; ${ENCODE}`);
}

export function readBrand(text: string): string {
  if (/^[a-z][a-z0-9]{1,11}$/.test(text)) return text;
  throw new InvalidSetting(
    `BRAND: must be 2 to 12 lower-case letters or digits, the first a letter, not ${quoted(text)}`,
  );
}

export function readSiteName(text: string): string {
  const name = text.trim();
  if (name !== '' && name.length <= 60) return name;
  throw new InvalidSetting(`SITE_NAME: must have 1 to 60 characters, not ${name.length}`);
}

export function readTimeZoneSetting(text: string): string {
  const timeZone = readTimeZone(text);
  if (timeZone !== undefined) return timeZone;
  throw new InvalidSetting('TIME_ZONE: must be the name of a time zone, such as Europe/Berlin');
}

// The address contains a password, so the message doesn't quote it.
export function readSmtpUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url === null || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '') {
    throw new InvalidSetting(
      `SMTP_URL: must be an address such as smtps://user:password@mail.example:465${schemeOf(text)}; ${ENCODE}`,
    );
  }
  if (/@.*@/.test(text) || /[/?#]/.test(text.replace(/^smtps?:\/\//, '').replace(/\/$/, ''))) {
    throw new InvalidSetting(`SMTP_URL: the user name or the password has an @, /, ? or #; ${ENCODE}`);
  }
  if (!isEncoded(url.username + url.password)) {
    throw new InvalidSetting(
      'SMTP_URL: the user name or the password has a % that encodes nothing; write %25',
    );
  }
  return text;
}

export function readBreachedPasswordsUrl(text: string | undefined): string | undefined {
  const { protocol, hostname } = URL.parse(text ?? '') ?? { protocol: '', hostname: '' };
  const isPrivate = protocol === 'https:' || isLoopback(hostname);
  if (text === undefined || (isPrivate && /^https?:[^?#]+$/.test(text))) return text?.replace(/\/+$/, '');
  throw new InvalidSetting(
    `BREACHED_PASSWORDS_URL: must be an https address without a query, not ${quoted(text)}`,
  );
}

export function readGithubScanningKeys(text: string | undefined): string | undefined {
  const { protocol, hostname } = URL.parse(text ?? '') ?? { protocol: '', hostname: '' };
  const isPrivate = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
  if (text === undefined || isPrivate) return text;
  throw new InvalidSetting(
    'GITHUB_SCANNING_KEYS: must be an https address such as ' +
      `https://api.github.com/meta/public_keys/secret_scanning, not ${quoted(text)}`,
  );
}

// RFC 9116 §2.5.3. A line break would begin another field of security.txt, so none is accepted.
export function readSecurityContact(text: string | undefined): string | undefined {
  if (text === undefined || /^(?:mailto:[^\s@]+@|https:\/\/)[^\s@]+$/.test(text)) return text;
  throw new InvalidSetting(
    'SECURITY_CONTACT: must be an address such as mailto:security@community.example or ' +
      `https://community.example/report, not ${quoted(text)}`,
  );
}

export function readMailFrom(
  text: string | undefined,
  host: string,
): { name: string | undefined; address: string } {
  if (text === undefined) return { name: undefined, address: `no-reply@${host}` };
  const [, name = '', address = text] = /^([^<>]*)<([^<>]*)>$/.exec(text) ?? [];
  if (!/^[^\s@<>,;:"()]+@[^\s@<>,;:"()]+$/.test(address) || /\p{Cc}/u.test(name)) {
    throw new InvalidSetting(
      `MAIL_FROM: must be an address such as Community <no-reply@community.example>, not ${quoted(text)}`,
    );
  }
  return { name: name.trim().replace(/^"(.*)"$/, '$1') || undefined, address };
}

export function readTrustedProxies(text: string): string[] {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  const wrong = entries.find((entry) => !isNetwork(entry));
  if (wrong === undefined) return entries;
  throw new InvalidSetting(
    `TRUST_PROXY: must be IP addresses or ranges such as 10.0.0.0/8, separated by commas, not ${quoted(wrong)}`,
  );
}

const UNITS: Readonly<Record<string, number>> = { m: MINUTE, h: HOUR, d: DAY };

/** Read an interval such as 6h. In milliseconds. */
export function readBackupInterval(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, number = '', unit = ''] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  const interval = Number(number) * (UNITS[unit] ?? 0);
  if (interval >= 10 * MINUTE && interval <= 31 * DAY) return interval;
  throw new InvalidSetting(
    `BACKUP_EVERY: must be a time from 10m to 31d, such as 30m, 6h or 1d, not ${quoted(text)}`,
  );
}

const ENCODE = 'percent-encode special characters in the password (@ is %40)';

/** The end of an error: what was given. For settings without secrets. */
function quoted(text: string): string {
  return `"${escapeHidden(text.length > 60 ? `${text.slice(0, 60)}…` : text)}"`;
}

// The rest of the address may contain a password, also if the address has a mistake.
function schemeOf(text: string): string {
  const scheme = /^[a-z][a-z\d+.-]{0,20}:\/\//i.exec(text)?.[0];
  return scheme === undefined ? '' : `, not ${scheme}`;
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
