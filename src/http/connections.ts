// The open connections of a server, and the limits on what one caller may occupy.

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { SECOND } from '../lib/clock.ts';
import { networkAround } from '../lib/network.ts';
import type { Peer } from './client-address.ts';
import { countTogether, type Holder } from './held-bytes.ts';

/** All connections of a process; those of one address that is no proxy, and of the /48 network around it. */
const MOST_CONNECTIONS = 8192;
export const MOST_FROM_ADDRESS = 256;
const MOST_FROM_NETWORK = 1024;
// Requests that were sent before an earlier one was answered, and bytes that were read behind the first of them.
// Ordinary clients stay below these limits. Beyond them, the connection is cut. Node parses thousands that arrived
// together before other code runs.
const MOST_PIPELINED = 16;
const MOST_BYTES_PIPELINED = 32 * 1024;
// Faults of one address between two checks, and of the /48 network around it, before it is shut out. A refused request
// is one, which can happen to an ordinary browser with too many cookies; a cut connection counts as ten, and each
// request or chunk behind the cut as one, since it is parsed too.
const MOST_FAULTS = 100;
const MOST_FAULTS_OF_NETWORK = 400;
const FAULTS_OF_A_CUT = 10;
const SHUT_OUT_FOR = 10 * SECOND;
const CHECKED_EVERY = 5 * SECOND;
// If the caller has not received a complete answer after this many checks (30 seconds), the connection is cut.
const MOST_CHECKS_UNRECEIVED = 7;

interface PendingAnswer {
  answer: ServerResponse;
  /** How many checks found it complete and not received. */
  checksUnreceived: number;
}

/** A connection with its requests whose answers the caller has not received. */
export interface Connection extends Peer, Holder {
  /** The turn of the event loop in which the request was read. */
  turn: number;
  /** The oldest first. Those that were received are dropped with the next request or check. */
  answers: PendingAnswer[];
  /** Requests that wait for the answer to the one before. */
  pipelined: number;
  /** What had been read of the connection when the first of them came. */
  bytesBefore: number;
}

export interface Connections {
  of(incoming: IncomingMessage): Connection | undefined;
  /** Notes a caller's request, and calls `proceed` as soon as it may be answered. */
  note(connection: Connection, caller: string, answer: ServerResponse, proceed: () => void): void;
  /** Notes that a request was refused unread. The address that sends many such requests is shut out. */
  noteRefusal(socket: Socket): void;
  /** Cuts a connection, which is a fault. Calls for one that has been cut count what is still parsed. */
  cut(socket: Socket): void;
  /** Reports whether a whole request of a connection waits for its answer. */
  isAnswering(socket: Socket): boolean;
  /**
   * Makes every further answer the last one on its connection. Otherwise a client that keeps its connection
   * busy would send requests until the connection is cut.
   */
  end(): void;
}

