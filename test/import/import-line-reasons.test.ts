// Why a line of an import is refused: the field, and what it must be, in words for an operator.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openImportFile } from '../../src/import/formats/import-file.ts';
import { temporaryFolder } from '../support/databases.ts';

const LINES: [line: string, reason: string][] = [
  [
    '{"type":"member","username":"bob","createdAt":"2026-01-31T09:30:00"}',
    'createdAt must be a time with its offset, such as 2026-01-31T09:30:00+08:00 or …Z',
  ],
  ['{"type":"member","username":"bob","colour":"red","age":3}', 'unknown field colour, age'],
  [
    '{"type":"post","author":"bob","title":5,"body":"x","draft":"yes","views":-1}',
    'title must be text; draft must be true or false; views must be at least 0',
  ],
  ['{"type":"page"}', 'type must be member, category, post, comment or like'],
  ['[1]', 'the record must be a JSON object in braces'],
  ['{"type":"like","post":1.5,"by":"bob"}', 'post must be text or a whole number'],
];

test('An operator reads which field of a line is wrong, and what it must be.', async (t) => {
  const path = join(await temporaryFolder(t), 'file.jsonl');
  await writeFile(path, LINES.map(([line]) => line).join('\n'));
  const file = await openImportFile(path, 'jsonl');

  const reasons = [];
  for await (const entry of file.entries) reasons.push(entry.kind === 'refused' ? entry.reason : entry.kind);

  assert.deepEqual(
    reasons,
    LINES.map(([, reason]) => reason),
  );
});
