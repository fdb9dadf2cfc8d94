// Reading form bodies and queries of requests, as pairs in their order.

import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { areMoreMalformed, isEncodedUtf8 } from '../lib/escapes.ts';
import { hasSmallChunks } from '../lib/small-chunks.ts';
import { queryOf } from './answer.ts';
import { afterBody } from './fair-turns.ts';
import { type Excess, holdBody, releaseBody } from './held-bytes.ts';
import { untilDone } from './until-answered.ts';

/** Names and values, in the order of the request. */
export type Pairs = [string, string][];

/** The most bytes of an application's request that may come by POST or in the address, which can be no longer. */
export const LONGEST_REQUEST = 16 * 1024;
// The longest post has 100,000 characters, each of at most nine bytes when encoded.
const MOST_BYTES = 1024 * 1024;
/** The most bytes of a form on a page from a visitor who is no member. Only members write texts. */
export const LONGEST_OF_STRANGERS = 64 * 1024;
// Far more than any of our forms has.
const MOST_PAIRS = 1000;
// Browsers send none.
const MOST_MALFORMED_PAIRS = 10;

const PLUS = 0x2b;
const SPACE = 0x20;

type UnreadableStatus = 400 | 413 | 415 | 429 | 503;

/** The body is not a readable form. `status` says why: malformed, too large, of another type, or too many at once. */
export class UnreadableForm extends Error {
  readonly status: UnreadableStatus;

  constructor(status: UnreadableStatus, message: string) {
    super(message);
    this.status = status;
  }
}

/** Return the parameters in the address. */
export function queryPairs(c: Context): Pairs {
  return [...queryOf(c.req)];
}

/** Return the path with its query, unchanged. */
export function pathOf(c: Context): string {
  const { url } = c.req;
  return url.slice(url.indexOf('/', url.indexOf('//') + 2));
}

/** Read the fields of a form body. Throws `UnreadableForm` for another type or a body that is too large. */
export async function bodyPairs(c: Context, mostBytes = MOST_BYTES): Promise<Pairs> {
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') {
    throw new UnreadableForm(415, 'The body must be application/x-www-form-urlencoded.');
  }
  const text = new TextDecoder().decode(withSpaces(await readBytes(c, mostBytes)));
  // Counted before they are parsed, because parsing half a million would block the process for seconds.
  const pairs = text.split('&', MOST_PAIRS + 1);
  if (pairs.length > MOST_PAIRS) throw new UnreadableForm(400, 'The form has too many fields.');
  // Node's parser takes five times as long for a text that isn't.
  if (
    text.length > LONGEST_OF_STRANGERS ? !isEncodedUtf8(text) : areMoreMalformed(pairs, MOST_MALFORMED_PAIRS)
  ) {
    throw new UnreadableForm(400, 'The form is not encoded in UTF-8.');
  }
  return [...new URLSearchParams(text)];
}

// Node's parser makes a new text at each `+`, and keeps all of them: 33 bytes for each, as long as the value is kept.
function withSpaces(bytes: Uint8Array): Uint8Array {
  for (let index = 0; index < bytes.length; index += 1) if (bytes[index] === PLUS) bytes[index] = SPACE;
  return bytes;
}

/**
 * Read the body as bytes. Throws `UnreadableForm` if it is too large, or if the bodies of its caller or of the
 * process already take too much memory. `isHeld` is false if the caller of this function bounds that by itself.
 */
export async function readBytes(c: Context, mostBytes: number, isHeld = true): Promise<Uint8Array> {
  const tooLarge = () => new UnreadableForm(413, `The body is larger than ${mostBytes} bytes.`);
  if (Number(c.req.header('content-length') ?? 0) > mostBytes) throw tooLarge();
  // Node's own request, because converting it to a standard one costs more than the answer.
  const { incoming, outgoing } = c.env as HttpBindings;
  // A request without a body has ended already, and emits no events.
  if (incoming.readableEnded) return new Uint8Array();
  // The chunks are copied into one buffer. As a list, chunks of one byte would take some hundred times their size.
  let bytes: Buffer = Buffer.alloc(0);
  let length = 0;
  let chunks = 0;
  return new Promise((resolve, reject) => {
    // If the sender closes the connection, that is a bad request and not a server error.
    const refuseBrokenBody = () => {
      if (!incoming.readableEnded) reject(new UnreadableForm(400, 'The body is incomplete.'));
    };
    const refuse = (reason: UnreadableForm) => {
      incoming.removeAllListeners('data').pause();
      outgoing.shouldKeepAlive = false;
      reject(reason);
    };
    if (incoming.destroyed) refuseBrokenBody();
    const { socket } = incoming;
    if (isHeld) untilDone(outgoing, () => releaseBody(socket, bytes.byteLength));
    // Measured while it arrives, because a chunked body does not declare its length.
    incoming.on('data', (chunk: Buffer) => {
      const before = length;
      length += chunk.byteLength;
      chunks += 1;
      const isTooSmall = hasSmallChunks(chunks, length);
      if (length > mostBytes || isTooSmall) {
        return refuse(
          isTooSmall ? new UnreadableForm(400, 'The chunks of the body are too small.') : tooLarge(),
        );
      }
      if (length > bytes.byteLength) {
        const size = Math.max(length, Math.min(before * 2, mostBytes));
        const excess = isHeld ? holdBody(socket, bytes.byteLength, size) : undefined;
        if (excess !== undefined) return refuse(tooManyBodies(excess));
        bytes = grown(bytes, size);
      }
      chunk.copy(bytes, before);
    });
    incoming.once('end', () => afterBody(outgoing, () => resolve(bytes.subarray(0, length))));
    incoming.once('error', refuseBrokenBody).once('close', refuseBrokenBody);
  });
}

function tooManyBodies(excess: Excess): UnreadableForm {
  return excess === 'process'
    ? new UnreadableForm(503, 'The server is receiving too many large forms. Try again soon.')
    : new UnreadableForm(429, 'Too many large forms from this address at once. Send them one after another.');
}

function grown(bytes: Buffer, size: number): Buffer {
  const larger = Buffer.allocUnsafe(size);
  bytes.copy(larger);
  return larger;
}

// The server accepts no headers that are longer, so it could not receive a request for a longer path. No other field
// is longer either, except for those below.
export const LONGEST_PATH = 16 * 1024;
/** The fields with texts that members write. */
export const TEXTS = ['title', 'body', 'bio', 'note', 'text_en', 'text_zh'];
// A page shows a text again that is a little too long. To write out a much longer one would keep others waiting.
const LONGEST_TEXTS: Readonly<Record<string, number>> = { body: 130_000, text_en: 50_000, text_zh: 50_000 };
// Each is replaced by itself, which would take longer than all else, and no text needs one.
const MOST_NULS = 100;

/** Throw `UnreadableForm` if a field of a form is longer than any that our pages send, or has more than 100 NULs. */
export function checkFields(fields: URLSearchParams): void {
  for (const [name, value] of fields) {
    if (isLonger(value, LONGEST_TEXTS[name] ?? LONGEST_PATH)) {
      throw new UnreadableForm(413, 'A field of the form is too long.');
    }
    if (value.split('\0', MOST_NULS + 2).length - 1 > MOST_NULS) {
      throw new UnreadableForm(400, 'A field of the form has too many NUL characters.');
    }
  }
}

// Browsers send each end of a line as two characters, which count as one.
function isLonger(text: string, most: number): boolean {
  if (text.length <= most || text.length > 2 * most) return text.length > most;
  return text.length - (text.split('\r\n').length - 1) > most;
}
