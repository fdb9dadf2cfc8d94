// Long lists, read from a store in pieces, so that only one piece is in memory at a time.

import { otherWork } from './other-work.ts';

/** Read all records of a list. `read` returns the piece after the last record of the one before; a short one ends. */
export async function* inPieces<T>(
  size: number,
  read: (last: T | undefined) => Promise<readonly T[]>,
): AsyncGenerator<T> {
  let last: T | undefined;
  let worked = 0;
  do {
    // SQLite answers at once, so that one reader would keep the process from all others until the end.
    await otherWork(worked);
    const start = performance.now();
    const piece = await read(last);
    worked = performance.now() - start;
    yield* piece;
    last = piece.length < size ? undefined : piece.at(-1);
  } while (last !== undefined);
}
