// Refusing requests that are not HTTP as the standard has it. The runtime would answer them by itself, without the
// security headers.

import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { areMoreMalformed } from '../lib/escapes.ts';
import { limitChunks } from '../lib/small-chunks.ts';
import type { Connections } from './connections.ts';

type Refusals = Pick<Connections, 'cut' | 'isAnswering' | 'noteRefusal'>;
// In a target with malformed ones.
const MOST_ESCAPES = 100;
// None of our pages has as many, and a page reads all of them for each one that it knows.
const MOST_PARAMETERS = 50;
const MOST_MALFORMED_PARAMETERS = 10;

type Headers = Readonly<Record<string, string>>;

/** Refuse what the server's parser can't read, tunnels, and expectations other than `100-continue`. */
export function refuseMalformed(server: Server, headers: Headers, connections: Refusals): void {
  const { isAnswering, noteRefusal } = connections;
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // If an earlier request of the connection still waits, its sender would take this refusal for the answer.
    if (socket.writable && !isAnswering(socket)) socket.write(rawRefusal(statusOf(error.code), headers));
    socket.destroySoon();
    // Connections that were reset or kept too long are ordinary.
    if (error.code?.startsWith('HPE_')) noteRefusal(socket);
  });
  // Without an answer, the connection of a proxy would end, and all that it has under way in it.
  server.on('connect', ({ socket }: IncomingMessage) => {
    socket.on('error', () => socket.destroy());
    socket.write(rawRefusal(405, headers));
    // The runtime has let go of it, so no limit of time would end it.
    socket.destroySoon();
    noteRefusal(socket);
  });
  server.on('checkExpectation', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    refuseUnread(incoming, outgoing, 417, headers, connections);
  });
}

/** As `refuse`, for a request that is refused unread, which is a fault of its address. */
export function refuseUnread(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  status: number,
  headers: Headers,
  { cut, noteRefusal }: Pick<Connections, 'cut' | 'noteRefusal'>,
): void {
  limitChunks(incoming, cut);
  const { socket } = incoming;
  // One packet can have a thousand such requests. All are parsed, also when the connection has been cut meanwhile.
  if (!socket.destroyed) refuse(outgoing, status, headers);
  noteRefusal(socket);
}

/** Report whether a request lacks the Host header (RFC 9112 §3.2). */
export function lacksHost({ httpVersionMajor, httpVersionMinor, headers }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersionMajor === 1 && httpVersionMinor > 0;
}

/**
 * Report whether a target takes far longer to read than others: it has many parameters, or many malformed escapes, for
 * each of which decoding throws. A few of those make an address that isn't found, or a value with U+FFFD.
 */
export function hasCostlyTarget({ url = '' }: IncomingMessage): boolean {
  if (url.length <= MOST_PARAMETERS) return false;
  const parameters = url.split('&', MOST_PARAMETERS + 1);
  if (parameters.length > MOST_PARAMETERS) return true;
  const escapes = url.split('%').length - 1;
  if (escapes <= MOST_MALFORMED_PARAMETERS) return false;
  return areMoreMalformed(parameters, escapes > MOST_ESCAPES ? 0 : MOST_MALFORMED_PARAMETERS);
}

/** Answer with a status alone, and close the connection: where the next request begins is uncertain. */
export function refuse(outgoing: ServerResponse, status: number, headers: Headers): void {
  outgoing.writeHead(status, { ...headers, ...LAST_AND_EMPTY });
  outgoing.end();
}

/** As `refuse`, for the adapter that takes standard responses. */
export function refusalResponse(status: number, headers: Headers): Response {
  return new Response(null, { status, headers: { ...headers, ...LAST_AND_EMPTY } });
}

const LAST_AND_EMPTY = { 'Cache-Control': 'no-store', 'Content-Length': '0', Connection: 'close' };

function statusOf(code: string | undefined): number {
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return 413;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
}

function rawRefusal(status: number, headers: Headers): string {
  const lines = Object.entries({ ...headers, ...LAST_AND_EMPTY }).map(([name, value]) => `${name}: ${value}`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n`;
}
