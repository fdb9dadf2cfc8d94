// What a request holds until it is answered: a place among uploads, or among downloads, or the bytes of its body.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Awaitable } from '../lib/awaitable.ts';

const works = new WeakMap<IncomingMessage, Promise<unknown>>();

/** Note the work for a request, which goes on if its connection is closed. */
export function noteWork(incoming: IncomingMessage, work: Awaitable<unknown>): void {
  if (work instanceof Promise) works.set(incoming, work);
}

/** As `untilAnswered`, but not before the work for the request has ended. */
export function untilDone(incoming: IncomingMessage, answer: ServerResponse, end: () => void): void {
  untilAnswered(answer, () => {
    const work = works.get(incoming);
    if (work === undefined) end();
    else work.then(end, end);
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
