// The table of standards is complete: every row has a proof, and every test that it cites exists.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

const ROOT = join(import.meta.dirname, '..');

/** The numbers of the rows in each part, by the part's letter: the first and the last of each range. */
const PARTS: Record<string, [first: number, last: number][]> = {
  A: [
    [1, 30],
    [40, 59],
  ],
  T: [[1, 32]],
  R: [[1, 13]],
  V: [[1, 13]],
  P: [[1, 20]],
  U: [[1, 5]],
  K: [[1, 9]],
  M: [[1, 5]],
  X: [[1, 7]],
};

interface Row {
  id: string;
  requirement: string;
  standard: string;
  /** The tests that the row cites, with their titles as in the table. */
  tests: { title: string; file: string }[];
  /** The text besides the tests. */
  reason: string;
}

const LINK_TO_TEST = /\[([^\]]+)\]\(\.\.\/(test\/[^)]+)\)/g;

const rows = readFileSync(join(ROOT, 'docs/standards.md'), 'utf8').split('\n').flatMap(rowOf);

function rowOf(line: string): Row[] {
  const [, id = '', requirement = '', standard = '', proof = ''] = line.split('|').map((cell) => cell.trim());
  if (!id.startsWith('S-')) return [];
  const tests = [...proof.matchAll(LINK_TO_TEST)].map(([, title = '', file = '']) => ({ title, file }));
  const reason = proof.replaceAll(LINK_TO_TEST, '').replaceAll('<br>', '').trim();
  return [{ id, requirement, standard, tests, reason }];
}

const titlesByFile = new Map<string, Set<string>>();

/** Return the titles of a file's tests. Of a title with a variable part, only the beginning, followed by `…`. */
function titlesIn(file: string): Set<string> {
  let titles = titlesByFile.get(file);
  if (titles === undefined) {
    const text = existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), 'utf8') : '';
    const calls = text.matchAll(/^ *(?:test|describe)\(\s*(['"`])((?:\\.|(?!\1).)+)\1/gm);
    titles = new Set([...calls].map(([, quote, title = '']) => titleOf(title, quote === '`')));
    titlesByFile.set(file, titles);
  }
  return titles;
}

function titleOf(written: string, isTemplate: boolean): string {
  const title = written.replaceAll(/\\(.)/g, '$1');
  const end = isTemplate ? title.indexOf('${') : -1;
  return end === -1 ? title : `${title.slice(0, end).replace(/:?\s*["(]?$/, '')} …`;
}

test('The table has every row once, in order.', () => {
  const expected = Object.entries(PARTS).flatMap(([part, runs]) =>
    runs.flatMap(([first, last]) =>
      Array.from(
        { length: last - first + 1 },
        (_, index) => `S-${part}${String(first + index).padStart(2, '0')}`,
      ),
    ),
  );

  assert.deepEqual(
    rows.map(({ id }) => id),
    expected,
  );
});

describe('A row says what is required, by which standard, and what shows that it is kept:', () => {
  for (const { id, requirement, standard, tests, reason } of rows) {
    test(id, () => {
      assert.ok(requirement.length > 5, 'the requirement is missing');
      assert.match(standard, /(?:RFC \d{4}|Core|Discovery|OAuth 2\.|ISO 8601)\S* ?.*§\d/);
      const missing = tests.filter(({ title, file }) => !titlesIn(file).has(title));
      assert.deepEqual(missing, []);
      if (tests.length === 0) {
        assert.match(reason, /^(?:Decided otherwise|Does not apply): .{30,}\]\(decisions\/\d{4}-/);
      }
    });
  }
});

test('The beginning of a title is long enough to be found.', () => {
  const short = rows.flatMap(({ tests }) => tests).filter(({ title }) => title.replace(/ …$/, '').length < 6);

  assert.deepEqual(short, []);
});
