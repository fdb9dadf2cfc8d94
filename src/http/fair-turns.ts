// Makes one caller's many requests wait while other callers have requests too. A caller alone has the whole
// process.

import { performance } from 'node:perf_hooks';
import type { Awaitable } from '../lib/awaitable.ts';
import { SECOND } from '../lib/clock.ts';
import { wholeNetworkOf } from '../lib/network.ts';
import { costlyRequests } from './costly-requests.ts';
import { type Answer, requestsUnderWay } from './under-way.ts';

type Work = () => Awaitable<unknown>;

interface Request {
  work: Work;
  answer: Answer;
  /** Whether this is what follows its body. */
  hasBegun: boolean;
}

// Milliseconds of work for several callers, after which the process reads the requests that have arrived meanwhile.
const BATCH_TIME = 2;
// Milliseconds of one caller's requests that arrived together, after which the process looks for other callers.
const TIME_ALONE = 10;
// Milliseconds until it is asked again who may begin a request.
const PAUSE = 1;
// Milliseconds of accepting connections, after which there is a batch of work, however many more are waiting.
const ACCEPTING_TIME = 2;
// Each is put off in every turn of the event loop that accepts connections, so many would delay new connections.
const MOST_TURNS_DUE = 64;
// After a turn of the event loop with as many milliseconds of work, a caller who is alone is treated for a second as if
// there were others: somebody may come.
const HEAVY_TURN = 20;
// Networks of which it is known when they had their turn, and of those that wait, how many are compared for a turn.
const MOST_REMEMBERED = 1000;
const MOST_COMPARED = 64;

export interface Turns {
  /**
   * Does the work of a caller's request, at once or after the work of others. While several callers send requests, the
   * one whose last turn is longest ago is next, and after each batch the process reads the requests that have arrived.
   */
  take(caller: string, work: Work, answer: Answer): void;
  /** Lets what follows a request's body wait for a turn of its caller, when `afterBody` is called. */
  takeAgainAfterBody(caller: string, answer: WaitingAnswer): void;
  /** Notes that a connection was accepted. */
  noteConnection(): void;
}

/** An answer whose request's body may have to wait for a turn. */
type WaitingAnswer = Answer & { waitForTurn?: ((work: () => void) => void) | undefined };

/**
 * Do what follows the body of a request, in a turn of its caller. Many bodies can end at one moment, and what follows
 * them would come before everything else.
 */
export function afterBody({ waitForTurn }: WaitingAnswer, work: () => void): void {
  if (waitForTurn === undefined) work();
  else waitForTurn(work);
}

/**
 * Make the turns of a server. The runtime accepts one connection in each turn of the event loop. With work in every
 * turn, a caller who opens many connections for costly requests would keep all new callers outside. So the connections
 * that wait come before the work. Callers whose requests are costly rest between them.
 *
 * What has begun is not in turns any more: its calls wait for the database in the order of their arrival, whoever they
 * are for. So with `waitingPerConnection`, a network may have only some requests under way: however many it sends, the
 * requests of others begin, and wait for few calls.
 */
