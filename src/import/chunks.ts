// A file of any size, piece by piece, and how much of it has been read.

import { createReadStream } from 'node:fs';

export interface Chunks {
  /** Reads the file from its beginning. */
  read(): AsyncGenerator<Buffer>;
  /** How much has been read, from 0 to 1. */
  share(): number;
}

/** The pieces of a file of `size` bytes that is read so many times. */
export function chunksOf(path: string, size: number, times = 1): Chunks {
  let bytes = 0;
  return {
    async *read() {
      for await (const chunk of createReadStream(path, {
        highWaterMark: 256 * 1024,
      }) as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        yield chunk;
      }
    },
    share: () => bytes / Math.max(1, size * times),
  };
}
