// Settings that are valid and probably a mistake, and those of mail and backups.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidSetting, mistypedSettings, readConfig, SETTINGS } from '../src/config.ts';

test('A variable that looks like a mistyped setting is named, with the setting.', () => {
  const variables = ['BASEURL', 'base-url', 'PORTICO_SITE_NAME', 'REDIS_URI', 'WORKER', 'LOG_LEVELS'];

  const lines = readConfig(Object.fromEntries(variables.map((name) => [name, 'x']))).warnings;

  const meant = lines.map((line) => / is not a setting\. Did you mean (\w+)\?$/.exec(line)?.[1]);
  assert.deepEqual(meant, ['BASE_URL', 'BASE_URL', 'SITE_NAME', 'REDIS_URL', 'WORKERS', 'LOG_LEVEL']);
});

test('Settings, and variables of other programs, are not taken for mistyped settings.', () => {
  const others = [
    'PATH',
    'HOME',
    'HOSTNAME',
    'SHELL',
    'LANG',
    'PORTS',
    'GHOST',
    'PGHOST',
    'NODE_ENV',
    'MAIL',
  ];

  assert.deepEqual(
    mistypedSettings(Object.fromEntries([...SETTINGS, ...others].map((name) => [name, 'x']))),
    [],
  );
});

test('A server for other machines whose links lead to this machine is warned of.', () => {
  const warnings = (settings: Record<string, string>) => readConfig(settings).warnings;

  assert.deepEqual(warnings({ HOST: '0.0.0.0' }), [
    'BASE_URL is not set, so all links lead to http://localhost:3000, which other machines can’t open; HOST is ' +
      '0.0.0.0. Set BASE_URL to the public address, such as https://community.example',
  ]);
  for (const HOST of ['localhost', '127.0.0.1', '127.1.2.3', '::1']) assert.deepEqual(warnings({ HOST }), []);
  assert.deepEqual(warnings({ HOST: '0.0.0.0', BASE_URL: 'https://community.example' }), []);
});

test('A mail server whose password has an unencoded @ is refused, and with %40 it is accepted.', () => {
  assert.throws(
    () => readConfig({ SMTP_URL: 'smtp://user:p@ss@mail.example' }),
    new InvalidSetting(
      'SMTP_URL: the user name or the password has an @, /, ? or #; percent-encode special characters in the ' +
        'password (@ is %40)',
    ),
  );
  const SMTP_URL = 'smtp://user:p%40ss@mail.example';
  assert.equal(readConfig({ SMTP_URL }).mail.smtpUrl, SMTP_URL);
});

test('Backups by the server need a folder and SQLite, and their interval has a unit.', () => {
  assert.deepEqual(readConfig({ BACKUP_TO: '/backups', BACKUP_EVERY: '6h' }).backup, {
    folder: '/backups',
    everyMs: 6 * 3_600_000,
  });
  assert.equal(readConfig({ BACKUP_TO: '/backups', BACKUP_EVERY: '1d' }).backup.everyMs, 24 * 3_600_000);
  assert.throws(() => readConfig({ BACKUP_TO: '/backups', BACKUP_EVERY: '9m' }), InvalidSetting);
});
