// Reads what a server sent, strictly: any byte that doesn't belong to an answer is a fault.

/** One answer of a connection. */
export interface HttpAnswer {
  status: number;
  /** Names in lower case. */
  headers: Map<string, string>;
  body: string;
}

/** The bytes are not a sequence of complete answers. */
export class MalformedAnswer extends Error {}

const STATUS_LINE = /^HTTP\/1\.1 ([1-5]\d\d) [\x20-\x7E]*$/;
const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ?([\t\x20-\x7E\x80-\xFF]*)$/;

/**
 * Read answers from bytes (as latin1). The last one may be cut off, since the server may close a connection whose
 * request broke off. An answer to HEAD has no body although it names a length.
 */
export function readAnswers(bytes: string, mayHaveHead: boolean): HttpAnswer[] {
  const answers: HttpAnswer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\r\n\r\n', at);
    if (end < 0) throw new MalformedAnswer(`no end of headers: ${JSON.stringify(bytes.slice(at, at + 200))}`);
    const { status, headers } = readHead(bytes.slice(at, end));
    const { body, next } = readBody(bytes, end + 4, { status, headers }, mayHaveHead);
    answers.push({ status, headers, body });
    at = next;
  }
  return answers;
}

function readHead(head: string): Pick<HttpAnswer, 'status' | 'headers'> {
  const [first = '', ...lines] = head.split('\r\n');
  const status = STATUS_LINE.exec(first)?.[1];
  if (status === undefined)
    throw new MalformedAnswer(`not a status line: ${JSON.stringify(first.slice(0, 200))}`);
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = HEADER_LINE.exec(line) ?? [];
    if (name === undefined || value === undefined)
      throw new MalformedAnswer(`not a header: ${JSON.stringify(line)}`);
    headers.set(name.toLowerCase(), value);
  }
  if (headers.has('content-length') && headers.has('transfer-encoding')) {
    throw new MalformedAnswer('an answer with two lengths');
  }
  return { status: Number(status), headers };
}

function readBody(
  bytes: string,
  from: number,
  { status, headers }: Pick<HttpAnswer, 'status' | 'headers'>,
  mayHaveHead: boolean,
): { body: string; next: number } {
  const isBodiless = status < 200 || status === 204 || status === 304;
  const isAnswerNext = from === bytes.length || bytes.startsWith('HTTP/1.1 ', from);
  if (isBodiless || (mayHaveHead && isAnswerNext)) return { body: '', next: from };
  const length = headers.get('content-length');
  if (length !== undefined) {
    if (!/^\d+$/.test(length)) throw new MalformedAnswer(`a length of ${length}`);
    const next = from + Number(length);
    return { body: bytes.slice(from, next), next };
  }
  if (headers.get('transfer-encoding')?.toLowerCase() === 'chunked') return readChunks(bytes, from);
  if (headers.get('connection')?.toLowerCase() !== 'close')
    throw new MalformedAnswer('an answer without a length');
  return { body: bytes.slice(from), next: bytes.length };
}

function readChunks(bytes: string, from: number): { body: string; next: number } {
  let body = '';
  for (let at = from; ; ) {
    const end = bytes.indexOf('\r\n', at);
    // The connection was closed in the middle.
    if (end < 0) return { body, next: bytes.length };
    const size = bytes.slice(at, end);
    if (!/^[0-9a-f]+$/i.test(size))
      throw new MalformedAnswer(`not a chunk: ${JSON.stringify(size.slice(0, 100))}`);
    const length = Number.parseInt(size, 16);
    body += bytes.slice(end + 2, end + 2 + length);
    at = end + 2 + length + 2;
    if (length === 0 || at > bytes.length) return { body, next: at };
  }
}
