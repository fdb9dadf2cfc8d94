// Hidden characters in stored texts and in files: no command prints them as they are, and each entry is one line.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { byCommandLine } from '../../src/audit/doer.ts';
import { registerClient } from '../../src/oauth/client.ts';
import { cliIn } from './run-cli.ts';

const TERMINAL = '\u001B]0;owned\u0007\u001B[31m\u009B2J';
// Everything that a terminal obeys, and what turns a line. Line breaks are the commands' own.
const OBEYED = /(?!\n)[\p{Cc}\u202A-\u202E\u2066-\u2069]/u;

test('the report of an import shows control characters of the file as numbers, each entry on its line', async (t) => {
  const cli = await cliIn(t);
  const file = join(cli.folder, 'topics.json');
  const user = (id: number, name: string) => ({
    id,
    username: `${name}${TERMINAL}\nRefused: 0.`,
    email: `x${TERMINAL}\u202E`,
  });
  await writeFile(file, JSON.stringify({ users: [user(1, 'ann'), user(2, 'bob')], topics: [] }));

  const text = await cli.run(['import', file, '--dry-run']);
  const { document } = await cli.json(['import', file, '--report', join(cli.folder, 'report')]);
  const report = await readFile(join(cli.folder, 'report'), 'utf8');

  assert.doesNotMatch(text.stdout, OBEYED);
  assert.match(
    text.stdout,
    /^ {2}user 1: email: left out, since "x\\u\{1b\}\]0;owned\\u\{7\}.*is not an email address$/m,
  );
  assert.match(
    text.stdout,
    /^ {2}user 1: username: changed from "ann\\u\{1b\}.*\\u\{a\}Refused: 0\." to "ann/m,
  );
  assert.equal(text.stdout.match(/^Refused:/gm)?.length, 1);
  for (const { reason } of document.changed) assert.doesNotMatch(reason, /[\p{Cc}\u202E]/u);
  assert.doesNotMatch(report, OBEYED);
});

test('the source of an import, and the audit log, have no control characters', async (t) => {
  const cli = await cliIn(t);
  const file = join(cli.folder, 'site.xml');
  const site = `<wp:base_blog_url>https://b.example\u009B2J\u001B[31m\nx</wp:base_blog_url>`;
  const namespace = 'xmlns:wp="http://wordpress.org/export/1.2/"';
  await writeFile(file, `<?xml version="1.0"?><rss ${namespace}><channel>${site}</channel></rss>`);

  const text = await cli.run(['import', file]);
  const log = await cli.run(['audit', 'list']);
  const { document } = await cli.json(['audit', 'list']);

  assert.match(text.stdout, /^Imported from "b\.example\\u\{9b\}2J\\u\{1b\}\[31m\\u\{a\}x"/);
  assert.doesNotMatch(text.stdout + text.stderr + log.stdout, OBEYED);
  assert.equal(log.stdout.trimEnd().split('\n').length, 1);
  assert.doesNotMatch(JSON.stringify(document), /\\u00|\p{Cc}/u);
});

test('lists show stored control characters as numbers, each entry on its line', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const by = byCommandLine(portico.clock);
  const { client } = await registerClient(by, portico.oauth, {
    name: 'Notebook',
    kind: 'public',
    redirectUris: ['https://notebook.example/cb'],
  });
  const text = `x${TERMINAL}\n\u202Ey`;
  await portico.oauth.writes.addClient(by, { ...client, id: 'app_2', name: text });
  await portico.identity.writes.addInvitation(by, {
    key: '0'.repeat(22),
    digest: 'digest',
    note: text,
    expiresAt: by.at + 1,
  });
  await portico.imports.writes.beginImport(by, { source: text, format: 'wxr' });

  const lists = [
    await cli.run(['client', 'list']),
    await cli.run(['invitation', 'list']),
    await cli.run(['audit', 'list']),
  ];
  const json = await cli.run(['audit', 'list', '--json']);

  assert.deepEqual(
    lists.map(({ stdout }) => stdout.trimEnd().split('\n').length),
    [2, 1, 4],
  );
  for (const { stdout } of lists) {
    assert.match(stdout, /x\\u\{1b\}\]0;owned\\u\{7\}\\u\{1b\}\[31m\\u\{9b\}2J\\u\{a\}\\u\{202e\}y/);
    assert.doesNotMatch(stdout, OBEYED);
  }
  assert.doesNotMatch(json.stdout, /(?!\n)\p{Cc}/u);
  assert.equal(JSON.parse(json.stdout).events[0].subject.id, text);
});

test('an error shows control characters of an argument as numbers', async (t) => {
  const cli = await cliIn(t);

  const { stderr } = await cli.run([
    'user',
    'set-status',
    '--username',
    `x${TERMINAL}`,
    '--status',
    'active',
  ]);

  assert.match(stderr, /^portico: There is no member named "x\\u\{1b\}/);
  assert.doesNotMatch(stderr, OBEYED);
});
