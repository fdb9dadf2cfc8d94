// What a request holds until it is answered: a place among uploads, or among downloads, or the bytes of its body.

import type { ServerResponse } from 'node:http';

/** An answer with the work for it, which goes on if the connection is closed. */
export type AnswerOfWork = ServerResponse & { work?: unknown };

/** As `untilAnswered`, but not before the work for the answer has ended. */
export function untilDone(answer: AnswerOfWork, end: () => void): void {
  untilAnswered(answer, () => {
    if (answer.work instanceof Promise) answer.work.then(end, end);
    else end();
  });
}

/**
 * Call `end` when the answer was sent or can't be sent any more. At once if that is so already: while a request waited
 * for the database, its connection may have been closed, and then no event follows.
 */
export function untilAnswered(answer: ServerResponse, end: () => void): void {
  if (answer.closed) end();
  else answer.once('close', end);
}
