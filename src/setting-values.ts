// The values of settings, read from their texts. Each function throws `InvalidSetting` for a text that can't be used.

import { isNetwork } from './lib/network.ts';
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
  throw new InvalidSetting(`${name}: must be a whole number from ${least} to ${most}`);
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
    throw new InvalidSetting(`${name}: must be auto or a whole number from ${least} to ${most}`);
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
  if (choice === undefined) throw new InvalidSetting(`${name}: must be one of ${choices.join(', ')}`);
  return choice;
}

export function readBaseUrl(text: string): string {
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

/** Report whether a name or address of `HOST` or of a URL is this machine's own. */
export function isThisMachine(host: string): boolean {
  return isLoopback(host.includes(':') && !host.startsWith('[') ? `[${host}]` : host);
}

export function readDatabaseUrl(text: string): DatabaseLocation {
  if (/^postgres(ql)?:\/\//.test(text)) {
    if (URL.parse(text) === null)
      throw new InvalidSetting('DATABASE_URL: the postgres address cannot be read');
    return { kind: 'postgres', url: text };
  }
  const path = /^file:(?:\/\/(?=\/))?(.+)$/.exec(text)?.[1];
  if (path !== undefined) return { kind: 'sqlite', path };
  throw new InvalidSetting('DATABASE_URL: must begin with file: or postgres://');
}

export function readRedisUrl(text: string | undefined): string | undefined {
  if (text === undefined || /^rediss?:\/\//.test(text)) return text;
  throw new InvalidSetting('REDIS_URL: must begin with redis:// or rediss://');
}

export function readBrand(text: string): string {
  if (/^[a-z][a-z0-9]{1,11}$/.test(text)) return text;
  throw new InvalidSetting('BRAND: must be 2 to 12 lower-case letters or digits');
}

export function readSiteName(text: string): string {
  const name = text.trim();
  if (name !== '' && name.length <= 60) return name;
  throw new InvalidSetting('SITE_NAME: must have 1 to 60 characters');
}

// The address contains a password, so the message doesn't quote it.
export function readSmtpUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url === null || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '') {
    throw new InvalidSetting('SMTP_URL: must be an address such as smtps://user:password@mail.example');
  }
  return text;
}

export function readBreachedPasswordsUrl(text: string | undefined): string | undefined {
  const { protocol, hostname } = URL.parse(text ?? '') ?? { protocol: '', hostname: '' };
  const isPrivate = protocol === 'https:' || isLoopback(hostname);
  if (text === undefined || (isPrivate && /^https?:[^?#]+$/.test(text))) return text?.replace(/\/+$/, '');
  throw new InvalidSetting('BREACHED_PASSWORDS_URL: must be an https address without a query');
}

// RFC 9116 §2.5.3. A line break would begin another field of security.txt, so none is accepted.
export function readSecurityContact(text: string | undefined): string | undefined {
  if (text === undefined || /^(?:mailto:[^\s@]+@|https:\/\/)[^\s@]+$/.test(text)) return text;
  throw new InvalidSetting(
    'SECURITY_CONTACT: must be an address such as mailto:security@community.example or https://community.example/report',
  );
}

export function readMailFrom(
  text: string | undefined,
  siteName: string,
  host: string,
): { name: string; address: string } {
  if (text === undefined) return { name: siteName, address: `no-reply@${host}` };
  const [, name = '', address = text] = /^([^<>]*)<([^<>]*)>$/.exec(text) ?? [];
  if (!/^[^\s@<>,;:"()]+@[^\s@<>,;:"()]+$/.test(address) || /\p{Cc}/u.test(name)) {
    throw new InvalidSetting('MAIL_FROM: must be an address such as Community <no-reply@community.example>');
  }
  return { name: name.trim().replace(/^"(.*)"$/, '$1') || siteName, address };
}

export function readTrustedProxies(text: string): string[] {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  if (entries.every(isNetwork)) return entries;
  throw new InvalidSetting(
    'TRUST_PROXY: must be IP addresses or ranges such as 10.0.0.0/8, separated by commas',
  );
}
