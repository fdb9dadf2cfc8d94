// Requests and answers without the framework, for the API: the runtime's own request, and plain data as the
// answer. Converting both to standard objects would cost as much as all the checks of a call.

import type { IncomingMessage, ServerResponse } from 'node:http';

/** The parts of a request without a body that the API reads. */
export type BareRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

/** The names and values of header lines, alternating, as the runtime takes them. */
export type HeaderLines = string[];

/** A whole answer. */
export interface Answer {
  status: number;
  headers: HeaderLines;
  body: string;
  /** `latin1` for a body in ASCII, which spares a conversion. */
  encoding: 'latin1' | 'utf8';
}

/** Make an answer without a body, such as a 304. */
export function emptyAnswer(status: number, headers: HeaderLines): Answer {
  return { status, headers, body: '', encoding: 'latin1' };
}

/** Return a text's length in bytes, for Content-Length, and the encoding to send it in. */
export function measure(text: string): { length: string; encoding: Answer['encoding'] } {
  const bytes = Buffer.byteLength(text);
  return { length: String(bytes), encoding: text.length === bytes ? 'latin1' : 'utf8' };
}

/** Send an answer. */
export function send({ status, headers, body, encoding }: Answer, outgoing: ServerResponse): void {
  outgoing.writeHead(status, headers);
  outgoing.end(body, encoding);
}

/**
 * Return the path of a request, without the query and unescaped. A request by way of a proxy may have the
 * whole address (RFC 9112 §3.2.2).
 */
export function requestPath({ url = '' }: BareRequest): string {
  const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '');
  const query = target.indexOf('?');
  const path = query < 0 ? target : target.slice(0, query);
  return path.includes('%') ? unescaped(path) : path;
}

/** Return the parameters in a request's address. */
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