/** Watch the connections of a server, and cut those that are too many or too slow. */
export function connectionsOf(server: Server, peerOf: (socket: Socket) => Peer): Connections {
  const open = new Map<Socket, Connection>();
  // Those that are open, and closed ones whose bodies are still in use.
  const holders = new Map<Socket, Holder>();
  const counts = callerCounts();
  const faults = new Map<string, number>();
  const shutOutUntil = new Map<string, number>();
  let isEnding = false;
  server.maxConnections = MOST_CONNECTIONS;
  // Node's own listener makes a parser, which costs more than to refuse the connection.
  const [serve] = server.listeners('connection');
  server.removeAllListeners('connection');

  server.on('connection', (socket: Socket) => {
    // Reset before it was accepted. Its requests would belong to nobody.
    if (socket.remoteAddress === undefined) {
      socket.destroy();
      return;
    }
    const { address, isProxy } = peerOf(socket);
    const callers = callersOf(address);
    if (!isProxy && (counts.isFull(callers) || callers.some(({ caller }) => isShutOut(caller)))) {
      socket.destroy();
      return;
    }
    counts.add(callers, 1);
    const connection = {
      address,
      isProxy,
      caller: address,
      bodyBytes: 0,
      answerBytes: 0,
      turn: -1,
      answers: [],
      pipelined: 0,
      bytesBefore: 0,
    };
    open.set(socket, connection);
    countTogether(socket, connection, holders);
    socket.once('close', () => {
      open.delete(socket);
      counts.add(callers, -1);
    });
    serve?.call(server, socket);
  });

  function isShutOut(caller: string): boolean {
    const until = shutOutUntil.get(caller);
    if (until === undefined || until > performance.now()) return until !== undefined;
    return !shutOutUntil.delete(caller);
  }

  function cut(socket: Socket): void {
    const connection = open.get(socket);
    // What arrived in the same packet is still parsed.
    if (connection !== undefined) blame(connection, socket.destroyed ? 1 : FAULTS_OF_A_CUT);
    socket.destroy();
  }

  function blame({ address, isProxy }: Connection, more: number): void {
    if (isProxy || shutOutUntil.has(address)) return;
    for (const { caller, faults: most } of callersOf(address)) {
      const sum = (faults.get(caller) ?? 0) + more;
      faults.set(caller, sum);
      if (sum >= most) shutOut(caller);
    }
  }

  function shutOut(caller: string): void {
    shutOutUntil.set(caller, performance.now() + SHUT_OUT_FOR);
    for (const [socket, { address }] of open) {
      if (address === caller || networkAround(address) === caller) socket.destroy();
    }
  }

  const timer = setInterval(cutUnreceived, CHECKED_EVERY).unref();
  server.once('close', () => clearInterval(timer));

  function cutUnreceived(): void {
    faults.clear();
    for (const caller of shutOutUntil.keys()) isShutOut(caller);
    for (const [socket, connection] of open) {
      dropReceived(connection);
      for (const pending of connection.answers)
        if (pending.answer.writableEnded) pending.checksUnreceived += 1;
      if ((connection.answers[0]?.checksUnreceived ?? 0) >= MOST_CHECKS_UNRECEIVED) socket.destroy();
    }
  }

  return {
    of: ({ socket }) => open.get(socket),
    note(connection, caller, answer, proceed) {
      if (isEnding) answer.shouldKeepAlive = false;
      dropReceived(connection);
      const before = connection.answers.at(-1)?.answer;
      const { loopCount: turn } = performance.nodeTiming.uvMetricsInfo;
      const isOfSameTurn = connection.turn === turn;
      connection.turn = turn;
      connection.caller = caller;
      connection.answers.push({ answer, checksUnreceived: 0 });
      if (before !== undefined && !before.writableEnded) {
        // Only safe requests could be answered in parallel (RFC 9112 §9.3.2). Few clients pipeline, so all wait.
        const { socket } = answer.req;
        if (connection.pipelined === 0) connection.bytesBefore = socket.bytesRead;
        connection.pipelined += 1;
        const bytes = socket.bytesRead - connection.bytesBefore;
        if (connection.pipelined > MOST_PIPELINED || bytes > MOST_BYTES_PIPELINED) cut(socket);
        before.once('close', () => {
          connection.pipelined -= 1;
          setImmediate(proceed);
        });
      } else if (isOfSameTurn) {
        // Requests of one turn share a snapshot (storage/engine/sqlite-snapshot.ts). This one may be newer than
        // the snapshot, so it waits until the snapshot is released at the end of the turn.
        setImmediate(proceed);
      } else proceed();
    },
    noteRefusal(socket) {
      const connection = open.get(socket);
      if (connection !== undefined) blame(connection, 1);
    },
    cut,
    isAnswering(socket) {
      const { answers = [], pipelined = 0 } = open.get(socket) ?? {};
      const newest = answers.at(-1)?.answer;
      if (newest === undefined || newest.writableFinished) return false;
      return newest.req.complete || pipelined > 0;
    },
    end() {
      isEnding = true;
      for (const { answers } of open.values()) {
        for (const { answer } of answers) answer.shouldKeepAlive = false;
      }
    },
  };
}

function dropReceived({ answers }: Connection): void {
  while (answers[0]?.answer.writableFinished) answers.shift();
}

interface Caller {
  /** The address, or the network around it: one person can have a whole /48. */
  caller: string;
  /** How many connections it may have, and how many faults until it is shut out. */
  connections: number;
  faults: number;
}

/** Count the connections of callers, or what takes a connection of a proxy. */
export function callerCounts() {
  const counts = new Map<string, number>();
  return {
    /** Reports whether one of them has as many as it may have. */
    isFull: (callers: readonly Caller[]) =>
      callers.some(({ caller, connections }) => (counts.get(caller) ?? 0) >= connections),
    add(callers: readonly Caller[], more: number): void {
      for (const { caller } of callers) {
        const sum = (counts.get(caller) ?? 0) + more;
        if (sum === 0) counts.delete(caller);
        else counts.set(caller, sum);
      }
    },
  };
}

/** Return an address, and the /48 network around it if there is one, with what each may have. */
export function callersOf(address: string): Caller[] {
  const network = networkAround(address);
  const ofAddress = { caller: address, connections: MOST_FROM_ADDRESS, faults: MOST_FAULTS };
  if (network === undefined) return [ofAddress];
  return [ofAddress, { caller: network, connections: MOST_FROM_NETWORK, faults: MOST_FAULTS_OF_NETWORK }];
}
