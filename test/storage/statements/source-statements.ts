// Every statement in src/storage, with its place in the sources and the text of its type arguments.

import { glob, readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { getCallSites } from 'node:util';
import { type Dialect, type Statement, statements } from '../../../src/storage/engine/sql.ts';

export interface SourceStatement {
  /** As in `src/storage/oauth/grants.ts`. */
  file: string;
  line: number;
  column: number;
  sql: Statement<never, unknown>['statement'];
  /** Both, or one where the statement is the property `sqlite` or `postgres` of an object. */
  dialects: readonly Dialect[];
  types: { values: string; row: string };
}

/** Load every file of storage, and return its statements. Fails if any of the files is loaded already. */
export async function sourceStatements(): Promise<SourceStatement[]> {
  if (statements.length > 0) throw new Error('A file of storage is loaded already.');
  const placed = notePlaces();
  const files = await Array.fromAsync(glob('src/storage/**/*.ts'));
  for (const file of files) await import(pathToFileURL(resolve(file)).href);
  const sources = new Map<string, string>();
  for (const file of files) sources.set(resolve(file), await readFile(file, 'utf8'));
  return placed.map(({ statement, path, line, column }) => {
    const source = sources.get(path);
    if (source === undefined) throw new Error(`A statement was written outside src/storage: ${path}`);
    const tag = readTag(textBefore(source, line, column));
    return { file: relative('.', path), line, column, sql: statement.statement, ...tag };
  });
}

function textBefore(source: string, line: number, column: number): string {
  const lines = source.split('\n').slice(0, line);
  const last = lines.pop() ?? '';
  return [...lines, last.slice(0, column - 1)].join('\n');
}

/** Count the `sql` tags in a file of storage, including those that do not run while the file is loaded. */
export async function countTags(file: string): Promise<number> {
  const code = (await readFile(file, 'utf8')).replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');
  return [...code.matchAll(/(?<!function )\bsql[<`]/g)].length;
}

interface Place {
  statement: Statement<never, unknown>;
  path: string;
  line: number;
  column: number;
}

// The tag registers a statement while its line runs, so the call stack has the place. It is also the place in the
// TypeScript source, since Node replaces types with blanks.
function notePlaces(): Place[] {
  const places: Place[] = [];
  statements.push = (...added) => {
    const [, , writer] = getCallSites(3);
    if (writer === undefined) throw new Error('The call stack does not tell who writes the statement.');
    const { scriptName, lineNumber: line, columnNumber: column } = writer;
    for (const statement of added) places.push({ statement, path: fileURLToPath(scriptName), line, column });
    return Array.prototype.push.apply(statements, added);
  };
  return places;
}

/** Read the tag that ends where a statement's text begins, as in `sqlite: sql<{ id: number }, PostRow>`. */
function readTag(source: string): Pick<SourceStatement, 'dialects' | 'types'> {
  const [values = 'void', row = 'never'] = typeArgumentsAtEnd(source);
  const tag = source.slice(0, startOfTypeArguments(source));
  const [, dialect] = /\b(sqlite|postgres): sql$/.exec(tag) ?? [];
  return {
    dialects: dialect === undefined ? ['sqlite', 'postgres'] : [dialect as Dialect],
    types: { values, row },
  };
}

function typeArgumentsAtEnd(source: string): string[] {
  if (!source.endsWith('>')) return [];
  return splitAtCommas(source.slice(startOfTypeArguments(source) + 1, -1));
}

function startOfTypeArguments(source: string): number {
  if (!source.endsWith('>')) return source.length;
  let depth = 0;
  for (let index = source.length - 1; index >= 0; index -= 1) {
    if (source[index] === '>') depth += 1;
    if (source[index] === '<') depth -= 1;
    if (depth === 0) return index;
  }
  throw new Error(`The type arguments have no beginning: ${source.slice(-100)}`);
}

/** Split a list at the commas that are outside of brackets. */
function splitAtCommas(list: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (const [index, character] of [...list].entries()) {
    if ('<{(['.includes(character)) depth += 1;
    if ('>})]'.includes(character)) depth -= 1;
    if (character !== ',' || depth > 0) continue;
    parts.push(list.slice(start, index));
    start = index + 1;
  }
  parts.push(list.slice(start));
  return parts.map((part) => part.replaceAll(/\s+/g, ' ').trim()).filter((part) => part !== '');
}
