// The tables of requirements can't go stale: every row has a proof, and every proof that is a test exists.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { missingTests, rowsOf } from './support/proof-table.ts';

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
  L: [[1, 4]],
  M: [[1, 11]],
  X: [[1, 7]],
};

/** The requirements of ASVS 5.0.0 that concern an authorization server with a community, by level. */
const ASVS: Record<string, string> = {
  1: [
    '1.2.1-5 1.3.1 2.2.1-2 2.3.1 3.2.1-2 3.3.1 3.4.1-2 3.5.1-3 4.1.1 4.4.1 5.2.1-2 5.3.1-2 6.1.1 6.2.1-8',
    '6.3.1-2 6.4.1-2 7.2.1-4 7.4.1-2 8.1.1 8.2.1-2 8.3.1 9.1.1-3 9.2.1 10.4.1-5 11.3.1 11.4.1 12.1.1',
    '12.2.1 13.4.1 14.2.1 14.3.1 15.1.1 15.2.1 15.3.1',
  ].join(' '),
  2: [
    '1.1.1-2 1.3.5-6 2.2.3 2.3.2-4 2.4.1 3.3.2-4 3.4.3-6 3.5.4-5 3.7.2 4.1.2-3 4.2.1 4.3.1-2 4.4.2-4',
    '5.1.1 5.2.3 5.4.1-3 6.1.2-3 6.2.9-12 6.3.3-4 6.4.3-4 6.5.1-5 6.6.1-3 6.8.1-4 7.1.1-3 7.3.1-2 7.4.3-5',
    '7.5.1-2 7.6.1-2 8.1.2 8.2.3 9.2.2-4 10.1.1-2 10.2.1-2 10.3.1-4 10.4.6-11 10.5.1-5 10.6.1-2',
    '10.7.1-3 11.1.1-2 11.2.1 11.2.3 11.4.2 11.5.1 13.2.1-5 13.3.1-2 13.4.2-5 14.2.2 14.3.2-3 15.1.2',
    '15.3.2-7 16.1.1 16.2.1-5 16.3.1-4 16.4.1 16.5.1-3',
  ].join(' '),
};

const standards = rowsOf('docs/standards.md', /^S-/);
const asvs = rowsOf('docs/asvs.md', /^\d+\.\d+\.\d+$/);

function numbers(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** `1.2.3-5` is three requirements. */
function requirementsIn(list: string): string[] {
  return list.split(' ').flatMap((range) => {
    const [, section, first, last = first] = /^(\d+\.\d+)\.(\d+)(?:-(\d+))?$/.exec(range) ?? [];
    return numbers(Number(first), Number(last)).map((number) => `${section}.${number}`);
  });
}

test('The table has every row once, in order.', () => {
  const expected = Object.entries(PARTS).flatMap(([part, runs]) =>
    runs.flatMap(([first, last]) =>
      numbers(first, last).map((number) => `S-${part}${String(number).padStart(2, '0')}`),
    ),
  );

  assert.deepEqual(
    standards.map(({ id }) => id),
    expected,
  );
});

test('The table of ASVS has every row once, with its level.', () => {
  const expected = Object.entries(ASVS).flatMap(([level, list]) =>
    requirementsIn(list).map((id) => `${id} ${level}`),
  );

  assert.deepEqual(asvs.map(({ id, cells }) => `${id} ${cells[0]}`).sort(), expected.sort());
});

describe('A row says what is required, by which standard, and what shows that it is kept:', () => {
  for (const { id, cells, tests, reason } of standards) {
    test(id, () => {
      const [requirement = '', standard = ''] = cells;
      assert.ok(requirement.length > 5, 'the requirement is missing');
      assert.match(
        standard,
        /(?:RFC \d{4}|Client ID Metadata Document|Core|Discovery|Back-Channel Logout|OAuth 2\.|ISO 8601)\S* ?.*§\d/,
      );
      assert.deepEqual(missingTests(tests), []);
      if (tests.length === 0) {
        assert.match(reason, /^(?:Decided otherwise|Does not apply): .{30,}\]\(decisions\/\d{4}-/);
      }
    });
  }
});

describe('A row of ASVS has a test or a reason:', () => {
  for (const { id, cells, tests, reason } of asvs) {
    test(id, () => {
      assert.ok((cells[1] ?? '').length > 5, 'the requirement is missing');
      assert.deepEqual(missingTests(tests), []);
      if (tests.length === 0 || reason !== '') {
        assert.match(reason, /^(?:Documented|Does not apply|Decided otherwise|Open): .{25,}/);
      }
      if (reason.startsWith('Documented')) assert.match(reason, /\]\((?:\.\.\/)?[\w/-]+\.md(?:#[\w-]+)?\)/);
    });
  }
});

test('The beginning of a title, before …, has at least six characters.', () => {
  const tests = [...standards, ...asvs].flatMap((row) => row.tests);
  const short = tests.filter(({ title }) => title.replace(/ …$/, '').length < 6);

  assert.deepEqual(short, []);
});
