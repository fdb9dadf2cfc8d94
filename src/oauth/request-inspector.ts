// The request inspector: what applications asked of the server, and the rule that failed, for their developers.
// Requests are collected in memory for a second and then stored as a batch, so that no answer waits for it.

import { openBatches } from '../lib/batches.ts';
import { DAY, MINUTE, SECOND } from '../lib/clock.ts';
import { networkToShow } from '../lib/network.ts';
import { programName } from '../lib/program-name.ts';
import { BoundedMap, memoize } from '../lib/remember.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { Principal } from './bearer-token.ts';
import type { LineKind, RequestFacts, RequestLine } from './request-inspector-store.ts';
import { lineLimit, lineOf, readLimit } from './request-line.ts';
import { credentialName } from './request-rules.ts';

/** How many lines an application has. */
export const MOST_REQUEST_LINES = 500;
/** How long a line is kept. */
export const REQUEST_LINE_LIFETIME = 30 * DAY;

/** A request of an application, and where it came from. */
export interface InspectedRequest {
  clientId: string;
  kind: LineKind;
  facts: RequestFacts;
  address: string;
  userAgent: string | undefined;
}

export interface RequestInspector {
  /**
   * Notes a request of an application that exists, and returns the id of its line. A crash loses what was noted in
   * the last two seconds, or while the database can't be written.
   */
  note(request: InspectedRequest): string;
  /**
   * Notes what `work` finds out and notes. Does nothing while too many others are at work, also of the same network;
   * failures are ignored.
   */
  noteLater(address: string, work: () => Promise<void>): void;
  /** Notes a request that the API answered. */
  noteRead(principal: Principal, path: string, status: number): void;
  /** Stores what was noted. */
  flush(): Promise<void>;
  /** Stores what was noted, and ignores later requests. */
  close(): Promise<void>;
}

const PAUSE = 1 * SECOND;
// Takes some 10 megabytes of memory.
const MOST_WAITING = 20_000;
const NAMES_IN_MEMORY = 1000;
// Each reads the database, which a flood of forged tokens must not keep busy.
const MOST_AT_WORK = 20;
const MOST_OF_NETWORK_AT_WORK = 4;
// The newest lines of each of the four kinds, which lines of other kinds can't push out.
const KEPT_OF_KIND = 120;
// Trimming takes a millisecond. Between two of them an application has that many lines more.
const LINES_BETWEEN_TRIMS = 50;
const CLIENTS_IN_MEMORY = 1000;

/** Equal requests to the API since the last batch. Those of many tokens have neither path nor digest. */
interface Reads {
  clientId: string;
  digest: string | undefined;
  path: string | undefined;
  status: number;
  requests: number;
  firstAt: number;
  lastAt: number;
}

type Waiting = Reads | RequestLine;

