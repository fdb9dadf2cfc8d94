// Requests that a page sends to its own server, inside the process, as an application would send them. They pass the
// same doors, limits and checks, and count as the visitor's.

import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import type { HttpBindings } from '@hono/node-server';
import type { Awaitable } from '../lib/awaitable.ts';
import type { Answer, BareRequest } from './answer.ts';
import type { PageContext } from './pages/visitor.ts';

export interface OwnRequest {
  method: 'GET' | 'POST';
  /** With the query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  /** The fields of a form. */
  fields?: Readonly<Record<string, string>>;
}

export interface OwnAnswer {
  status: number;
  headers: [name: string, value: string][];
  body: string;
}

/** Sends a request to this server, and reads the answer. */
export type AskServer = (c: PageContext, request: OwnRequest) => Promise<OwnAnswer>;

/** Where the server's requests arrive. */
interface Handlers {
  api: (request: BareRequest) => Awaitable<Answer> | undefined;
  rest: { fetch: (request: Request, env: HttpBindings) => Awaitable<Response> };
}

/** Send a request to these handlers. `c` is the request of the page. */
export async function askServer(
  { api, rest }: Handlers,
  c: PageContext,
  { method, path, headers, fields }: OwnRequest,
): Promise<OwnAnswer> {
  const sent = new Headers(headers);
  if (fields !== undefined) sent.set('Content-Type', 'application/x-www-form-urlencoded');
  const incoming = incomingOf(c, { method, url: path, headers: sent, body: fields });
  const answer = await api(incoming);
  if (answer !== undefined) {
    return { status: answer.status, headers: pairsOf(answer.headers), body: answer.body };
  }
  const outgoing = new EventEmitter() as HttpBindings['outgoing'];
  try {
    const request = new Request(c.get('site').baseUrl + path, { method, headers: sent });
    const response = await rest.fetch(request, { incoming, outgoing });
    return { status: response.status, headers: [...response.headers], body: await response.text() };
  } finally {
    // The bytes of the body are counted until then.
    outgoing.emit('close');
  }
}

// The doors read the body and some of the headers from Node's request. The limits count the visitor's address.
function incomingOf(
  c: PageContext,
  {
    method,
    url,
    headers,
    body,
  }: { method: string; url: string; headers: Headers; body: OwnRequest['fields'] },
): HttpBindings['incoming'] {
  const { socket, headers: own } = c.env.incoming;
  const forwarded = own['x-forwarded-for'];
  const stream = Readable.from(body === undefined ? [] : [Buffer.from(new URLSearchParams(body).toString())]);
  return Object.assign(stream, {
    method,
    url,
    headers: {
      ...Object.fromEntries(headers),
      ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }),
    },
    socket,
  }) as unknown as HttpBindings['incoming'];
}

function pairsOf(lines: readonly string[]): [string, string][] {
  return Array.from({ length: lines.length / 2 }, (_, index) => [
    lines[2 * index] ?? '',
    lines[2 * index + 1] ?? '',
  ]);
}
