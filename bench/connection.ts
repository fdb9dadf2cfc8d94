// A connection of a load: sends one request at a time, and says when its answer is complete.

import { connect } from 'node:net';

// Bytes read at once; a longer response arrives in pieces.
const LARGEST_PIECE = 65_536;
const NOTHING = Buffer.alloc(0);

export interface Connection {
  /** Send a request. The one before must have been answered. */
  send(request: Buffer): void;
  close(): void;
}

/** `answered` gets the whole response, which is valid until it returns. */
export interface Events {
  opened(connection: Connection): void;
  answered(response: Buffer, connection: Connection): void;
  failed(error: Error): void;
}

/** Connect to a server on this machine. */
export function openConnection(port: number, { opened, answered, failed }: Events): void {
  // Always reads into the same buffer: while the load is busy here, the server gets no new request.
  const onread = { buffer: Buffer.allocUnsafe(LARGEST_PIECE), callback: take };
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread });
  let received: Buffer = NOTHING;
  const connection: Connection = {
    send: (request) => socket.write(request),
    close: () => socket.destroy(),
  };
  socket.on('connect', () => opened(connection));
  socket.on('error', failed);
  socket.on('end', () => failed(new Error('The server closed a connection.')));

  function take(size: number, buffer: Uint8Array): boolean {
    const chunk = Buffer.from(buffer.buffer, buffer.byteOffset, size);
    const all = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const length = answerLength(all);
    if (length === undefined || all.length < length) {
      // Copied, because the next piece overwrites the buffer.
      received = Buffer.from(all);
      return true;
    }
    received = NOTHING;
    answered(all, connection);
    return true;
  }
}

/** Whether a response has this status. */
export function hasStatus(response: Buffer, statusLine: Buffer): boolean {
  return response.compare(statusLine, 0, statusLine.length, 0, statusLine.length) === 0;
}

/** Return the beginning of responses with this status. */
export function statusLineOf(status: number): Buffer {
  return Buffer.from(`HTTP/1.1 ${status} `);
}

/** Return the value below which this share of sorted values lies. */
export function quantile(sorted: readonly number[] | Float64Array, share: number): number {
  return sorted[Math.floor(sorted.length * share)] ?? 0;
}

/** Return the response's length, or undefined until enough has arrived. Understands Content-Length and chunks. */
function answerLength(received: Buffer): number | undefined {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const head = received.toString('latin1', 0, headEnd);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length !== undefined) return headEnd + 4 + Number(length);
  if (!/\r\ntransfer-encoding: chunked/i.test(head)) return headEnd + 4;
  const end = received.indexOf('0\r\n\r\n', headEnd + 4);
  return end === -1 ? undefined : end + 5;
}
