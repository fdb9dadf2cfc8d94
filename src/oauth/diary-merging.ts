// Bringing batches of requests into the access diary. A member's requests of many batches become few lines there,
// which costs far less than writing each batch into it. Each line is added exactly once, also after a crash and if
// several processes do it at once: the database records how far it has got.

import { createHmac, randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { BoundedMap } from '../lib/remember.ts';
import type { DiaryBatch, DiaryLine, PendingDiary } from './access-diary-store.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { readBatch } from './diary-batch.ts';
import { addLine, joined, nameOf, withoutPlace } from './diary-line.ts';

// Of up to about a megabyte each. More would take too much memory.
const MOST_BATCHES = 30;
// A transaction of SQLite holds up every other request, so it takes a millisecond or two.
const LINES_AT_ONCE = 200;
/** Without these limits, a member could fill the disk. So many lines of an hour have a network and a program. */
export const MOST_PLACES_AN_HOUR = 40;
/** So many lines of an hour tell the sign-in or the API token. Further requests are only counted. */
export const MOST_LINES_AN_HOUR = 100;
const MEMBERS_IN_MEMORY = 10_000;

/** Make the function that brings all waiting batches into the diary. It returns how many lines it added. */
export function diaryMerger({ reads, writes }: AuthorizationServer): () => Promise<number> {
  const bounded = lineLimit();
  async function merge({ batches, version, done }: PendingDiary): Promise<number> {
    const batchIds = batches.map(({ id }) => id);
    const lines = await linesOf(batches);
    for (let step = 0, start = done; start < lines.length; step += 1, start += LINES_AT_ONCE) {
      const end = Math.min(start + LINES_AT_ONCE, lines.length);
      const isDone = await writes.mergeIntoDiary({
        version: version + step,
        batchIds,
        lines: joined(lines.slice(start, end).map(bounded)),
        done: end,
        isLast: end === lines.length,
      });
      // Another process is at it.
      if (!isDone) return 0;
    }
    return lines.length;
  }
  return async () => {
    let count = 0;
    for (;;) {
      const pending = await reads.pendingDiary(MOST_BATCHES);
      if (pending.batches.length === 0) return count;
      const added = await merge(pending);
      count += added;
      // What came meanwhile can wait for the next round, and becomes fewer lines until then.
      if (added === 0 || pending.batches.length < MOST_BATCHES) return count;
    }
  };
}

/** The same lines in the same order at every call: a crash can come between two steps. */
async function linesOf(batches: readonly DiaryBatch[]): Promise<DiaryLine[]> {
  const lines = new Map<string, DiaryLine>();
  for (const batch of batches) {
    for (const line of readBatch(batch.lines)) addLine(lines, line);
    await nextTurn();
  }
  // Neighbours in the table are written together.
  return [...lines.values()].toSorted((a, b) => a.hour - b.hour || a.userId - b.userId);
}

function lineLimit() {
  // Names are remembered as numbers, which take less memory. With the key, nobody can make names that share one.
  const key = randomBytes(32);
  const numberOf = (name: string) => createHmac('sha256', key).update(name).digest().readUIntBE(0, 6);
  const members = new BoundedMap<string, Set<number>>(MEMBERS_IN_MEMORY);
  return (line: DiaryLine): DiaryLine => {
    const hour = `${line.userId} ${line.hour}`;
    const names = members.get(hour) ?? new Set();
    members.set(hour, names);
    const fits = (candidate: DiaryLine, most: number) => {
      const name = numberOf(nameOf(candidate));
      if (names.size < most) names.add(name);
      return names.has(name);
    };
    if (fits(line, MOST_PLACES_AN_HOUR)) return line;
    const placeless = withoutPlace(line);
    return fits(placeless, MOST_LINES_AN_HOUR) ? placeless : { ...placeless, source: '' };
  };
}
