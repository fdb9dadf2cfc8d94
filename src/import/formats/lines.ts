// The lines of a file of any size, one at a time.

export interface Line {
  number: number;
  /** Undefined if the line is too long or is not UTF-8. */
  text: string | undefined;
  problem?: 'too_long' | 'not_utf8';
}

/** More than the longest post takes if every character is escaped. */
const MOST_LINE_BYTES = 4 * 1024 * 1024;
const LINE_FEED = 10;

/** Split chunks of a file into lines. A line that is too long is never held in memory. */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let number = 0;
  let parts: Buffer[] = [];
  let length = 0;
  const add = (part: Buffer) => {
    length += part.length;
    if (length <= MOST_LINE_BYTES) parts.push(part);
    else parts = [];
  };
  const finishLine = (): Line => {
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
      yield finishLine();
      from = end + 1;
    }
    if (from < chunk.length) add(chunk.subarray(from));
  }
  if (length > 0) yield finishLine();
}

function lineOf(number: number, parts: readonly Buffer[], length: number): Line {
  if (length > MOST_LINE_BYTES) return { number, text: undefined, problem: 'too_long' };
  try {
    // The decoder also removes a byte order mark.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
    return { number, text };
  } catch {
    return { number, text: undefined, problem: 'not_utf8' };
  }
}
