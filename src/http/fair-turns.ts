// Makes one caller's many requests wait while other callers have requests too. A caller alone has the whole
// process.

import { performance } from 'node:perf_hooks';
import { SECOND } from '../lib/clock.ts';
import { wholeNetworkOf } from '../lib/network.ts';

type Work = () => unknown;

// Milliseconds of work, after which the process reads the requests that have arrived meanwhile.
const BATCH_TIME = 2;
// Milliseconds until it is asked again whether the database is busy.
const PAUSE = 1;
// Milliseconds of accepting connections, after which there is a batch of work, however many more are waiting.
const ACCEPTING_TIME = 2;

export interface Turns {
  /**
   * Does some work for a caller, at once or after the work of others. While several callers send requests, they take
   * turns, and after each batch the process reads the requests that have arrived.
   */
  take(caller: string, work: Work): void;
  /** Notes that a connection was accepted. */
  noteConnection(): void;
}

/**
 * Make the turns of a server. The runtime accepts one connection in each turn of the event loop. With work in every
 * turn, a caller who opens many connections for costly requests would keep all new callers outside. So the connections
 * that wait come before the work. While `isBusy`, no work begins: what has begun is not in turns any more.
 */
export function fairTurns(isBusy = () => false): Turns {
  const waiting = new Map<string, Map<string, Work[]>>();
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
    if (isBusy()) {
      postponed += 1;
      if (postponed === 1) setTimeout(resume, PAUSE);
      return;
    }
    const { loopCount } = performance.nodeTiming.uvMetricsInfo;
    if (loopCount !== turn) beginTurn(loopCount);
    if (performance.now() < batchEnd) nextWork()?.();
    else setImmediate(takeTurn);
  }

  function resume(): void {
    if (isBusy()) {
      setTimeout(resume, PAUSE);
      return;
    }
    for (; postponed > 0; postponed -= 1) setImmediate(takeTurn);
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
  function nextWork(): Work | undefined {
    for (const [network, callers] of waiting) {
      for (const [caller, queue] of callers) {
        const work = queue.shift();
        putBehind(callers, caller, queue, queue.length > 0);
        putBehind(waiting, network, callers, callers.size > 0);
        return work;
      }
    }
    return undefined;
  }

  function take(caller: string, work: Work): void {
    if (caller !== lastCaller) {
      hasSeveral = lastCaller !== undefined;
      lastCaller = caller;
      forget.refresh();
    }
    if (!hasSeveral && waiting.size === 0 && !isAccepting() && !isBusy()) {
      work();
      return;
    }
    setImmediate(takeTurn);
    const network = wholeNetworkOf(caller);
    const callers = waiting.get(network) ?? new Map<string, Work[]>();
    const queue = callers.get(caller) ?? [];
    queue.push(work);
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
