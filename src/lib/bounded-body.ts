// The body of another server's answer, decompressed, with a bound on its bytes before and after.

import type { IncomingMessage } from 'node:http';
import { pipeline, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';

// A server can compress although it was asked not to.
const DECOMPRESSORS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/** Read a body until its end or its bound. Rejects if the connection breaks or the data can't be decompressed. */
export async function bodyOf(
  response: IncomingMessage,
  mostBytes: number,
): Promise<Uint8Array | 'too_large' | 'unknown_encoding'> {
  if (Number(response.headers['content-length']) > mostBytes) return 'too_large';
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity' || encoding === '') return readAll(response, mostBytes);
  const decompressor = DECOMPRESSORS[encoding]?.();
  if (decompressor === undefined) return 'unknown_encoding';
  let sentBytes = 0;
  response.on('data', (chunk: Buffer) => {
    sentBytes += chunk.length;
    if (sentBytes > mostBytes) response.destroy();
  });
  try {
    // Errors reach the reader of the decompressed data.
    return await readAll(
      pipeline(response, decompressor, () => {}),
      mostBytes,
    );
  } catch (error) {
    if (sentBytes > mostBytes) return 'too_large';
    throw error;
  }
}

async function readAll(stream: AsyncIterable<Buffer>, mostBytes: number): Promise<Uint8Array | 'too_large'> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > mostBytes) return 'too_large';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
