// What operators write: settings, command lines and dates.

import assert from 'node:assert/strict';
import { parseEnv } from 'node:util';
import { readArguments, WrongUsage } from '../../../src/cli/options.ts';
import { InvalidSetting, readConfig } from '../../../src/config.ts';
import { MEMBER_FOREVER, membershipWord, readMembership } from '../../../src/identity/membership.ts';
import type { Target } from '../target.ts';

const PASSWORD = 'correcthorse';
const OPTIONS = {
  username: { kind: 'text', value: 'NAME', summary: '', required: true },
  days: { kind: 'integer', value: 'N', summary: '' },
  scope: { kind: 'list', value: 'SCOPE', summary: '', choices: ['openid', 'posts:read'], spaced: true },
  operator: { kind: 'flag', summary: '' },
} as const;

export const OPERATOR_TARGETS: readonly Target[] = [
  {
    name: 'settings',
    share: 5,
    seeds: [
      'PORT=3000\nBASE_URL=https://a.example\nDATABASE_URL=file:x.db\nBRAND=svc',
      `DATABASE_URL=postgres://portico:${PASSWORD}@db:5432/portico\nWORKERS=2`,
      `SMTP_URL=smtps://u:${PASSWORD}@mail.example\nMAIL_FROM=Community <a@b.example>`,
      'TRUST_PROXY=10.0.0.0/8, ::1\nSITE_NAME=Our place\nREDIS_URL=redis://localhost\nSIGN_UP=open',
    ],
    pieces: ['\n', '=', '"', ':', '/', '//', '@', '\nHOST=', '\nPORT=', '<', '>', ',', '/33', '[::1]', '$'],
    maxLength: 20_000,
    longPerThousand: 15,
    msPerThousand: 10,
    check(input) {
      let port = 0;
      try {
        ({ port } = readConfig(parseEnv(input)));
      } catch (error) {
        if (!(error instanceof InvalidSetting)) throw error;
        assert.match(
          error.message,
          /^[A-Z_]+: [^\n\r]+$/,
          'a message of one line that begins with the setting',
        );
        // Values of settings that hold no secret are repeated, whatever stands in them.
        const isOfSecret = /^(?:DATABASE|REDIS|SMTP)_URL/.test(error.message);
        assert.ok(!isOfSecret || !error.message.includes(PASSWORD), 'a message with a password');
      }
      assert.ok(Number.isInteger(port) && port >= 0 && port <= 65_535);
    },
  },
  {
    name: 'command-line',
    share: 4,
    seeds: [
      '--username nina --days 3 --operator',
      'file --username=a --scope openid --scope posts:read',
      '--help',
    ],
    pieces: [
      '--',
      '-',
      '=',
      ' ',
      '--username',
      '--usernam',
      '--no-operator',
      '--__proto__',
      '--constructor=1',
      '-u',
    ],
    maxLength: 5000,
    msPerThousand: 50,
    check(input) {
      try {
        const { values, positionals } = readArguments(input.split(' '), OPTIONS, 1);
        assert.ok(positionals.length <= 1);
        assert.deepEqual(Object.keys(values).sort(), [
          'create',
          'days',
          'help',
          'json',
          'operator',
          'scope',
          'username',
        ]);
        assert.equal(typeof values.username, 'string');
      } catch (error) {
        if (!(error instanceof WrongUsage)) throw error;
      }
    },
  },
  {
    name: 'date',
    share: 3,
    seeds: ['2027-01-31', 'never', 'none', '2024-02-29', '9999-12-31', '0000-01-01'],
    pieces: ['-', '0', '9', 'T00:00', 'Z', '+', ' '],
    maxLength: 10_000,
    msPerThousand: 5,
    check(input) {
      const membership = readMembership(input, 'Asia/Shanghai');
      if (membership === undefined) return;
      const { until } = membership;
      // The last day of the calendar is written as "never".
      const word = until !== undefined && until >= MEMBER_FOREVER ? 'never' : input;
      assert.equal(membershipWord(until, 'Asia/Shanghai'), word);
    },
  },
];
