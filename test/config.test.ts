// The settings: which values are valid, and the one clear line for those that are not.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { getHeapStatistics } from 'node:v8';
import { InvalidSetting, readConfig, SETTINGS } from '../src/config.ts';

test('Without any setting the service is for this machine only, on an embedded database.', () => {
  const config = readConfig({});

  assert.deepEqual(config, {
    port: 3000,
    host: 'localhost',
    baseUrl: 'http://localhost:3000',
    database: { kind: 'sqlite', path: 'data/portico.db' },
    redisUrl: undefined,
    brand: 'svc',
    siteName: 'Portico',
    trustedProxies: [],
    logLevel: 'info',
    rateLimitPerMinute: 60,
    tokenRateLimitPerMinute: 600,
    rsaKeyBits: 2048,
    cachedTokens: Math.min(Math.floor(getHeapStatistics().heap_size_limit / 4000), 10_000_000),
    databasePool: 10,
    workers: 1,
    metricsPort: undefined,
    breachedPasswordsUrl: undefined,
    signUp: 'open',
    timeZone: 'Asia/Shanghai',
    securityContact: undefined,
    sandboxUrl: undefined,
    githubScanningKeys: undefined,
    backup: { folder: undefined, everyMs: undefined },
    files: undefined,
    earlierFiles: undefined,
    pictures: { mostPerDay: 100, mostBytes: 500_000_000 },
    warnings: [],
    mail: {
      smtpUrl: undefined,
      outbox: 'data/outbox',
      from: { name: undefined, address: 'no-reply@localhost' },
    },
  });
});

test('The token cache takes a quarter of the memory, shared by the workers, unless a number is set.', () => {
  const cachedTokens = (settings: Record<string, string>) => readConfig(settings).cachedTokens;

  assert.equal(cachedTokens({ WORKERS: '4' }), Math.floor(cachedTokens({ CACHED_TOKENS: 'auto' }) / 4));
  assert.equal(cachedTokens({ WORKERS: '4', CACHED_TOKENS: '5000' }), 5000);
  assert.equal(cachedTokens({ CACHED_TOKENS: '0' }), 0);
  assert.throws(() => cachedTokens({ CACHED_TOKENS: 'many' }), {
    message: /^CACHED_TOKENS: must be auto or a whole number/,
  });
});

test('Mails come from the site unless a sender is set; without a server they are written next to the database.', () => {
  const base = { BASE_URL: 'https://community.example', SITE_NAME: 'Agora' };
  const from = (MAIL_FROM?: string) => readConfig({ ...base, MAIL_FROM }).mail.from;

  assert.deepEqual(from(), { name: undefined, address: 'no-reply@community.example' });
  assert.deepEqual(from('post@mail.example'), { name: undefined, address: 'post@mail.example' });
  assert.deepEqual(from('The Post <post@mail.example>'), { name: 'The Post', address: 'post@mail.example' });
  assert.deepEqual(from('"The, Post" <post@mail.example>'), {
    name: 'The, Post',
    address: 'post@mail.example',
  });
  assert.equal(readConfig({ DATABASE_URL: 'file:/srv/portico.db' }).mail.outbox, '/srv/outbox');
  assert.equal(readConfig({ DATABASE_URL: 'postgres://db.example/portico' }).mail.outbox, 'data/outbox');
});

test('A slash at the end of BASE_URL makes no difference, an empty setting is not set, and PORT changes the base.', () => {
  assert.equal(readConfig({ BASE_URL: 'https://community.example/' }).baseUrl, 'https://community.example');
  assert.equal(readConfig({ BASE_URL: '', PORT: '8080' }).baseUrl, 'http://localhost:8080');
});

