// A counter in another process, so that all processes of one machine share one count. The hits of one turn of
// the event loop travel in one message.

import type { Counter, Hit } from './counter.ts';
import { giveInSlices } from './in-slices.ts';

/**
 * The messages between the processes. Each request and answer is a tuple that begins with the request's number.
 */
export interface CountRequests {
  count: [number, string, number, number][];
}
export interface CountAnswers {
  counted: [number, boolean, number, number][];
}

/** The asking side. Pass each message of the counting process to `receive`. */
export interface RemoteCounter extends Counter {
  receive(answers: CountAnswers): void;
}

/** Ask another process through `send`. A hit fails when `send` does; nothing is counted here. */
export function remoteCounter(send: (requests: CountRequests) => void): RemoteCounter {
  const pending = new Map<number, { resolve(hit: Hit): void; reject(error: unknown): void }>();
  let batch: CountRequests['count'] = [];
  let lastNumber = 0;

  function sendBatch(): void {
    const count = batch;
    batch = [];
    try {
      send({ count });
    } catch (error) {
      for (const [number] of count) {
        pending.get(number)?.reject(error);
        pending.delete(number);
      }
    }
  }

  function hit(key: string, limit: number, windowSeconds: number): Promise<Hit> {
    return new Promise((resolve, reject) => {
      lastNumber += 1;
      pending.set(lastNumber, { resolve, reject });
      if (batch.push([lastNumber, key, limit, windowSeconds]) === 1) setImmediate(sendBatch);
    });
  }

  return {
    hit,
    receive({ counted }) {
      giveInSlices(
        counted.map(([number, allowed, remaining, resetSeconds]) => () => {
          pending.get(number)?.resolve({ allowed, remaining, resetSeconds });
          pending.delete(number);
        }),
      );
    },
    async close() {
      for (const { reject } of pending.values()) reject(new Error('closed'));
      pending.clear();
    },
  };
}

/** Answer the count requests of another process with `counter`: the counting side. */
export async function answerCountRequests({ count }: CountRequests, counter: Counter): Promise<CountAnswers> {
  const hits = await Promise.all(
    count.map(([, key, limit, windowSeconds]) => counter.hit(key, limit, windowSeconds)),
  );
  return {
    counted: count.map(([number], index) => {
      const { allowed, remaining, resetSeconds } = hits[index] as Hit;
      return [number, allowed, remaining, resetSeconds];
    }),
  };
}
