// Bodies in many small chunks, each of which costs as much as one of a thousand bytes.

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

// A body in chunks of one byte takes seconds of work. Slow senders have few chunks, or longer ones.
const MOST_SMALL_CHUNKS = 500;
const BYTES_OF_CHUNK = 128;

/** Report whether a body has come in so many chunks that it is refused. */
export function hasSmallChunks(chunks: number, length: number): boolean {
  return chunks > MOST_SMALL_CHUNKS + length / BYTES_OF_CHUNK;
}

/**
 * Cut the connection of a request or an answer with twice as many chunks as are refused: nobody may be reading the
 * body, and Node would go on parsing it. `cut` is called for each further chunk that has arrived.
 */
export function limitChunks(incoming: IncomingMessage, cut: (socket: Socket) => void): void {
  // A request without a body has ended already.
  if (incoming.readableEnded) return;
  // Node would drop the chunks of a request that has been answered, before they are counted.
  (incoming as Dumped)._dump = () => void incoming.removeAllListeners('data').resume();
  const push = incoming.push;
  let chunks = 0;
  let length = 0;
  // Node's parser calls it for each chunk, also while the stream is paused, and with null at the end.
  incoming.push = (chunk: Uint8Array | null, encoding?: BufferEncoding) => {
    if (chunk !== null) {
      chunks += 1;
      length += chunk.byteLength;
    }
    if (!hasSmallChunks(chunks / 2, length)) return push.call(incoming, chunk, encoding);
    cut(incoming.socket);
    // So that nobody takes its beginning for all of it.
    incoming.destroy();
    return false;
  };
}

interface Dumped extends IncomingMessage {
  /** Called with the end of the answer if nobody reads the body. */
  _dump(): void;
}
