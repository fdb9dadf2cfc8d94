// The command that starts the sandbox.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sandboxConfig } from '../../src/sandbox.ts';
import { Browser } from '../support/browser.ts';
import { temporaryFolder } from '../support/databases.ts';
import { startProgram } from '../support/program.ts';

const PROGRAM = join(import.meta.dirname, '../../bin/portico.js');

test('sandbox starts a server that says where it is open, and leaves no file behind', async (t) => {
  const folder = await temporaryFolder(t);
  // The settings of a community beside it have no effect.
  const database = join(folder, 'portico.db');
  const settings = { DATABASE_URL: `file:${database}`, WORKERS: '2', SMTP_URL: 'smtp://mail.invalid' };
  const program = await startProgram(settings, undefined, 'sandbox');
  t.after(() => program.stop());
  await program.opened();

  assert.match(program.output(), new RegExp(`^Sandbox is open at ${program.url} `, 'm'));
  assert.doesNotMatch(program.output(), /no operator|warn/i);
  const browser = new Browser(program.url);
  await browser.submit(await browser.read('/'), '/sandbox/start');
  assert.match(await browser.read('/sandbox'), /CLIENT_SECRET=svcs_/);
  assert.match(await browser.read('/docs/walk-through'), new RegExp(`BASE=${program.url}`));
  await program.stop();
  assert.deepEqual(await readdir(folder), []);
});

test('sandbox has a port of its own, and refuses to start with the settings of a community', () => {
  const { baseUrl, port, siteName, database } = sandboxConfig({});
  assert.deepEqual([baseUrl, port, siteName], ['http://localhost:3100', 3100, 'Sandbox']);
  assert.deepEqual(database, { kind: 'sqlite', path: ':memory:' });

  const settings = { ...process.env, SANDBOX_URL: 'https://sandbox.community.example' };
  const { status, stderr } = spawnSync(process.execPath, [PROGRAM, 'sandbox'], {
    env: settings,
    encoding: 'utf8',
  });
  assert.equal(status, 1);
  assert.equal(
    stderr,
    'portico: SANDBOX_URL: is a setting of the community; start the sandbox with settings of its own, in another folder\n',
  );
});
