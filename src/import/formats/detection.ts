// Which format a file has, by its first bytes. A file of another format is refused by its name.

import { Refusal } from '../../lib/refusal.ts';
import { isTar } from './archive.ts';
import { TAKEN } from './discourse-dump.ts';

export type Container = 'jsonl' | 'discourse' | 'discourse-backup' | 'wxr';

/** The format of a file that begins like this. Throws `Refusal`. */
export function formatOf(beginning: Buffer): Container {
  if (beginning.length === 0) throw new Refusal('empty_file', `The file is empty. ${TAKEN}`);
  if (isBackup(beginning)) return 'discourse-backup';
  const binary = BINARY.find(([bytes]) =>
    beginning.subarray(0, bytes.length).equals(Buffer.from(bytes, 'latin1')),
  );
  if (binary !== undefined) throw unknown(binary[1], binary[2]);
  const text = beginning
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart();
  if (text === '') throw new Refusal('empty_file', `The file has only blanks. ${TAKEN}`);
  if (text.startsWith('<')) return xml(text);
  if (/^\{\s*"(?:categories|category|groups|topics|users)"\s*:/.test(text)) return 'discourse';
  const other = TEXTS.find(([pattern]) => pattern.test(text));
  if (other !== undefined) throw unknown(other[1], other[2]);
  return 'jsonl';
}

/** Whether a file is compressed, an archive, or a dump of PostgreSQL as text: then it can only be a backup. */
export function isBackup(beginning: Buffer): boolean {
  if (beginning[0] === 0x1f && beginning[1] === 0x8b) return true;
  return isTar(beginning) || /^(?:--[^\n]*\n)*-- PostgreSQL database dump/.test(beginning.toString('latin1'));
}

function xml(text: string): 'wxr' {
  if (/^<!doctype html|^<html/i.test(text)) throw unknown('a page (HTML)', 'Download the export itself.');
  if (/<rss[\s>]/.test(text) && !text.includes('wordpress.org/export')) {
    throw unknown('an RSS feed', 'In WordPress, choose Tools → Export → All content.');
  }
  return 'wxr';
}

const UNPACK = 'Unpack it, and import the file inside.';
const UTF8 = 'Save it as UTF-8.';

const BINARY: readonly [bytes: string, name: string, advice: string][] = [
  ['PK\x03\x04', 'a ZIP archive', UNPACK],
  ['PK\x05\x06', 'an empty ZIP archive', UNPACK],
  ['7z\xbc\xaf', 'a 7z archive', UNPACK],
  ['BZh', 'a bzip2 file', UNPACK],
  ['\xfd7zXZ', 'an xz file', UNPACK],
  ['\x28\xb5\x2f\xfd', 'a Zstandard file', UNPACK],
  ['%PDF', 'a PDF', ''],
  ['PGDMP', 'a dump of PostgreSQL in its own format', 'Write it as text: pg_restore --file=dump.sql.'],
  ['SQLite format 3', 'a SQLite database', 'A backup of Portico is brought back by portico restore.'],
  ['\xff\xfe', 'a text in UTF-16', UTF8],
  ['\xfe\xff', 'a text in UTF-16', UTF8],
];

const TEXTS: readonly [pattern: RegExp, name: string, advice: string][] = [
  [
    /^-- (?:MySQL|MariaDB) dump|^\/\*M?!/,
    'a dump of MySQL or MariaDB',
    'In WordPress, choose Tools → Export → All content.',
  ],
  [/^\[\s*\{/, 'a JSON list', "Write a record on each line: jq -c '.[]' list.json > records.jsonl."],
  [/^\{(?:[^\n]*[{[,:])?\s*\n/, 'a JSON document of several lines', 'JSON lines have a record on each line.'],
  [/^[^{}<>\n]*[,;\t][^{}<>\n]*\n/, 'a table (CSV)', 'JSON lines have a record on each line.'],
];

function unknown(name: string, advice: string): Refusal {
  const message = `This is ${name}. ${advice}${advice === '' ? '' : ' '}${TAKEN}`;
  return new Refusal('unknown_format', `${message} If it is one of them, name it with --format.`);
}
