// Taking records in, a batch at a time: what a batch has of each kind goes in together, so that many share a commit.

import type { Community } from '../community/community.ts';
import type { Identity } from '../identity/identity.ts';
import type { Clock } from '../lib/clock.ts';
import { type People, peopleFor } from './people.ts';
import type { Found, ImportRecord, Reading, RecordKind } from './record.ts';
import type { Report } from './report.ts';
import { takeCategories } from './taking-categories.ts';
import { takeComments } from './taking-comments.ts';
import { takeLikes } from './taking-likes.ts';
import { takeMembers } from './taking-members.ts';
import { takePosts } from './taking-posts.ts';

/** The rooms that take records in: those of the house, or ones that only say what would happen. */
export interface Rooms {
  identity: Identity;
  community: Community;
  clock: Clock;
}

/** What every kind of record is taken with. */
export interface Taking extends Rooms {
  source: string;
  isForeign: boolean;
  /** Members of the other program who have an account here: its name, by their name there. */
  united: ReadonlyMap<string, string>;
  people: People;
  /** The numbers of categories, by their names as they are written. */
  categories: Map<string, number | undefined>;
  report: Report;
}

// Enough to share a commit, and few enough to be held whatever they are.
const AT_ONCE = 250;

/** Takes everything in that is found. `onBatch` is called after each batch, whose records are durable then. */
export async function takeAll(
  rooms: Rooms,
  { isForeign, found }: Reading,
  given: Pick<Taking, 'source' | 'united' | 'report'>,
  onBatch: () => void,
): Promise<void> {
  const people = peopleFor(rooms.identity, rooms.community, given.source);
  const taking: Taking = { ...rooms, ...given, isForeign, people, categories: new Map() };
  let batch: Found[] = [];
  try {
    for await (const each of found) {
      batch.push(each);
      if (batch.length < AT_ONCE) continue;
      const whole = batch;
      batch = [];
      await take(taking, whole);
      onBatch();
    }
  } finally {
    // Also of a file that turns out to be damaged: what came before is good.
    await take(taking, batch);
    onBatch();
  }
}

async function take(taking: Taking, batch: readonly Found[]): Promise<void> {
  for (const each of batch) {
    const { place, kind } = each;
    if (kind === 'refused') {
      taking.report.tell({ outcome: 'refused', ...place, kind: each.of, id: each.id, reason: each.reason });
    } else if (kind === 'skipped') taking.report.tell({ outcome: 'skipped', ...place, reason: each.what });
  }
  await takeCategories(taking, ofKind(batch, 'category'));
  await takeMembers(taking, ofKind(batch, 'member'));
  await takePosts(taking, ofKind(batch, 'post'));
  await takeComments(taking, ofKind(batch, 'comment'));
  await takeLikes(taking, ofKind(batch, 'like'));
}

function ofKind<K extends RecordKind>(
  batch: readonly Found[],
  kind: K,
): Extract<ImportRecord, { kind: K }>[] {
  return batch.filter((each): each is Extract<ImportRecord, { kind: K }> => each.kind === kind);
}
