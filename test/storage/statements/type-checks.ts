// Compares the types of statements with what the databases say: each comparison is a line in a copy of the
// sources, and the compiler judges it.

import { execFile } from 'node:child_process';
import { appendFile, cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import type { Column, Description } from './described.ts';
import type { SourceStatement } from './source-statements.ts';

// A check is the type `true`, or a type that describes the mistake, which the compiler then prints.
const CHECKS = `
type Holds<C extends true> = C;
type Names<T, N> =
  [Exclude<keyof T, N>] extends [never]
    ? [Exclude<N, keyof T>] extends [never] ? true : { missing: Exclude<N, keyof T> }
    : { unknown: Exclude<keyof T, N> };
type IsNull<T, K, B> =
  K extends keyof T
    ? (undefined extends T[K] ? true : false) extends B ? true : { nullable: [T[K]] }
    : { missing: K };
type IsOf<T, K, B> =
  K extends keyof T ? NonNullable<T[K]> extends B ? true : { type: T[K] } : { missing: K };
type Takes<T, K, B> =
  K extends keyof T ? T[K] extends B | undefined ? true : { type: T[K] } : { missing: K };
type IsExactly<T, N> = [T] extends [N] ? [N] extends [T] ? true : { type: T } : { type: T };
`;

interface Check {
  /** What the database says, in words. */
  says: string;
  /** The type that is `true` if the statement's types say the same. */
  type: string;
}

/** Compare the types of statements with their descriptions. Returns a line for each mistake. */
export async function typeMistakes(
  descriptions: ReadonlyMap<SourceStatement, readonly Description[]>,
  folder: string,
): Promise<string[]> {
  await copySources(folder);
  const messages = new Map<string, string>();
  for (const [file, statements] of Map.groupBy(descriptions.keys(), (statement) => statement.file)) {
    const lines = [CHECKS];
    const firstLine = (await readFile(file, 'utf8')).split('\n').length;
    for (const [index, statement] of statements.entries()) {
      lines.push(
        `type Values_${index} = ${statement.types.values};`,
        `type Row_${index} = ${statement.types.row};`,
      );
      for (const { says, type } of checksOf(statement, descriptions.get(statement) ?? [], index)) {
        const line = firstLine + lines.join('\n').split('\n').length;
        messages.set(`${file}(${line})`, `${file}:${statement.line}: ${says}`);
        lines.push(`export type Check_${messages.size} = Holds<${type}>;`);
      }
    }
    await appendFile(join(folder, file), lines.join('\n'));
  }
  return (await compile(folder)).map((error) => inWords(error, messages));
}

async function copySources(folder: string): Promise<void> {
  await cp('src', join(folder, 'src'), { recursive: true });
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  const { compilerOptions } = JSON.parse(await readFile('tsconfig.json', 'utf8'));
  const settings = { compilerOptions, include: ['src/storage'] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
}

function checksOf({ sql }: SourceStatement, descriptions: readonly Description[], index: number): Check[] {
  const checks = [...checksOfValues(sql.names, `Values_${index}`)];
  for (const { columns, values } of descriptions) {
    checks.push(checkOfColumns(columns, `Row_${index}`));
    for (const column of columns) checks.push(...checksOfColumn(column, sql.source, `Row_${index}`));
    for (const [place, name] of sql.names.entries()) {
      const kind = values[place];
      if (kind === undefined) continue;
      checks.push({ says: `:${name} is a ${kind}`, type: `Takes<Values_${index}, '${name}', ${kind}>` });
    }
  }
  return checks.filter((check, at) => checks.findIndex(({ says }) => says === check.says) === at);
}

function checksOfValues(names: readonly string[], type: string): Check[] {
  if (names.length === 0) return [{ says: 'the statement has no values', type: `IsExactly<${type}, void>` }];
  const union = [...new Set(names)].map((name) => `'${name}'`).join(' | ');
  return [{ says: `the values are ${union}`, type: `Names<${type}, ${union}>` }];
}

function checkOfColumns(columns: readonly Column[], type: string): Check {
  if (columns.length === 0)
    return { says: 'the statement returns no rows', type: `IsExactly<${type}, never>` };
  const union = columns.map(({ name }) => `'${name}'`).join(' | ');
  return { says: `the columns are ${union}`, type: `Names<${type}, ${union}>` };
}

function checksOfColumn(column: Column, source: string, type: string): Check[] {
  const { name, kind, origin } = column;
  const checks: Check[] = [];
  if (kind !== undefined) {
    checks.push({ says: `the column ${name} is a ${kind}`, type: `IsOf<${type}, '${name}', ${kind}>` });
  }
  if (origin !== undefined) {
    const isNullable = !origin.isRequired || isOptional(name, origin.table, source);
    const says = `the column ${name} ${isNullable ? 'can' : "can't"} be null`;
    checks.push({ says, type: `IsNull<${type}, '${name}', ${isNullable}>` });
  }
  return checks;
}

/** Whether the column's table is on the nullable side of a LEFT JOIN, which neither database says. */
function isOptional(name: string, table: string, source: string): boolean {
  const joins = [...source.matchAll(/\bLEFT JOIN (\w+)(?: AS (\w+))?/g)];
  const [, qualifier] = new RegExp(`\\b(\\w+)\\.(?:\\w+ AS )?"?${name}\\b`).exec(source) ?? [];
  return joins.some(([, joined = '', alias = joined]) =>
    qualifier === undefined ? joined === table : alias === qualifier,
  );
}

/** Run the compiler. Returns its errors. */
function compile(folder: string): Promise<string[]> {
  const compiler = resolve('node_modules/typescript/bin/tsc');
  return new Promise((settle, fail) => {
    execFile(
      process.execPath,
      [compiler, '--pretty', 'false', '--project', folder],
      { cwd: folder, maxBuffer: 2 ** 26 },
      (error, output) => {
        const errors = output.split('\n').filter((line) => /^\S+\(\d+,\d+\): error/.test(line));
        if (error !== null && errors.length === 0) fail(new Error(`The compiler failed: ${output}`));
        else settle(errors);
      },
    );
  });
}

/** Rewrite a compiler's error as what the database says and what the types say. */
function inWords(error: string, messages: ReadonlyMap<string, string>): string {
  const [, file = '', line = '', text = ''] = /^(\S+)\((\d+),\d+\): error \w+: (.*)$/.exec(error) ?? [];
  const message = messages.get(`${relative('.', file)}(${line})`);
  if (message === undefined) return error;
  return `${message}, but the types say: ${text.replace(/^Type '(.*)' does not satisfy .*$/, '$1')}`;
}
