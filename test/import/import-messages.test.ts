// What the command `import` says about lines and files that it can't take, and about pictures.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { cliIn } from '../cli/run-cli.ts';

const alice = { type: 'member', username: 'alice' };
const post = { type: 'post', id: 1, author: 'alice', title: 'On walking', body: 'Slowly.' };

test('a refused line says what is wrong with each field, and what is expected', async (t) => {
  const cli = await cliIn(t);
  const file = join(cli.folder, 'community.jsonl');
  const lines = [
    alice,
    { ...post, titel: 'x' },
    { ...post, id: 2, createdAt: '2024-01-31T09:30:00' },
    { type: 'post', id: 3, title: 7, body: null },
    '["a list"]',
    { ...post, id: true },
    { ...post, id: 4, views: 1.5, category: 'City' },
    { ...post, id: 5, category: 'City' },
  ];
  await writeFile(
    file,
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
  );

  const { stdout } = await cli.run(['import', file, '--dry-run']);
  const { document } = await cli.json(['import', file]);

  assert.deepEqual(
    document.refused.map(({ line, reason }: { line: number; reason: string }) => `line ${line}: ${reason}`),
    [
      'line 2: unknown field "titel"; expected only type, id, createdAt, address, author, title, body, category, tags, draft, views',
      'line 3: createdAt: "2024-01-31T09:30:00" is not a time with an offset, such as ' +
        '2024-01-31T09:30:00+08:00 or 2024-01-31T01:30:00Z',
      'line 4: author: is missing; title: must be a text, not a number; body: must be a text, not null',
      'line 5: must be an object in braces, not a list',
      'line 6: id: must be a text or a whole number, not true or false',
      'line 7: views: must be a whole number, not a number',
    ],
  );
  assert.deepEqual([document.posts, document.categories], [1, 1]);
  assert.match(
    stdout,
    /^Would import from "community.jsonl": 1 member, 1 category, 1 post, 0 comments, 0 likes\.$/m,
  );
});

const FILES: [name: string, content: string | Buffer, message: RegExp][] = [
  ['an empty file', '', /^The file is empty\. Portico takes JSON lines, a backup/],
  ['a file of blanks', '\n \n', /^The file has only blanks\./],
  [
    'a CSV',
    'name,email\nalice,a@example.org\n',
    /^This is a table \(CSV\)\. JSON lines have a record on each line\./,
  ],
  ['a ZIP archive', Buffer.from('PK\x03\x04rest'), /^This is a ZIP archive\. Unpack it/],
  ['a PDF', '%PDF-1.7\n', /^This is a PDF\. Portico takes/],
  [
    'a binary dump of PostgreSQL',
    'PGDMP\x01',
    /^This is a dump of PostgreSQL in its own format\. .*pg_restore/,
  ],
  [
    'a dump of MySQL',
    '-- MySQL dump 10.13\n',
    /^This is a dump of MySQL or MariaDB\. In WordPress, choose Tools/,
  ],
  ['a SQLite database', 'SQLite format 3\0', /^This is a SQLite database\. A backup of Portico/],
  ['UTF-16', Buffer.from('\ufeff{}', 'utf16le'), /^This is a text in UTF-16\. Save it as UTF-8\./],
  ['a JSON list', '[{"type":"member"}]', /^This is a JSON list\. .*jq -c/],
  ['a JSON document', '{\n  "db": [\n', /^This is a JSON document of several lines\./],
  ['a page', '<!DOCTYPE html><html>', /^This is a page \(HTML\)\. Download the export itself\./],
  ['a feed', '<?xml version="1.0"?><rss version="2.0"><channel>', /^This is an RSS feed\./],
];

test('a file of another format is refused by its name, with what to do', async (t) => {
  const cli = await cliIn(t);
  for (const [name, content, message] of FILES) {
    await writeFile(join(cli.folder, 'file'), content);

    const { code, document } = await cli.json(['import', 'file']);

    assert.equal(code, 1, name);
    assert.match(document.error?.message ?? '', message, name);
  }
});

test('the pictures in imported texts are counted, and the texts link to them', async (t) => {
  const cli = await cliIn(t);
  const body = '![A sea](https://old.example/a.png) [![](/b.png)](https://old.example/c)';
  const file = join(cli.folder, 'community.jsonl');
  const lines = [alice, { ...post, body }, { ...post, id: 2, title: '', body }];
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'));

  const { stdout } = await cli.run(['import', file, '--dry-run']);
  const { document } = await cli.json(['import', file]);

  assert.equal(document.pictures, 2);
  assert.match(
    stdout,
    /^Pictures in the texts: 2\. They stay on the old site, and the texts link to them\.$/m,
  );
});