describe('A bad setting ends with one clear line that names it:', () => {
  const cases: Record<string, [Record<string, string>, string]> = {
    'a port that is no number': [{ PORT: 'x' }, 'PORT: must be a whole number from 0 to 65535, not "x"'],
    'a port too high': [{ PORT: '70000' }, 'PORT: must be a whole number from 0 to 65535, not "70000"'],
    'http for another machine': [
      { BASE_URL: 'http://community.example' },
      'BASE_URL: http is for this machine only; use https instead of http://community.example',
    ],
    'a base with a path': [
      { BASE_URL: 'https://community.example/portico' },
      'BASE_URL: must be only scheme, host and port, such as https://community.example, without path, query or user name',
    ],
    'a base that is no address': [
      { BASE_URL: 'community.example' },
      'BASE_URL: must be an absolute https address such as https://community.example, not "community.example"',
    ],
    'an unknown database': [
      { DATABASE_URL: 'mysql://x' },
      'DATABASE_URL: must begin with file: or postgres://, not mysql://',
    ],
    'an unknown counter': [
      { REDIS_URL: 'http://x' },
      'REDIS_URL: must begin with redis:// or rediss://, not http://',
    ],
    'a brand with an underscore': [
      { BRAND: 'my_site' },
      'BRAND: must be 2 to 12 lower-case letters or digits, the first a letter, not "my_site"',
    ],
    'a service for breached passwords without encryption': [
      { BREACHED_PASSWORDS_URL: 'http://passwords.example/range' },
      'BREACHED_PASSWORDS_URL: must be an https address without a query, not "http://passwords.example/range"',
    ],
    'a mail server by its name alone': [
      { SMTP_URL: 'mail.example' },
      'SMTP_URL: must be an address such as smtps://user:password@mail.example:465; percent-encode special characters in the password (@ is %40)',
    ],
    'a mail server with another protocol': [
      { SMTP_URL: 'https://user:secret@mail.example' },
      'SMTP_URL: must be an address such as smtps://user:password@mail.example:465, not https://; percent-encode special characters in the password (@ is %40)',
    ],
    'a sender without an address': [
      { MAIL_FROM: 'Community' },
      'MAIL_FROM: must be an address such as Community <no-reply@community.example>, not "Community"',
    ],
    'two senders': [
      { MAIL_FROM: 'a@x.example, b@x.example' },
      'MAIL_FROM: must be an address such as Community <no-reply@community.example>, not "a@x.example, b@x.example"',
    ],
    'RSA keys of another length': [
      { RSA_KEY_BITS: '1024' },
      'RSA_KEY_BITS: must be one of 2048, 3072, not "1024"',
    ],
    'an unknown way to join': [
      { SIGN_UP: 'maybe' },
      'SIGN_UP: must be one of open, invitation, closed, not "maybe"',
    ],
    'no time zone': [
      { TIME_ZONE: '+08:00' },
      'TIME_ZONE: must be the name of a time zone, such as Europe/Berlin',
    ],
    'an unknown level': [
      { LOG_LEVEL: 'loud' },
      'LOG_LEVEL: must be one of fatal, error, warn, info, debug, trace, silent, not "loud"',
    ],
    'no port for metrics': [
      { METRICS_PORT: '0' },
      'METRICS_PORT: must be a whole number from 1 to 65535, not "0"',
    ],
    'one port for two things': [
      { PORT: '8080', METRICS_PORT: '8080' },
      'METRICS_PORT: must differ from PORT, and both are 8080',
    ],
    'a limit of nothing': [
      { RATE_LIMIT_PER_MINUTE: '0' },
      'RATE_LIMIT_PER_MINUTE: must be a whole number from 1 to 1000000000, not "0"',
    ],
    'a contact that is no address': [
      { SECURITY_CONTACT: 'security@community.example' },
      'SECURITY_CONTACT: must be an address such as mailto:security@community.example or https://community.example/report, not "security@community.example"',
    ],
    'a contact of two lines': [
      { SECURITY_CONTACT: 'mailto:a@community.example\nExpires: never' },
      'SECURITY_CONTACT: must be an address such as mailto:security@community.example or https://community.example/report, not "mailto:a@community.example\\u{a}Expires: never"',
    ],
    'a sandbox that is the community': [
      { BASE_URL: 'https://community.example', SANDBOX_URL: 'https://community.example/' },
      'SANDBOX_URL: must differ from BASE_URL; the sandbox is a server of its own',
    ],
    'a proxy by name': [
      { TRUST_PROXY: 'proxy.local' },
      'TRUST_PROXY: must be IP addresses or ranges such as 10.0.0.0/8, separated by commas, not "proxy.local"',
    ],
    'a proxy cut short': [
      { TRUST_PROXY: '10.0.0' },
      'TRUST_PROXY: must be IP addresses or ranges such as 10.0.0.0/8, separated by commas, not "10.0.0"',
    ],
    'an invalid range': [
      { TRUST_PROXY: '::1, 10.0.0.0/99' },
      'TRUST_PROXY: must be IP addresses or ranges such as 10.0.0.0/8, separated by commas, not "10.0.0.0/99"',
    ],
  };
  for (const [name, [environment, message]] of Object.entries(cases)) {
    test(name, () => {
      assert.throws(() => readConfig(environment), new InvalidSetting(message));
    });
  }
});

