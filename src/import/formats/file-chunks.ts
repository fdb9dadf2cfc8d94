// A file of any size in chunks, and how much of the file has been read.

import { createReadStream } from 'node:fs';

export interface FileChunks {
  /** Reads the file from its beginning. */
  read(): AsyncGenerator<Buffer>;
  /** The share that has been read, from 0 to 1. */
  progress(): number;
}

const CHUNK_BYTES = 256 * 1024;

/** Open a file of `size` bytes that the caller reads `passes` times. */
export function fileChunks(path: string, size: number, passes = 1): FileChunks {
  let bytes = 0;
  return {
    async *read() {
      const stream: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: CHUNK_BYTES });
      for await (const chunk of stream) {
        bytes += chunk.length;
        yield chunk;
      }
    },
    progress: () => bytes / Math.max(1, size * passes),
  };
}
