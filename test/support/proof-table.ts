// Tables of requirements in the documentation, whose last column names the tests that prove each row.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

export interface Row {
  id: string;
  /** The columns between the id and the proof. */
  cells: string[];
  /** The tests that are named, by the title as it is written in the table. */
  tests: NamedTest[];
  /** What is said beside the tests. */
  reason: string;
}

export interface NamedTest {
  title: string;
  /** Its path from the root. */
  file: string;
}

const LINK_TO_TEST = /\[([^\]]+)\]\(\.\.\/(test\/[^)]+)\)/g;

/** The rows of the table in a file whose ids are of this form. */
export function rowsOf(path: string, id: RegExp): Row[] {
  return readFileSync(join(ROOT, path), 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, first = '']) => id.test(first))
    .map(([, first = '', ...rest]) => {
      const proof = rest.at(-2) ?? '';
      const tests = [...proof.matchAll(LINK_TO_TEST)].map(([, title = '', file = '']) => ({ title, file }));
      const reason = proof.replaceAll(LINK_TO_TEST, '').replaceAll('<br>', '').trim();
      return { id: first, cells: rest.slice(0, -2), tests, reason };
    });
}

/** The tests whose file does not have their title. */
export function missingTests(tests: readonly NamedTest[]): NamedTest[] {
  return tests.filter(({ title, file }) => !titlesIn(file).has(title));
}

const titlesByFile = new Map<string, Set<string>>();

/** The titles in a file. Of a template there is the part before its first `${`, and then `…`. */
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
