// A line of the request inspector, and how many different ones an application gets in a minute. Anyone can send
// requests in its name, so without a limit a stranger could push out what its developer looks for. Requests beyond the
// limit share lines without details.

import { MINUTE, type Timestamp } from '../lib/clock.ts';
import { BoundedMap } from '../lib/remember.ts';
import { digestOf } from '../lib/secrets.ts';
import type { RequestFacts, RequestLine } from './request-inspector-store.ts';

/** A line without its id. */
export type NewLine = Omit<RequestLine, 'id'>;

/** Complete a line. Its id follows from the facts, so that equal requests of a minute share it. */
export function lineOf(line: NewLine): RequestLine {
  return { ...line, id: idOf(line, textOf(line)) };
}

function textOf({ facts, network, program }: NewLine): string {
  return `${network} ${program} ${JSON.stringify(facts)}`;
}

function idOf({ clientId, minute }: NewLine, text: string): string {
  return digestOf(`${clientId} ${minute} ${text}`).replaceAll(/[-_]/g, '').slice(0, ID_LENGTH);
}

const ID_LENGTH = 8;

const MOST_LINES_A_MINUTE = 40;
// So that one stranger leaves room for the developer.
const MOST_OF_NETWORK = 10;
const IN_MEMORY = 10_000;

/** The lines of an application in a minute, of one kind and endpoint. */
interface Seen {
  minute: Timestamp;
  /** The ids by what the lines say. */
  ids: Map<string, string>;
  ofNetwork: Map<string, number>;
  /** The same for lines without details, of which there are few. */
  shortened: Map<string, string>;
}

/** Make the function that completes a line as it is, or without details if its minute has too many already. */
export function lineLimit(): (line: NewLine) => RequestLine {
  const seen = new BoundedMap<string, Seen>(IN_MEMORY);
  return (line) => {
    const name = `${line.clientId} ${line.kind} ${line.facts.endpoint}`;
    let ofMinute = seen.get(name);
    if (ofMinute?.minute !== line.minute) {
      ofMinute = { minute: line.minute, ids: new Map(), ofNetwork: new Map(), shortened: new Map() };
      seen.set(name, ofMinute);
    }
    return limited(line, ofMinute);
  };
}

function limited(line: NewLine, { ids, ofNetwork, shortened }: Seen): RequestLine {
  const text = textOf(line);
  const known = ids.get(text);
  if (known !== undefined) return { ...line, id: known };
  const count = ofNetwork.get(line.network) ?? 0;
  if (count < MOST_OF_NETWORK && ids.size < MOST_LINES_A_MINUTE) {
    ofNetwork.set(line.network, count + 1);
    return withId(line, text, ids);
  }
  const short = { ...line, facts: withoutDetails(line.facts), network: '', program: '' };
  return withId(short, textOf(short), shortened);
}

// The digest is made once for equal lines: it would take as long as all the rest.
function withId(line: NewLine, text: string, ids: Map<string, string>): RequestLine {
  const id = ids.get(text) ?? idOf(line, text);
  ids.set(text, id);
  return { ...line, id };
}

function withoutDetails({ endpoint, outcome, status, error, broken }: RequestFacts): RequestFacts {
  return {
    endpoint,
    outcome,
    status,
    ...(error !== undefined && { error }),
    broken: broken.map(({ rule }) => ({ rule })),
    isShortened: true,
  };
}

/**
 * Make the function that says whether another token, path or status of an application gets a line of its own. It
 * is asked for each request of the API, so it makes nothing.
 */
export function readLimit(): (clientId: string, at: Timestamp, key: string) => boolean {
  const seen = new BoundedMap<string, { until: Timestamp; keys: Set<string> }>(IN_MEMORY);
  return (clientId, at, key) => {
    let ofMinute = seen.get(clientId);
    if (ofMinute === undefined || at >= ofMinute.until) {
      ofMinute = { until: at - (at % MINUTE) + MINUTE, keys: new Set() };
      seen.set(clientId, ofMinute);
    }
    if (ofMinute.keys.size >= MOST_LINES_A_MINUTE) return ofMinute.keys.has(key);
    ofMinute.keys.add(key);
    return true;
  };
}