export function fairTurns(waitingPerConnection?: () => number): Turns {
  const underWay = waitingPerConnection && requestsUnderWay(waitingPerConnection);
  const costly = costlyRequests();
  // By network and caller.
  const waiting = new Map<string, Map<string, Set<Request>>>();
  let waitingCount = 0;
  // The number of each network's last turn, the oldest first.
  const lastTurns = new Map<string, number>();
  let turnsTaken = 0;
  // Immediates that take a turn. While requests are held back, there are fewer than requests.
  let turnsDue = 0;
  let isPausing = false;
  let lastCaller: string | undefined;
  let hasSeveral = false;
  let turn = -1;
  let batchEnd = 0;
  let turnOfConnection = Number.NEGATIVE_INFINITY;
  let heavyUntil = 0;
  let lastLoop = { loopCount: 0, now: 0, idle: 0 };
  let turnAlone = -1;
  let endOfTurnAlone = 0;
  let acceptingEnd: number | undefined;
  const forget = setTimeout(() => {
    hasSeveral = false;
  }, SECOND).unref();

  // Each request has an immediate of its own, since Node runs what a page awaits between two immediates.
  function addTurns(count: number): void {
    const most = Math.min(count, MOST_TURNS_DUE - turnsDue);
    turnsDue += Math.max(0, most);
    for (let added = 0; added < most; added += 1) setImmediate(takeTurn);
  }

  function takeTurn(): void {
    const { loopCount } = performance.nodeTiming.uvMetricsInfo;
    if (loopCount !== turn) beginTurn(loopCount);
    if (performance.now() >= batchEnd) {
      setImmediate(takeTurn);
      return;
    }
    turnsDue -= 1;
    const network = nextNetwork();
    if (network === undefined) {
      pause();
      return;
    }
    if (hasSeveral) costly.measure(network);
    begin(network, nextOf(network));
    if (waitingCount > turnsDue) addTurns(1);
  }

  // A flood always waits, and would be before everyone who comes with a request and has had no turn for long.
  function nextNetwork(): string | undefined {
    let next: string | undefined;
    let oldest = Number.POSITIVE_INFINITY;
    for (const network of waiting.keys().filter(mayBegin).take(MOST_COMPARED)) {
      const last = lastTurns.get(network) ?? 0;
      if (last < oldest) [next, oldest] = [network, last];
      if (oldest === 0) break;
    }
    return next;
  }

  function noteTurn(network: string): void {
    turnsTaken += 1;
    lastTurns.delete(network);
    lastTurns.set(network, turnsTaken);
    if (lastTurns.size > MOST_REMEMBERED) lastTurns.delete(lastTurns.keys().next().value as string);
  }

  function mayBegin(network: string): boolean {
    return roomOf(network) > 0;
  }

  function roomOf(network: string): number {
    const now = performance.now();
    if (hasSeveral && costly.mustRest(network, now)) return 0;
    return underWay?.roomOf(network, isAlone(now)) ?? Number.POSITIVE_INFINITY;
  }

  function isAlone(now: number): boolean {
    return !hasSeveral && now >= heavyUntil;
  }

  function noteLoop(loopCount: number, now: number): void {
    if (loopCount === lastLoop.loopCount) return;
    const { idleTime: idle } = performance.nodeTiming;
    const turns = loopCount - lastLoop.loopCount;
    if (now - lastLoop.now - (idle - lastLoop.idle) >= HEAVY_TURN * turns) heavyUntil = now + SECOND;
    lastLoop = { loopCount, now, idle };
  }

  function pause(): void {
    if (isPausing || waitingCount <= turnsDue) return;
    isPausing = true;
    setTimeout(resume, PAUSE).unref();
  }

  function resume(): void {
    isPausing = false;
    let room = 0;
    for (const network of waiting.keys()) room += roomOf(network);
    addTurns(Math.max(0, Math.min(room, waitingCount - turnsDue)));
    pause();
  }

  function begin(network: string, { work, answer }: Request): void {
    answer.isSetAside = false;
    const result = work();
    if (result instanceof Promise) underWay?.add(network, answer, result);
  }

  function beginTurn(loopCount: number): void {
    const now = performance.now();
    noteLoop(loopCount, now);
    turn = loopCount;
    batchEnd = now + (isAlone(now) ? TIME_ALONE : BATCH_TIME);
    if (turnOfConnection === loopCount) {
      acceptingEnd ??= now + ACCEPTING_TIME;
      // There may be more connections.
      if (now < acceptingEnd) batchEnd = now;
    }
    if (batchEnd > now) acceptingEnd = undefined;
  }

  // Whether a caller who is alone goes on without waiting. A connection may be accepted later in this turn.
  function mayGoOn(): boolean {
    const { loopCount } = performance.nodeTiming.uvMetricsInfo;
    if (loopCount - turnOfConnection <= 1) return false;
    const now = performance.now();
    noteLoop(loopCount, now);
    if (loopCount !== turnAlone) {
      turnAlone = loopCount;
      endOfTurnAlone = now + TIME_ALONE;
    }
    return now < endOfTurnAlone;
  }

  // A person who has a /48 network can be 65,536 callers, so networks take turns, and the callers in each.
  function nextOf(network: string): Request {
    const callers = waiting.get(network) as Map<string, Set<Request>>;
    const [[caller, queue]] = callers as unknown as [[string, Set<Request>]];
    const [next] = queue as unknown as [Request];
    queue.delete(next);
    waitingCount -= 1;
    noteTurn(network);
    putBehind(callers, caller, queue);
    putBehind(waiting, network, callers);
    return next;
  }

  function wait(network: string, caller: string, request: Request): void {
    const callers = waiting.get(network) ?? new Map<string, Set<Request>>();
    const queue = callers.get(caller) ?? new Set();
    waiting.set(network, callers);
    callers.set(caller, queue.add(request));
    waitingCount += 1;
    // Its turn can be long in coming. What has begun must come to its end.
    if (underWay !== undefined && !request.hasBegun) {
      request.answer.once('close', () => leave(network, caller, request));
    }
    addTurns(1);
  }

  function leave(network: string, caller: string, request: Request): void {
    const callers = waiting.get(network);
    const queue = callers?.get(caller);
    if (!queue?.delete(request)) return;
    waitingCount -= 1;
    if (queue.size === 0) callers?.delete(caller);
    if (callers?.size === 0) waiting.delete(network);
  }

  function take(caller: string, request: Request): void {
    if (caller !== lastCaller) {
      hasSeveral = lastCaller !== undefined;
      lastCaller = caller;
      forget.refresh();
    }
    const isNext = !hasSeveral && waitingCount === 0 && mayGoOn();
    if (isNext && underWay === undefined) {
      request.work();
      return;
    }
    const network = wholeNetworkOf(caller);
    if (isNext && mayBegin(network)) begin(network, request);
    else wait(network, caller, request);
  }

  return {
    take: (caller, work, answer) => take(caller, { work, answer, hasBegun: false }),
    takeAgainAfterBody(caller, answer) {
      answer.waitForTurn = (work) => {
        answer.isSetAside = true;
        take(caller, { work, answer, hasBegun: true });
      };
    },
    noteConnection() {
      turnOfConnection = performance.nodeTiming.uvMetricsInfo.loopCount;
    },
  };
}

function putBehind<V extends { size: number }>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  if (value.size > 0) map.set(key, value);
}
