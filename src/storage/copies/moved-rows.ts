// Rows on their way from SQLite to PostgreSQL: each value as text, and a digest of these texts that is
// computed in the same way on both sides.

import { createHash, hash } from 'node:crypto';
import type { SQLOutputValue } from 'node:sqlite';
import { Refusal } from '../../lib/refusal.ts';

export interface Column {
  name: string;
  type: 'text' | 'bigint' | 'integer' | 'bytea';
}

/** The column types of PostgreSQL that can be copied. */
export const COLUMN_TYPES: readonly (string | undefined)[] = ['text', 'bigint', 'integer', 'bytea'];

/** A table that has the same columns in both databases. */
export interface MovedTable {
  name: string;
  columns: readonly Column[];
  /** The positions of the primary key's columns. */
  key: readonly number[];
}

/** The values of a row: numbers in decimal, bytes in hexadecimal. */
export type RowTexts = (string | null)[];

/** All rows of a range of keys, in key order. */
export interface Chunk {
  rows: readonly RowTexts[];
  /** Undefined for the first. */
  after: RowTexts | undefined;
  /** Undefined for the last. */
  upTo: RowTexts | undefined;
}

/** The texts of a row. Throws `Refusal` for a value that PostgreSQL would change. */
export function textsOf({ name, columns, key }: MovedTable, values: readonly SQLOutputValue[]): RowTexts {
  return columns.map((column, index) => {
    const text = textOf(values[index] ?? null, column.type);
    if (text !== undefined) return text;
    const place = key.map((position) => `${columns[position]?.name} ${values[position]}`).join(', ');
    throw new Refusal(
      'value_unusable',
      `PostgreSQL can't store the ${column.name} of a row of ${name} (${place}): ` +
        'it contains U+0000, or has another type. Correct it, and run the command again.',
    );
  });
}

function textOf(value: SQLOutputValue, type: Column['type']): string | null | undefined {
  if (value === null) return null;
  if (type === 'bytea') return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : undefined;
  if (type === 'text') return typeof value === 'string' && !value.includes('\0') ? value : undefined;
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

/** The texts of a row's key. */
export function keyOf({ key }: MovedTable, row: RowTexts): RowTexts {
  return key.map((index) => row[index] ?? null);
}

/** The digest of rows in key order, equal to that of `digestInSql`. */
export function digestOfRows({ columns }: MovedTable, rows: readonly RowTexts[]): Buffer {
  const all = createHash('sha256');
  for (const row of rows) all.update(hash('sha256', canonical(columns, row), 'latin1'), 'latin1');
  return all.digest();
}

// A comma ends a number, and a length in bytes precedes any other value, so different rows never look alike.
function canonical(columns: readonly Column[], row: RowTexts): string {
  let text = '';
  for (const [index, { type }] of columns.entries()) {
    const value = row[index] ?? '';
    const hasValue = row[index] !== null;
    if (type === 'text') text += `${hasValue ? Buffer.byteLength(value) : ''}:${value}`;
    else if (type === 'bytea') text += `${hasValue ? value.length / 2 : ''}:${value}`;
    else text += `${value},`;
  }
  return text;
}

/** An SQL expression for the digest of all rows of a group. */
export function digestInSql(table: MovedTable): string {
  // concat leaves out NULL.
  const parts = table.columns.map(({ name, type }) => {
    const column = quoted(name);
    if (type === 'text') return `octet_length(${column}), ':', ${column}`;
    if (type === 'bytea') return `octet_length(${column}), ':', encode(${column}, 'hex')`;
    return `${column}, ','`;
  });
  const row = `sha256(convert_to(concat(${parts.join(', ')}), 'UTF8'))`;
  return `sha256(coalesce(string_agg(${row}, ''::bytea ORDER BY ${keyInSql(table).join(', ')}), ''::bytea))`;
}

/** The key's columns in SQL for PostgreSQL. Text is ordered by bytes, as in SQLite. */
export function keyInSql({ columns, key }: MovedTable): string[] {
  return key.map((index) => {
    const { name = '', type } = columns[index] ?? {};
    return type === 'text' ? `${quoted(name)} COLLATE "C"` : quoted(name);
  });
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
