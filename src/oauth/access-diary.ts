// The access diary: which application or API token read what of a member, when, and from where. Requests are
// collected in memory for half a second and then stored as a batch, so that no answer waits for the database.
// `diary-merging.ts` brings the batches into the diary.

import type { MemberDoer } from '../audit/doer.ts';
import { openBatches } from '../lib/batches.ts';
import { DAY, HOUR } from '../lib/clock.ts';
import { networkToShow } from '../lib/network.ts';
import { programName } from '../lib/program-name.ts';
import { memoize } from '../lib/remember.ts';
import type { DiaryLine, Reading } from './access-diary-store.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { Principal } from './bearer-token.ts';
import { writeBatch } from './diary-batch.ts';
import { addTo, joined, withoutPlace } from './diary-line.ts';

/** How long the diary is kept. */
export const DIARY_LIFETIME = 30 * DAY;

/** What a request read, and where it came from. */
export interface DiaryRequest {
  reading: Reading;
  /** The HTTP status of the answer. */
  status: number;
  /** How many posts the answer held. */
  posts: number;
  address: string;
  userAgent: string | undefined;
  /** Refused as too many. This costs the sender nothing, so these requests share a line whatever the program. */
  isLimited?: boolean;
}

export interface AccessDiary {
  /** Notes a request. A crash loses what was noted in the last second, or while the database can't be written. */
  note(principal: Principal, request: DiaryRequest): void;
  /** Stores what was noted. */
  flush(): Promise<void>;
  /** Stores what was noted, and ignores later requests. */
  close(): Promise<void>;
}

const PAUSE = 500;
// Takes some 30 megabytes of memory. So many requests of different tokens don't come in half a second.
const MOST_WAITING = 100_000;
// Batches that wait to be brought into the diaries. Further ones are kept small: they have no networks and programs.
const MOST_BACKLOG = 300;
const NAMES_IN_MEMORY = 1000;

/** Open the diary. `onFailure` is called for lines that could not be stored; they are tried again. */
export function openDiary({ writes }: AuthorizationServer, onFailure: (error: unknown) => void): AccessDiary {
  let backlog = 0;
  const { get, set, flush, close } = openBatches<DiaryLine>({
    async write(batch) {
      const lines = backlog < MOST_BACKLOG ? batch.values() : joined(batch.values().map(withoutPlace));
      backlog = await writes.addDiaryBatch(writeBatch(lines));
      batch.clear();
    },
    onFailure,
    pause: PAUSE,
    most: MOST_WAITING,
    join: addTo,
  });
  const programOf = memoize(programName, NAMES_IN_MEMORY);
  // Enough to recognise a place, and too little to follow a person.
  const networkOf = memoize((address: string) => networkToShow(address) ?? '', NAMES_IN_MEMORY);
  return {
    note(principal, { reading, status, posts, address, userAgent, isLimited = false }) {
      const { user, tokenKey, clientId, source, checkedAt } = principal;
      if (!user.keepsDiary) return;
      const hour = checkedAt - (checkedAt % HOUR);
      const network = isLimited ? '' : networkOf(address);
      const program = isLimited ? '' : programOf(userAgent);
      const key = `${tokenKey}${hour}${reading}${status} ${network} ${program}`;
      const line = get(key);
      if (line !== undefined) {
        line.requests += 1;
        line.posts += posts;
        line.lastAt = checkedAt;
        return;
      }
      const times = { hour, firstAt: checkedAt, lastAt: checkedAt };
      const what = { clientId, source, reading, status, network, program };
      set(key, { userId: user.id, ...what, ...times, requests: 1, posts });
    },
    flush,
    close,
  };
}

/** Decide whether one's own diary is kept. Switching it off deletes what it has. */
export function keepOwnDiary(by: MemberDoer, { writes }: AuthorizationServer, keeps: boolean): Promise<void> {
  return writes.keepDiary(by, keeps);
}
