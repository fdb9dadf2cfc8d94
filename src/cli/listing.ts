// Long lists, printed while they are read, so that little of them is in memory at a time.

import { once } from 'node:events';
import { csvLine } from '../lib/csv.ts';
import { escapeHidden } from '../lib/one-line.ts';
import type { Context, Result } from './command.ts';

/** The option of every list. */
export const LIST_OPTIONS = {
  csv: { kind: 'flag', summary: 'print CSV with a header line, for spreadsheets' },
} as const;

/** A list of records, and how each is printed. */
export interface Listing<T> {
  /** The name of the list in JSON. */
  name: string;
  records: AsyncIterable<T>;
  /** The names of the fields, and their values for a record. */
  fields: Readonly<Record<string, (record: T) => unknown>>;
  /** A record for people, on one line. */
  toLine(record: T): string;
  /** What people read if there is no record. */
  empty: string;
}

// Text is collected up to this length before it is written.
const CHUNK_CHARACTERS = 16 * 1024;

/** Print a list as text, as one JSON document, or as CSV. */
export async function printList<T>(
  context: Context,
  listing: Listing<T>,
  { csv }: { csv: boolean },
): Promise<Result> {
  let text = '';
  for await (const piece of piecesOf(context, listing, csv)) {
    text += piece;
    if (text.length < CHUNK_CHARACTERS) continue;
    await context.write(text);
    text = '';
  }
  await context.write(text);
  return { isWritten: true };
}

function piecesOf<T>({ asJson }: Context, listing: Listing<T>, csv: boolean): AsyncGenerator<string> {
  if (asJson) return jsonOf(listing);
  return csv ? csvOf(listing) : linesOf(listing);
}

async function* linesOf<T>({ records, toLine, empty }: Listing<T>): AsyncGenerator<string> {
  let isEmpty = true;
  for await (const record of records) {
    yield `${escapeHidden(toLine(record))}\n`;
    isEmpty = false;
  }
  if (isEmpty) yield `${empty}\n`;
}

async function* jsonOf<T>({ name, records, fields }: Listing<T>): AsyncGenerator<string> {
  yield `{${jsonText(name)}:[`;
  let separator = '';
  for await (const record of records) {
    yield separator + jsonText(jsonRecord(fields, record));
    separator = ',';
  }
  yield ']}\n';
}

async function* csvOf<T>({ records, fields }: Listing<T>): AsyncGenerator<string> {
  yield csvLine(Object.keys(fields));
  for await (const record of records) yield csvLine(Object.values(fields).map((read) => read(record)));
}

/** The JSON of a record, with null for a missing value. */
export function jsonRecord<T>(fields: Listing<T>['fields'], record: T): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, read]) => [name, read(record) ?? null]));
}

/** JSON for a terminal: it leaves DEL and U+0080 to U+009F as they are, which a terminal obeys. */
export function jsonText(document: unknown): string {
  const escaped = (character: string) => `\\u00${character.charCodeAt(0).toString(16)}`;
  return JSON.stringify(document).replaceAll(/\p{Cc}/gu, escaped);
}

/** Write to standard output, and wait while its reader is slow. */
export async function writeOut(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}
