// Reading what a request carries: form bodies and queries, as pairs in their order.

import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { queryOf } from './answer.ts';

export type Pairs = [string, string][];

// No form of ours comes near it, the longest post (100,000 characters, each up to nine bytes when encoded) included.
const MOST_BYTES = 1024 * 1024;
// Many times what any form has.
const MOST_PAIRS = 1000;

/** The body is not a form that can be read; `status` tells which way. */
export class UnreadableForm extends Error {
  readonly status: 400 | 413 | 415;

  constructor(status: 400 | 413 | 415, message: string) {
    super(message);
    this.status = status;
  }
}

/** The parameters in the address. */
export function queryPairs(c: Context): Pairs {
  return [...queryOf(c.req)];
}

/** The path with its query, as it came. */
export function pathOf(c: Context): string {
  const { url } = c.req;
  return url.slice(url.indexOf('/', url.indexOf('//') + 2));
}

/** The parameters in a form body. Throws `UnreadableForm` for another content type or a body too large. */
export async function bodyPairs(c: Context, mostBytes = MOST_BYTES): Promise<Pairs> {
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') {
    throw new UnreadableForm(415, 'The body must be application/x-www-form-urlencoded.');
  }
  const text = new TextDecoder().decode(await readBytes(c, mostBytes));
  // Counted before they are read: reading half a million of them would hold up everyone for seconds.
  if (text.split('&', MOST_PAIRS + 1).length > MOST_PAIRS) {
    throw new UnreadableForm(400, 'The form has too many fields.');
  }
  return [...new URLSearchParams(text)];
}

/** The body as it is. Throws `UnreadableForm` for one too large. */
export async function readBytes(c: Context, mostBytes: number): Promise<Uint8Array> {
  const tooLarge = () => new UnreadableForm(413, `The body is larger than ${mostBytes} bytes.`);
  if (Number(c.req.header('content-length') ?? 0) > mostBytes) throw tooLarge();
  // The runtime's own request: to make a standard one of it costs more than to answer it.
  const { incoming } = c.env as HttpBindings;
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    // The sender hung up: nobody reads the answer, and it is no failure of ours.
    const ended = () => {
      if (!incoming.readableEnded) reject(new UnreadableForm(400, 'The body broke off.'));
    };
    if (incoming.destroyed) ended();
    // Counted while it arrives: a body sent in pieces does not tell its length beforehand.
    incoming.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.byteLength;
      if (length <= mostBytes) return;
      incoming.removeAllListeners('data').pause();
      reject(tooLarge());
    });
    incoming.once('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    incoming.once('error', ended).once('close', ended);
  });
}
