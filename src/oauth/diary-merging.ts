// Bringing batches of requests into the access diary. A member's requests of many batches become few lines there,
// which costs far less than writing each batch into it. Each line is added exactly once, also after a crash and if
// several processes do it at once: the database records how far it has got.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { BoundedMap } from '../lib/remember.ts';
import { addTo } from './access-diary.ts';
import type { DiaryBatch, DiaryLine } from './access-diary-store.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { readBatch } from './diary-batch.ts';

// Of up to about a megabyte each. More would take too much memory.
const MOST_BATCHES = 30;
// A transaction of SQLite holds up every other request, so it takes a millisecond or two.
const LINES_AT_ONCE = 200;
/** Without this limit, a member could fill the disk. More lines of an hour are kept without their places. */
export const MOST_LINES_AN_HOUR = 100;
const MEMBERS_IN_MEMORY = 10_000;

/** Make the function that brings waiting batches into the diary. It returns how many lines it added. */
export function diaryMerger({ reads, writes }: AuthorizationServer): () => Promise<number> {
  const bounded = lineLimit();
  return async () => {
    const { batches, version, done } = await reads.pendingDiary(MOST_BATCHES);
    if (batches.length === 0) return 0;
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

function joined(lines: readonly DiaryLine[]): DiaryLine[] {
  const distinct = new Map<string, DiaryLine>();
  for (const line of lines) addLine(distinct, line);
  return [...distinct.values()];
}

function addLine(lines: Map<string, DiaryLine>, line: DiaryLine): void {
  const name = nameOf(line);
  const earlier = lines.get(name);
  lines.set(name, earlier === undefined ? line : addTo(earlier, line));
}

function nameOf({ userId, hour, clientId, source, reading, status, network, program }: DiaryLine): string {
  return `${userId} ${hour} ${clientId} ${source} ${reading} ${status} ${network} ${program}`;
}

function lineLimit() {
  const members = new BoundedMap<string, Set<number>>(MEMBERS_IN_MEMORY);
  return (line: DiaryLine): DiaryLine => {
    const hour = `${line.userId} ${line.hour}`;
    const names = members.get(hour) ?? new Set();
    members.set(hour, names);
    const name = crc32(nameOf(line));
    if (names.size < MOST_LINES_AN_HOUR) names.add(name);
    return names.has(name) ? line : { ...line, source: '', network: '', program: '' };
  };
}
