// Makes one caller's many requests wait while other callers have requests too. A caller alone has the whole
// process.

import type { ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { SECOND } from '../lib/clock.ts';
import { wholeNetworkOf } from '../lib/network.ts';

type Work = () => unknown;

interface Queued {
  work: Work;
  answer: Answer;
}

// Milliseconds of work, after which the process reads the requests that have arrived meanwhile.
const BATCH_TIME = 2;
// Milliseconds until it is asked again whether the database is busy.
const PAUSE = 1;
// Milliseconds of accepting connections, after which there is a batch of work, however many more are waiting.
const ACCEPTING_TIME = 2;

/** The answer to the request that the work is for. */
export interface Answer extends Pick<ServerResponse, 'headersSent' | 'closed'> {
  once(event: 'close', listener: () => void): unknown;
}

export interface Turns {
  /**
   * Does some work for a caller, at once or after the work of others. While several callers send requests, they take
   * turns, and after each batch the process reads the requests that have arrived.
   */
  take(caller: string, work: Work, answer: Answer): void;
  /** Notes that a connection was accepted. */
  noteConnection(): void;
}

/**
 * Make the turns of a server. The runtime accepts one connection in each turn of the event loop. With work in every
 * turn, a caller who opens many connections for costly requests would keep all new callers outside. So the connections
 * that wait come before the work.
 *
 * What has begun is not in turns any more: its calls wait for the database in the order of their arrival, whoever they
 * are for. So while `isBusy`, a network begins a request only if it has none under way. However many it has sent, and
 * however many calls each of them makes, the requests of others begin, and wait for few calls.
 */
export function fairTurns(isBusy?: () => boolean): Turns {
  const waiting = new Map<string, Map<string, Queued[]>>();
  // The answers that each network waits for, if its requests can be held back.
  const underWay = new Map<string, Set<Answer>>();
  let lastCaller: string | undefined;
  let hasSeveral = false;
  let turn = -1;
  let batchEnd = 0;
  let turnOfConnection = Number.NEGATIVE_INFINITY;
  let acceptingEnd: number | undefined;
  let postponed = 0;
  const forget = setTimeout(() => {
    hasSeveral = false;
  }, SECOND).unref();

  // Each request has an immediate of its own, since Node runs what a page awaits between two immediates.
  function takeTurn(): void {
    const { loopCount } = performance.nodeTiming.uvMetricsInfo;
    if (loopCount !== turn) beginTurn(loopCount);
    if (performance.now() >= batchEnd) {
      setImmediate(takeTurn);
      return;
    }
    const isHeldBack = isBusy?.() === true;
    const network = isHeldBack ? waiting.keys().find(mayBegin) : waiting.keys().next().value;
    if (network === undefined) postpone();
    else begin(network, nextOf(network));
  }

  function postpone(): void {
    postponed += 1;
    if (postponed === 1) setTimeout(resume, PAUSE);
  }

  function resume(): void {
    const mayGoOn = isBusy?.() === true ? waiting.keys().filter(mayBegin).toArray().length : postponed;
    for (let count = Math.min(postponed, mayGoOn); count > 0; count -= 1) {
      postponed -= 1;
      setImmediate(takeTurn);
    }
    if (postponed > 0) setTimeout(resume, PAUSE);
  }

  // An answer that has begun, such as a stream of events, can go on for long.
  function mayBegin(network: string): boolean {
    for (const answer of underWay.get(network) ?? []) if (!answer.headersSent) return false;
    return true;
  }

  function begin(caller: string, { work, answer }: Queued): void {
    if (isBusy !== undefined && !answer.closed) {
      const network = wholeNetworkOf(caller);
      const answers = underWay.get(network) ?? new Set();
      underWay.set(network, answers.add(answer));
      answer.once('close', () => {
        answers.delete(answer);
        if (answers.size === 0 && underWay.get(network) === answers) underWay.delete(network);
      });
    }
    work();
  }

  function beginTurn(loopCount: number): void {
    const now = performance.now();
    turn = loopCount;
    batchEnd = now + BATCH_TIME;
    if (turnOfConnection === loopCount) {
      acceptingEnd ??= now + ACCEPTING_TIME;
      // There may be more connections.
      if (now < acceptingEnd) batchEnd = now;
    }
    if (batchEnd > now) acceptingEnd = undefined;
  }

  // A connection may be accepted later in this turn.
  function isAccepting(): boolean {
    return performance.nodeTiming.uvMetricsInfo.loopCount - turnOfConnection <= 1;
  }

  // A person who has a /48 network can be 65,536 callers, so networks take turns, and the callers in each.
  function nextOf(network: string): Queued {
    const callers = waiting.get(network) as Map<string, Queued[]>;
    const [[caller, queue]] = callers as unknown as [[string, Queued[]]];
    const next = queue.shift() as Queued;
    putBehind(callers, caller, queue, queue.length > 0);
    putBehind(waiting, network, callers, callers.size > 0);
    return next;
  }

  function take(caller: string, work: Work, answer: Answer): void {
    if (caller !== lastCaller) {
      hasSeveral = lastCaller !== undefined;
      lastCaller = caller;
      forget.refresh();
    }
    if (!hasSeveral && waiting.size === 0 && !isAccepting() && isBusy?.() !== true) {
      begin(caller, { work, answer });
      return;
    }
    setImmediate(takeTurn);
    const network = wholeNetworkOf(caller);
    const callers = waiting.get(network) ?? new Map<string, Queued[]>();
    const queue = callers.get(caller) ?? [];
    queue.push({ work, answer });
    callers.set(caller, queue);
    waiting.set(network, callers);
  }

  return {
    take,
    noteConnection() {
      turnOfConnection = performance.nodeTiming.uvMetricsInfo.loopCount;
    },
  };
}

function putBehind<V>(map: Map<string, V>, key: string, value: V, isNeeded: boolean): void {
  map.delete(key);
  if (isNeeded) map.set(key, value);
}
