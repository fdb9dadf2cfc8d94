// The thread of `public-fetcher.ts`: receives addresses, and answers each when its request has ended.

import { parentPort } from 'node:worker_threads';
import { FetchError, fetchPublic } from './public-fetch.ts';
import type { Question, Reply } from './public-fetcher.ts';

async function replyTo({ id, address, request }: Question): Promise<Reply> {
  try {
    return { id, answer: await fetchPublic(address, request) };
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    const { reason, message } = error;
    return { id, failure: { reason, message } };
  }
}

parentPort?.on('message', async (question: Question) => parentPort?.postMessage(await replyTo(question)));
