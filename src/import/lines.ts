// The lines of a file of any size: one at a time, and none longer than can be held.

export interface Line {
  number: number;
  /** Undefined if the line is too long or is not UTF-8. */
  text: string | undefined;
  problem?: 'too_long' | 'not_utf8';
}

/** A post of the longest kind, with every character escaped, and some room. */
const MOST_LINE_BYTES = 4 * 1024 * 1024;
const LINE_FEED = 10;

/** The lines of a file that comes in pieces. */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let number = 0;
  let parts: Buffer[] = [];
  let length = 0;
  const add = (part: Buffer) => {
    length += part.length;
    // Of a line that is too long nothing is kept but its length.
    if (length <= MOST_LINE_BYTES) parts.push(part);
    else parts = [];
  };
  const finished = (): Line => {
    number += 1;
    const line = lineOf(number, parts, length);
    parts = [];
    length = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      add(chunk.subarray(from, end));
      yield finished();
      from = end + 1;
    }
    if (from < chunk.length) add(chunk.subarray(from));
  }
  if (length > 0) yield finished();
}

function lineOf(number: number, parts: readonly Buffer[], length: number): Line {
  if (length > MOST_LINE_BYTES) return { number, text: undefined, problem: 'too_long' };
  try {
    // It takes away a byte order mark, too.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
    return { number, text };
  } catch {
    return { number, text: undefined, problem: 'not_utf8' };
  }
}