/** Open the inspector. `onFailure` is called for lines that could not be stored; they are tried again. */
export function openRequestInspector(
  { writes, clock }: AuthorizationServer,
  onFailure: (error: unknown) => void,
): RequestInspector {
  const limited = lineLimit();
  const hasRoom = readLimit();
  const linesSinceTrim = new BoundedMap<string, Set<string>>(CLIENTS_IN_MEMORY);
  const programOf = memoize(programName, NAMES_IN_MEMORY);
  // Enough to recognise a place, and too little to follow a person.
  const networkOf = memoize((address: string) => networkToShow(address) ?? '', NAMES_IN_MEMORY);
  const { get, set, flush, close } = openBatches<Waiting>({
    write,
    onFailure,
    pause: PAUSE,
    most: MOST_WAITING,
    join: (failed, newer) => joined(failed, newer),
  });

  // Each application in a transaction of its own, so that none takes long.
  async function write(batch: Map<string, Waiting>): Promise<void> {
    for (const [clientId, waiting] of byClient(batch)) {
      const lines = mergedLines(waiting.map(([, each]) => ('facts' in each ? each : lineOfReads(each))));
      const isDue = addsTooMany(clientId, lines);
      const trimTo = isDue ? { most: MOST_REQUEST_LINES, keep: KEPT_OF_KIND } : undefined;
      await writes.addRequestLines(clientId, lines, trimTo);
      if (isDue) linesSinceTrim.set(clientId, new Set());
      for (const [key] of waiting) batch.delete(key);
    }
  }

  // True for the first lines, since nobody knows how many there are.
  function addsTooMany(clientId: string, lines: readonly RequestLine[]): boolean {
    const known = linesSinceTrim.get(clientId);
    for (const { minute, id } of lines) known?.add(`${minute} ${id}`);
    return known === undefined || known.size >= LINES_BETWEEN_TRIMS;
  }

  const atWork = new Map<Promise<void>, string>();
  const workDone = async () => void (await Promise.all(atWork.keys()));

  return {
    note({ clientId, kind, facts, address, userAgent }) {
      const at = clock();
      const line = limited({
        clientId,
        minute: at - (at % MINUTE),
        kind,
        facts,
        network: networkOf(address),
        program: programOf(userAgent),
        requests: 1,
        firstAt: at,
        lastAt: at,
      });
      const key = `${clientId} ${line.minute} ${line.id}`;
      const earlier = get(key);
      set(key, earlier === undefined ? line : joined(earlier, line));
      return line.id;
    },
    noteRead({ clientId, tokenKey, digest, checkedAt }, path, status) {
      // An API token belongs to no application.
      if (clientId === '') return;
      const key = `${tokenKey}${status}${path}`;
      const isListed = get(key) !== undefined || hasRoom(clientId, checkedAt, key);
      const name = isListed ? key : `${clientId}${status}`;
      const earlier = get(name);
      if (earlier !== undefined) {
        earlier.requests += 1;
        earlier.lastAt = checkedAt;
        return;
      }
      const which = isListed ? { digest, path } : { digest: undefined, path: undefined };
      set(name, { clientId, ...which, status, requests: 1, firstAt: checkedAt, lastAt: checkedAt });
    },
    noteLater(address, work) {
      const network = networkOf(address);
      const ofNetwork = [...atWork.values()].filter((other) => other === network);
      if (atWork.size >= MOST_AT_WORK || ofNetwork.length >= MOST_OF_NETWORK_AT_WORK) return;
      const underWay = work()
        .catch(() => {})
        .finally(() => atWork.delete(underWay));
      atWork.set(underWay, network);
    },
    flush: () => workDone().then(flush),
    close: () => workDone().then(close),
  };
}

function lineOfReads({ clientId, digest, path, status, ...numbers }: Reads): RequestLine {
  const minute = numbers.firstAt - (numbers.firstAt % MINUTE);
  const facts: RequestFacts = { endpoint: 'api', outcome: 'read', status, broken: [] };
  if (path === undefined || digest === undefined) facts.isShortened = true;
  else Object.assign(facts, { credential: credentialName(digest), path });
  return lineOf({ clientId, minute, kind: 'read', facts, network: '', program: '', ...numbers });
}

function byClient(batch: ReadonlyMap<string, Waiting>): Map<string, [string, Waiting][]> {
  return Map.groupBy(batch, ([, { clientId }]) => clientId);
}

function mergedLines(lines: readonly RequestLine[]): RequestLine[] {
  const merged = new Map<string, RequestLine>();
  for (const line of lines) {
    const key = `${line.minute} ${line.id}`;
    const earlier = merged.get(key);
    merged.set(key, earlier === undefined ? line : joined(earlier, line));
  }
  return [...merged.values()];
}

function joined<T extends Waiting>(earlier: Waiting, newer: T): T {
  return {
    ...newer,
    requests: earlier.requests + newer.requests,
    firstAt: Math.min(earlier.firstAt, newer.firstAt),
    lastAt: Math.max(earlier.lastAt, newer.lastAt),
  };
}
