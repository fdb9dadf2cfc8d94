// What a request holds until it is answered: a place among uploads, or among downloads.

import type { ServerResponse } from 'node:http';

/**
 * Call `end` when the answer was sent or can't be sent any more. At once if that is so already: while a request waited
 * for the database, its connection may have been closed, and then no event follows.
 */
export function untilAnswered(answer: ServerResponse, end: () => void): void {
  if (answer.closed) end();
  else answer.once('close', end);
}
