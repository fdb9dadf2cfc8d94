// The message in a request of an assistant (JSON-RPC), and what it asks for.

import type { Context } from 'hono';
import type { Reading } from '../../oauth/access-diary-store.ts';
import type { Scope } from '../../oauth/scope.ts';
import { readBytes, UnreadableForm } from '../request-form.ts';

// Far more than a call of our tools takes. The protocol's library checks each value, and its answer tells of each wrong
// one in a hundred bytes and more.
const MOST_BODY_BYTES = 16 * 1024;
const MOST_VALUES = 200;

/** What a message asks for. */
export interface Call {
  reading: Reading;
  scope?: Scope;
}

/** Of a message that calls no tool of ours. */
export const NO_CALL: Call = { reading: 'service' };

/** What each tool reads, and the scope that it requires. A tool without a line here would need no scope. */
export const CALLS = {
  get_profile: { reading: 'profile', scope: 'profile:read' },
  list_posts: { reading: 'posts', scope: 'posts:read' },
} as const satisfies Record<string, Call>;

/** Return what a message asks for. */
export function callOf(message: unknown): Call {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } };
  if (method !== 'tools/call') return NO_CALL;
  const name = params?.name;
  if (typeof name !== 'string' || !Object.hasOwn(CALLS, name)) return NO_CALL;
  return CALLS[name as keyof typeof CALLS];
}

/** A body that is no message, with the code of JSON-RPC. */
export class Unreadable extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Read the message in the body. Throws `Unreadable`. */
export async function readMessage(c: Context): Promise<unknown> {
  const message = parsed(new TextDecoder().decode(await bytesOf(c)));
  // Early versions of the protocol had batches. Each call must count, so that they can't get around the limit.
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    throw new Unreadable(-32600, 'Send one message in each request, as a JSON object.');
  }
  if (hasTooMany(message)) {
    throw new Unreadable(
      -32600,
      `A message may have ${MOST_VALUES} values, those within others counted too.`,
    );
  }
  return message;
}

function hasTooMany(message: object): boolean {
  const containers = [message];
  let count = 0;
  // It grows while it is read.
  for (const container of containers) {
    for (const value of Object.values(container)) {
      count += 1;
      if (count > MOST_VALUES) return true;
      if (typeof value === 'object' && value !== null) containers.push(value);
    }
  }
  return false;
}

async function bytesOf(c: Context): Promise<Uint8Array> {
  try {
    return await readBytes(c, MOST_BODY_BYTES);
  } catch (error) {
    if (error instanceof UnreadableForm && error.status === 413) throw new Unreadable(-32600, error.message);
    throw error;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Unreadable(-32700, 'The body is not JSON.');
  }
}
