// The database dump in a backup of Discourse, as a stream of rows: a `.tar.gz` with `dump.sql.gz` (and the uploads
// after it), a `.sql.gz`, or what is inside of them. Read in discourse/discourse: lib/backup_restore/backuper.rb.

import { Refusal } from '../../lib/refusal.ts';
import { DamagedFile } from '../record.ts';
import { fileInTar, gunzipped, isTar } from './archive.ts';
import type { CopiedRow } from './copied-rows.ts';
import { CopiedRowReader } from './copied-rows.ts';
import type { FileChunks } from './file-chunks.ts';

const DUMPS = ['dump.sql.gz', 'dump.sql'];

type Columns = Readonly<Record<string, readonly string[]>>;

/** Read the rows of the wanted tables, from the beginning of the file. */
export async function* dumpedRows(chunks: FileChunks, wanted: Columns): AsyncGenerator<CopiedRow> {
  const reader = new CopiedRowReader(wanted);
  try {
    for await (const chunk of dumpIn(chunks.read())) yield* reader.read(chunk);
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error;
    throw new Refusal(
      'file_damaged',
      `${error.message} Nothing of a damaged backup is imported: download it again.`,
    );
  }
  checkTables(reader.tables);
  if (reader.tooLong > 0) {
    throw new Refusal('file_damaged', `The backup has ${reader.tooLong} rows of more than 64 MiB.`);
  }
}

async function* dumpIn(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const { beginning, all } = await peek(chunks);
  if (beginning[0] === 0x1f && beginning[1] === 0x8b) yield* dumpIn(gunzipped(all));
  else if (isTar(beginning)) yield* dumpInTar(all);
  else yield* all;
}

async function* dumpInTar(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const parts = fileInTar(chunks, DUMPS);
  const first = await parts.next();
  if (first.done) throw noBackup(`an archive without ${DUMPS.join(' or ')}`);
  async function* contents() {
    for await (const part of parts) if ('content' in part) yield part.content;
  }
  yield* dumpIn(contents());
}

/** Read the first bytes, and return them with all chunks. */
async function peek(chunks: AsyncIterable<Buffer>) {
  const iterator = chunks[Symbol.asyncIterator]();
  let beginning: Buffer = Buffer.alloc(0);
  while (beginning.length < 512) {
    const { value, done } = await iterator.next();
    if (done) break;
    beginning = Buffer.concat([beginning, value]);
  }
  async function* all() {
    try {
      yield beginning;
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return { beginning, all: all() };
}

function checkTables(tables: ReadonlyMap<string, readonly string[]>): void {
  const isOf = (table: string, column: string) => tables.get(table)?.includes(column) === true;
  if (isOf('topics', 'archetype') && isOf('posts', 'raw') && isOf('users', 'username')) return;
  const names = [...tables.keys()];
  const some = names.slice(0, 8).join(', ') + (names.length > 8 ? ', …' : '');
  throw noBackup(names.length === 0 ? 'a file without rows of tables' : `a dump of the tables ${some}`);
}

function noBackup(what: string): Refusal {
  return new Refusal('unknown_format', `This is ${what}, and not a backup of Discourse. ${TAKEN}`);
}

/** What the command takes, for messages about anything else. */
export const TAKEN =
  'Portico takes JSON lines, a backup (.tar.gz, .sql.gz) or category export (.json) of Discourse, and an export ' +
  'of WordPress (.xml); see docs/importing.md.';
