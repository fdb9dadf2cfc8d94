// Files to save, sent while they are made, so that little of them is in memory at a time.

import type { PageContext } from './visitor.ts';

// Text is collected up to this length before it is sent.
const CHUNK_CHARACTERS = 64 * 1024;

const TYPES = { json: 'application/json', csv: 'text/csv' } as const;

/** Answer with a file of this name, which is made piece by piece. Its ending is `json` or `csv`. */
export function downloadOf(c: PageContext, name: string, pieces: AsyncGenerator<string>): Response {
  const type = name.endsWith('.csv') ? TYPES.csv : TYPES.json;
  return c.body(streamOf(pieces), 200, {
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Disposition': `attachment; filename="${name}"`,
    'Cache-Control': 'no-store',
  });
}

// Pull from the database only as fast as the browser receives.
function streamOf(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      let text = '';
      while (text.length < CHUNK_CHARACTERS) {
        const { value, done } = await pieces.next();
        if (done) {
          if (text !== '') controller.enqueue(encoder.encode(text));
          controller.close();
          return;
        }
        text += value;
      }
      controller.enqueue(encoder.encode(text));
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}
