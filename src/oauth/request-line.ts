// A line of the request inspector, and how many different ones an application gets in a minute. Anyone can send
// requests in its name, so without a limit a stranger could push out what its developer looks for. Requests beyond the
// limit share lines without details.

import { MINUTE, type Timestamp } from '../lib/clock.ts';
import { BoundedMap } from '../lib/remember.ts';
import { digestOf } from '../lib/secrets.ts';
import type { RequestFacts, RequestLine } from './request-inspector-store.ts';
import { masked } from './request-masking.ts';

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

// Masking takes longer than all the rest, and a stranger can send new values with each request.
const MOST_MASKED_A_MINUTE = 10 * MOST_LINES_A_MINUTE;

/** The lines of an application in a minute, of one kind and endpoint. */
interface Seen {
  /** The ids by the digests of what came. */
  ids: Map<string, string>;
  /** What the lines say, masked, by their ids. */
  facts: Map<string, RequestFacts>;
  ofNetwork: Map<string, number>;
  /** The ids of lines without details, of which there are few, by what they say. */
  shortened: Map<string, string>;
}

/**
 * Make the function that completes a line, with its facts masked, or without details if its minute has too many
 * already.
 */
export function lineLimit(): (line: NewLine) => RequestLine {
  let minute = 0;
  let seen = new BoundedMap<string, Seen>(IN_MEMORY);
  return (line) => {
    if (line.minute !== minute) {
      minute = line.minute;
      seen = new BoundedMap(IN_MEMORY);
    }
    const name = `${line.clientId} ${line.kind} ${line.facts.endpoint}`;
    let ofMinute = seen.get(name);
    if (ofMinute === undefined) {
      ofMinute = { ids: new Map(), facts: new Map(), ofNetwork: new Map(), shortened: new Map() };
      seen.set(name, ofMinute);
    }
    return limited(line, ofMinute);
  };
}

function limited(line: NewLine, { ids, facts, ofNetwork, shortened }: Seen): RequestLine {
  const key = keyOf(line);
  const known = ids.get(key);
  if (known !== undefined) return { ...line, facts: facts.get(known) ?? line.facts, id: known };
  const count = ofNetwork.get(line.network) ?? 0;
  const isFull =
    count >= MOST_OF_NETWORK || facts.size >= MOST_LINES_A_MINUTE || ids.size >= MOST_MASKED_A_MINUTE;
  if (isFull) return withoutDetailsOf(line, shortened);
  const full = lineOf({ ...line, facts: { ...line.facts, broken: line.facts.broken.map(masked) } });
  if (!facts.has(full.id)) ofNetwork.set(line.network, count + 1);
  facts.set(full.id, full.facts);
  ids.set(key, full.id);
  return full;
}

// The digest keeps what came, which can be long or secret, out of memory. What is registered follows from it.
function keyOf(line: NewLine): string {
  const broken = line.facts.broken.map((rule) => ({ ...rule, expected: [] }));
  const text = textOf({ ...line, facts: { ...line.facts, broken } });
  return broken.length === 0 ? text : digestOf(text);
}

// The digest is made once for equal lines: it would take as long as all the rest.
function withoutDetailsOf(line: NewLine, ids: Map<string, string>): RequestLine {
  const short = { ...line, facts: withoutDetails(line.facts), network: '', program: '' };
  const text = textOf(short);
  const id = ids.get(text) ?? idOf(line, text);
  ids.set(text, id);
  return { ...short, id };
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
