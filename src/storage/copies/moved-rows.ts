// Rows on their way from the embedded database to PostgreSQL: each value as a text, and the digest of a row made of
// these texts in the same way on both sides.

import { createHash, hash } from 'node:crypto';
import type { SQLOutputValue } from 'node:sqlite';
import { MoveRefused } from './move-refused.ts';

export interface Column {
  name: string;
  type: 'text' | 'bigint' | 'integer' | 'bytea';
}

/** The types of PostgreSQL whose values are known here. */
export const COLUMN_TYPES: readonly (string | undefined)[] = ['text', 'bigint', 'integer', 'bytea'];

/** A table as both databases know it. */
export interface MovedTable {
  name: string;
  columns: readonly Column[];
  /** The places of the primary key's columns among all. */
  key: readonly number[];
}

/** The values of a row: numbers in decimals, bytes in hexadecimals. */
export type RowTexts = (string | null)[];

/** Rows that follow one another in the order of their key, and the keys between which there are no others. */
export interface Chunk {
  rows: readonly RowTexts[];
  /** Undefined for the first. */
  after: RowTexts | undefined;
  /** Undefined for the last. */
  upTo: RowTexts | undefined;
}

/** The texts of a row. Throws for a value that would not arrive as it is. */
export function textsOf({ name, columns, key }: MovedTable, values: readonly SQLOutputValue[]): RowTexts {
  return columns.map((column, index) => {
    const text = textOf(values[index] ?? null, column.type);
    if (text !== undefined) return text;
    const place = key.map((at) => `${columns[at]?.name} ${values[at]}`).join(', ');
    throw new MoveRefused(
      'value_unusable',
      `PostgreSQL can't hold the ${column.name} of a row of ${name} (${place}) as it is: ` +
        'it contains U+0000, or is no such kind of value. Correct it, and run the command again.',
    );
  });
}

function textOf(value: SQLOutputValue, type: Column['type']): string | null | undefined {
  if (value === null) return null;
  if (type === 'bytea') return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : undefined;
  if (type === 'text') return typeof value === 'string' && !value.includes('\0') ? value : undefined;
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

/** The key's texts out of a row's. */
export function keyOf({ key }: MovedTable, row: RowTexts): RowTexts {
  return key.map((index) => row[index] ?? null);
}

/** The digest of rows in the order of their key. `digestInSql` makes the same. */
export function digestOfRows({ columns }: MovedTable, rows: readonly RowTexts[]): Buffer {
  const all = createHash('sha256');
  for (const row of rows) all.update(hash('sha256', canonical(columns, row), 'latin1'), 'latin1');
  return all.digest();
}

// Numbers end with a comma, anything else stands behind its length in bytes, and nothing where there is no value: so no
// two rows look alike.
function canonical(columns: readonly Column[], row: RowTexts): string {
  let text = '';
  for (const [index, { type }] of columns.entries()) {
    const value = row[index] ?? '';
    const isThere = row[index] !== null;
    if (type === 'text') text += `${isThere ? Buffer.byteLength(value) : ''}:${value}`;
    else if (type === 'bytea') text += `${isThere ? value.length / 2 : ''}:${value}`;
    else text += `${value},`;
  }
  return text;
}

/** An SQL expression for the digest of all rows of a group. */
export function digestInSql(table: MovedTable): string {
  // concat leaves out what is NULL.
  const parts = table.columns.map(({ name, type }) => {
    const column = quoted(name);
    if (type === 'text') return `octet_length(${column}), ':', ${column}`;
    if (type === 'bytea') return `octet_length(${column}), ':', encode(${column}, 'hex')`;
    return `${column}, ','`;
  });
  const row = `sha256(convert_to(concat(${parts.join(', ')}), 'UTF8'))`;
  return `sha256(coalesce(string_agg(${row}, ''::bytea ORDER BY ${keyInSql(table).join(', ')}), ''::bytea))`;
}

/** The key's columns in SQL for PostgreSQL, in the order of the embedded database: byte by byte. */
export function keyInSql({ columns, key }: MovedTable): string[] {
  return key.map((index) => {
    const { name = '', type } = columns[index] ?? {};
    return type === 'text' ? `${quoted(name)} COLLATE "C"` : quoted(name);
  });
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
