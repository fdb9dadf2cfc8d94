// Requests and answers without the framework, for the API: Node's own request, and the answer as plain data.
// Converting both to standard objects would cost as much as all the checks of a call.

import type { IncomingMessage, ServerResponse } from 'node:http';

/** The parts of a request without a body that the API reads. */
export type BareRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

/** The names and values of headers, alternating, as Node expects them. */
export type HeaderLines = string[];

/** A whole answer. */
export interface Answer {
  status: number;
  headers: HeaderLines;
  body: string;
  /** `latin1` for an ASCII body, which saves a conversion. */
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
 * Return the decoded path of a request, without the query. A request through a proxy can contain the whole
 * address (RFC 9112 §3.2.2).
 */
export function requestPath({ url = '' }: BareRequest): string {
  const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '');
  const query = target.indexOf('?');
  const path = query < 0 ? target : target.slice(0, query);
  return path.includes('%') ? decodePath(path) : path;
}

/** Return the parameters in a request's address. */
export function queryOf({ url = '' }: Pick<BareRequest, 'url'>): URLSearchParams {
  const query = url.indexOf('?');
  return new URLSearchParams(query < 0 ? '' : url.slice(query + 1));
}

function decodePath(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
