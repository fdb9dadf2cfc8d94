// Answers without the framework, for what applications call all the time: a request is the runtime's own, an answer is
// plain data. To make standard objects of both costs as much as all the checks of a call.

import type { IncomingMessage, ServerResponse } from 'node:http';

/** What is looked at of a request without a body. */
export type BareRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

/** Names and values of header lines in turn: the runtime takes them as they are. */
export type HeaderLines = string[];

export interface Answer {
  status: number;
  headers: HeaderLines;
  body: string;
  /** `latin1` for a body in ASCII, which then need not be measured and converted. */
  encoding: 'latin1' | 'utf8';
}

/** An answer with no body, such as a 304. */
export function emptyAnswer(status: number, headers: HeaderLines): Answer {
  return { status, headers, body: '', encoding: 'latin1' };
}

/** How long a text is in bytes, as Content-Length tells it, and in which encoding it is sent. */
export function measured(text: string): { length: string; encoding: Answer['encoding'] } {
  const bytes = Buffer.byteLength(text);
  return { length: String(bytes), encoding: text.length === bytes ? 'latin1' : 'utf8' };
}

export function send({ status, headers, body, encoding }: Answer, outgoing: ServerResponse): void {
  outgoing.writeHead(status, headers);
  outgoing.end(body, encoding);
}

/**
 * The path that a request is for: without the query, and as it reads when nothing in it is escaped. Proxies name the
 * whole address (RFC 9112 §3.2.2).
 */
export function requestPath({ url = '' }: BareRequest): string {
  const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '');
  const query = target.indexOf('?');
  const path = query < 0 ? target : target.slice(0, query);
  return path.includes('%') ? unescaped(path) : path;
}

/** The parameters in a request's address. */
export function queryOf({ url = '' }: Pick<BareRequest, 'url'>): URLSearchParams {
  const query = url.indexOf('?');
  return new URLSearchParams(query < 0 ? '' : url.slice(query + 1));
}

function unescaped(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
