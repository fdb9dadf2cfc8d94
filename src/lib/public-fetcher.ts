// Makes requests to addresses that strangers choose in a thread of its own, so that whatever the other server sends,
// such as certificates that are slow to verify, keeps nothing else waiting.

import { Worker } from 'node:worker_threads';
import {
  FetchError,
  type FetchFailure,
  type fetchPublic,
  type PublicAnswer,
  type PublicRequest,
} from './public-fetch.ts';

/** `fetchPublic`, or one that does as it says. */
export type FetchPublic = typeof fetchPublic;

export interface Question {
  id: number;
  address: string;
  request: PublicRequest;
}

export type Reply = { id: number } & (
  | { answer: PublicAnswer }
  | { failure: { reason: FetchFailure; message: string } }
);

interface Fetching {
  resolve(answer: PublicAnswer): void;
  reject(error: unknown): void;
}

const MEMORY = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 };

/**
 * Prepare to make requests as `fetchPublic` does, except that `network` can't contain functions. The thread starts with
 * the first request, and keeps the process alive only while some are under way. If it ends, these reject with a
 * `FetchError`, and the next one starts another.
 */
export function openPublicFetcher(): FetchPublic {
  const underWay = new Map<number, Fetching>();
  let thread: Worker | undefined;
  let lastId = 0;

  function settle(id: number, end: (fetching: Fetching) => void): void {
    const fetching = underWay.get(id);
    underWay.delete(id);
    if (underWay.size === 0) thread?.unref();
    if (fetching !== undefined) end(fetching);
  }

  function onReply(reply: Reply): void {
    settle(reply.id, ({ resolve, reject }) => {
      if ('answer' in reply) resolve(reply.answer);
      else reject(new FetchError(reply.failure.reason, reply.failure.message));
    });
  }

  // An error also ends the thread.
  function onEnd(): void {
    thread = undefined;
    const ended = new FetchError('bad_answer', 'the thread that makes requests has ended');
    for (const id of [...underWay.keys()]) settle(id, ({ reject }) => reject(ended));
  }

  function startThread(): Worker {
    const program = new URL('./public-fetcher-thread.ts', import.meta.url);
    // It gets no settings, because they contain secrets.
    const worker = new Worker(program, { resourceLimits: MEMORY, env: {} });
    return worker
      .on('message', onReply)
      .on('error', () => undefined)
      .on('exit', onEnd);
  }

  return (address, request = {}) =>
    new Promise((resolve, reject) => {
      thread ??= startThread();
      lastId += 1;
      thread.postMessage({ id: lastId, address, request } satisfies Question);
      thread.ref();
      underWay.set(lastId, { resolve, reject });
    });
}
