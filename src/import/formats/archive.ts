// What is inside of gzip files and tar archives, read as a stream: nothing is written to disk.

import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { DamagedFile } from '../record.ts';

/** Decompress gzip. Throws `DamagedFile`. */
export async function* gunzipped(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: 256 * 1024 });
  // An error of either stream reaches the reader.
  pipeline(Readable.from(chunks), gunzip, () => {});
  try {
    yield* gunzip as AsyncIterable<Buffer>;
  } catch (error) {
    if (!String((error as NodeJS.ErrnoException).code).startsWith('Z_')) throw error;
    throw new DamagedFile(`The compressed file is damaged: ${(error as Error).message}.`);
  }
}

const BLOCK = 512;

/**
 * Find the first file with one of these names in a tar archive (POSIX.1-1988 ustar, with GNU's large sizes). Yields its
 * name, then its content. The rest of the archive is not read.
 */
export async function* fileInTar(
  chunks: AsyncIterable<Buffer>,
  names: readonly string[],
): AsyncGenerator<{ name: string } | { content: Buffer }> {
  let buffer: Buffer = Buffer.alloc(0);
  /** The bytes of the current file and its padding that are still to come. */
  let toSkip = 0;
  let wanted: { name: string; left: number } | undefined;
  for await (const chunk of chunks) {
    buffer = buffer.length === 0 ? chunk : Buffer.concat([buffer, chunk]);
    while (buffer.length > 0) {
      if (wanted !== undefined) {
        const content = buffer.subarray(0, wanted.left);
        wanted.left -= content.length;
        buffer = buffer.subarray(content.length);
        yield { content };
        if (wanted.left === 0) return;
      } else if (toSkip > 0) {
        const skipped = Math.min(toSkip, buffer.length);
        toSkip -= skipped;
        buffer = buffer.subarray(skipped);
      } else {
        if (buffer.length < BLOCK) break;
        const header = buffer.subarray(0, BLOCK);
        buffer = buffer.subarray(BLOCK);
        const name = textIn(header, 0, 100).replace(/^\.\//, '');
        const size = sizeIn(header);
        if (names.includes(name) && size > 0) {
          wanted = { name, left: size };
          yield { name };
        } else toSkip = Math.ceil(size / BLOCK) * BLOCK;
      }
    }
  }
  if (wanted !== undefined) throw new DamagedFile(`The archive ends in the middle of ${wanted.name}.`);
}

/** Whether these bytes begin with the header of a file in a tar archive. */
export function isTar(beginning: Buffer): boolean {
  return beginning.length >= BLOCK && textIn(beginning, 257, 5) === 'ustar';
}

function textIn(header: Buffer, from: number, length: number): string {
  const field = header.subarray(from, from + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end === -1 ? length : end);
}

// In octal digits; or from 8 GiB on, binary with the highest bit set.
function sizeIn(header: Buffer): number {
  if (((header[124] as number) & 0x80) !== 0) return Number(header.readBigUInt64BE(128));
  const size = Number.parseInt(textIn(header, 124, 12).trim() || '0', 8);
  if (Number.isSafeInteger(size)) return size;
  throw new DamagedFile('The archive has a file without a size.');
}
