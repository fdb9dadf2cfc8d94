// Which requests are under way for each network, and how many more it may begin.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';

// Calls of requests that begin together arrive together, and travel together.
const MOST_ALONE = 64;
// Work after the first call is in no turn, so others wait for all of it at each of their calls.
const MOST_BESIDE_OTHERS = 4;
// Of all networks together, while there are several and a call waits for a connection. While so many are under way, a
// network begins none but its first.
const MOST_TOGETHER = 6;
// While this many calls wait for each connection, which keeps all of them at work, a network begins one at a time.
const MANY_WAITING = 2;

/** The answer to a request, which knows the request. */
export interface Answer extends Pick<ServerResponse, 'headersSent'> {
  req: Pick<IncomingMessage, 'complete' | 'destroyed' | 'readableFlowing'>;
  /** Whether its request doesn't count, because it waits for another turn, or for work that waits for turns. */
  isSetAside?: boolean;
  once(event: 'close', listener: () => void): unknown;
}

export interface UnderWay {
  /** Counts a request of a network until its work has ended, even if its connection is closed before. */
  add(network: string, answer: Answer, work: Promise<unknown>): void;
  /** How many more requests a network may begin. `isAlone` if no other caller has sent any lately. */
  roomOf(network: string, isAlone: boolean): number;
}

/** Count the requests that wait for a database. `waitingPerConnection` is how many calls wait for each connection. */
export function requestsUnderWay(waitingPerConnection: () => number): UnderWay {
  const answers = new Map<string, Set<Answer>>();

  function countOf(ofNetwork: ReadonlySet<Answer> = new Set()): number {
    let count = 0;
    for (const answer of ofNetwork) if (isAtWork(answer)) count += 1;
    return count;
  }

  function roomOfAll(): number {
    let room = MOST_TOGETHER;
    for (const ofNetwork of answers.values()) {
      room -= countOf(ofNetwork);
      if (room <= 0) return 0;
    }
    return room;
  }

  return {
    add(network, answer, work) {
      const ofNetwork = answers.get(network) ?? new Set();
      answers.set(network, ofNetwork.add(answer));
      work.finally(() => {
        ofNetwork.delete(answer);
        if (ofNetwork.size === 0) answers.delete(network);
      });
    },
    roomOf(network, isAlone) {
      const own = countOf(answers.get(network));
      const waiting = waitingPerConnection();
      const room = Math.max(0, mostAt(waiting, isAlone) - own);
      // What is under way then may wait for something else, such as a picture that is drawn.
      if (isAlone || room === 0 || waiting === 0) return room;
      return own === 0 ? 1 : Math.min(room, roomOfAll());
    },
  };
}

/**
 * Don't count a request while it waits for this work. Few of its kind go on at a time, so that it waits for those
 * rather than for the database.
 */
export async function setAside<T>(
  { outgoing }: Pick<HttpBindings, 'outgoing'>,
  work: Promise<T>,
): Promise<T> {
  const answer = outgoing as Pick<Answer, 'isSetAside'>;
  answer.isSetAside = true;
  try {
    return await work;
  } finally {
    answer.isSetAside = false;
  }
}

function mostAt(waiting: number, isAlone: boolean): number {
  if (waiting >= MANY_WAITING) return 1;
  return isAlone ? MOST_ALONE : MOST_BESIDE_OTHERS;
}

// An answer that has begun, such as a stream of events, can go on for long, and so can a body that is read.
function isAtWork({ headersSent, isSetAside, req }: Answer): boolean {
  return !headersSent && !isSetAside && (req.complete || req.destroyed || req.readableFlowing !== true);
}
