// The counter of counter.ts in another process, so that several processes of one machine share one count. What is asked
// in one turn of the event loop travels as one message.

import type { Counter, Hit } from './counter.ts';

/** What the processes say to each other. Lists, since they are many: the question's number comes first. */
export interface Questions {
  count: [number, 'hit' | 'look', string, number, number][];
}
export interface Answers {
  counted: [number, boolean, number, number][];
}

/** The asking side. `receive` is to be given each answer of the process that counts. */
export interface DistantCounter extends Counter {
  receive(answers: Answers): void;
}

/** Asks through `send`. It fails when that does; it never counts by itself. */
export function distantCounter(send: (questions: Questions) => void): DistantCounter {
  const open = new Map<number, { resolve(hit: Hit): void; reject(error: unknown): void }>();
  let asked: Questions['count'] = [];
  let last = 0;

  function sendAsked(): void {
    const count = asked;
    asked = [];
    try {
      send({ count });
    } catch (error) {
      for (const [number] of count) {
        open.get(number)?.reject(error);
        open.delete(number);
      }
    }
  }

  function ask(kind: 'hit' | 'look', key: string, limit: number, windowSeconds: number): Promise<Hit> {
    return new Promise((resolve, reject) => {
      last += 1;
      open.set(last, { resolve, reject });
      if (asked.push([last, kind, key, limit, windowSeconds]) === 1) setImmediate(sendAsked);
    });
  }

  return {
    hit: (key, limit, windowSeconds) => ask('hit', key, limit, windowSeconds),
    look: (key, limit) => ask('look', key, limit, 0),
    receive({ counted }) {
      for (const [number, allowed, remaining, resetSeconds] of counted) {
        open.get(number)?.resolve({ allowed, remaining, resetSeconds });
        open.delete(number);
      }
    },
    async close() {
      for (const { reject } of open.values()) reject(new Error('closed'));
      open.clear();
    },
  };
}

/** The counting side: answers questions with what `counter` says. */
export async function answerQuestions({ count }: Questions, counter: Counter): Promise<Answers> {
  const hits = await Promise.all(
    count.map(([, kind, key, limit, windowSeconds]) =>
      kind === 'hit' ? counter.hit(key, limit, windowSeconds) : counter.look(key, limit),
    ),
  );
  return {
    counted: count.map(([number], index) => {
      const { allowed, remaining, resetSeconds } = hits[index] as Hit;
      return [number, allowed, remaining, resetSeconds];
    }),
  };
}