test('An error about a bad address does not repeat the secret in it.', () => {
  assert.throws(
    () => readConfig({ DATABASE_URL: 'postgres//user:hunter2@db' }),
    (error: Error) => !error.message.includes('hunter2'),
  );
});

describe('A setting that holds a password', () => {
  const folder = mkdtempSync(join(tmpdir(), 'portico-settings-'));
  after(() => rmSync(folder, { recursive: true }));
  const file = (content: string) => {
    const path = join(folder, 'secret');
    writeFileSync(path, content);
    return path;
  };
  const refusal = (settings: Record<string, string>): string => {
    try {
      readConfig(settings);
    } catch (error) {
      assert.ok(error instanceof InvalidSetting);
      return error.message;
    }
    return 'accepted';
  };

  test('can be read from a file, without the newline at its end', () => {
    const smtpUrl = 'smtps://user:password@mail.example';
    const database = 'postgres://portico:secret@db.example/portico';

    assert.equal(readConfig({ SMTP_URL_FILE: file(`${smtpUrl}\n`) }).mail.smtpUrl, smtpUrl);
    assert.equal(readConfig({ SMTP_URL_FILE: file(`${smtpUrl}\r\n`), SMTP_URL: '' }).mail.smtpUrl, smtpUrl);
    assert.equal(
      readConfig({ REDIS_URL_FILE: file('redis://:secret@valkey') }).redisUrl,
      'redis://:secret@valkey',
    );
    assert.deepEqual(readConfig({ DATABASE_URL_FILE: file(database) }).database, {
      kind: 'postgres',
      url: database,
    });
  });

  test('is given once: as a value or as a file', () => {
    assert.equal(
      refusal({ REDIS_URL: 'redis://valkey', REDIS_URL_FILE: file('redis://valkey') }),
      'REDIS_URL_FILE: REDIS_URL is set too; set only one of them',
    );
  });

  test('comes from a file of one line that can be read', () => {
    assert.equal(
      refusal({ DATABASE_URL_FILE: join(folder, 'none') }),
      `DATABASE_URL_FILE: ${join(folder, 'none')} cannot be read: there is no such file or folder`,
    );
    assert.equal(
      refusal({ DATABASE_URL_FILE: file('\n') }),
      `DATABASE_URL_FILE: ${join(folder, 'secret')} is empty`,
    );
    assert.equal(
      refusal({ DATABASE_URL_FILE: file('postgres://a\npostgres://b') }),
      `DATABASE_URL_FILE: ${join(folder, 'secret')} must have only one line`,
    );
  });

  test('is not repeated if the file has a mistake', () => {
    assert.equal(
      refusal({ SMTP_URL_FILE: file('https://user:hunter2@mail.example') }),
      'SMTP_URL: must be an address such as smtps://user:password@mail.example:465, not https://; percent-encode special characters in the password (@ is %40)',
    );
  });

  const WITHOUT_SECRETS = [
    'BASE_URL',
    'SANDBOX_URL',
    'BREACHED_PASSWORDS_URL',
    'FILES_URL',
    'EARLIER_FILES_URL',
  ];

  test('has a name that ends in _URL or _SECRET, and a second setting with _FILE', () => {
    const urls = SETTINGS.filter((name) => /_(?:URL|SECRET)$/.test(name) && !WITHOUT_SECRETS.includes(name));

    assert.deepEqual(
      SETTINGS.filter((name) => name.endsWith('_FILE')),
      urls.map((name) => `${name}_FILE`),
    );
  });
});
