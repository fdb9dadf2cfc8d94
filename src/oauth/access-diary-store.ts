// The port for the access diary.

import type { MemberDoer } from '../audit/doer.ts';
import type { Timestamp } from '../lib/clock.ts';

/** What an answer of the API held. */
export const READINGS = ['service', 'profile', 'posts', 'subject', 'claims'] as const;
export type Reading = (typeof READINGS)[number];

/** The equal requests of one hour: of one sign-in or API token, with the same answer, from the same place. */
export interface DiaryLine {
  userId: number;
  /** The beginning of the hour, in UTC. */
  hour: Timestamp;
  /** Empty for an API token. */
  clientId: string;
  /** The key of the sign-in (`TokenFamily`), or the id of the API token. Empty if the hour has far too many lines. */
  source: string;
  reading: Reading;
  /** The HTTP status of the answers. */
  status: number;
  /** The network that the requests came from, such as 192.0.2.0/24. Empty if the hour has too many lines. */
  network: string;
  /** The program that sent them. Empty if it is unknown, or if the hour has too many lines. */
  program: string;
  requests: number;
  /** How many posts the answers held together. */
  posts: number;
  firstAt: Timestamp;
  lastAt: Timestamp;
}

/** A part of a member's diary, newest first. */
export interface DiaryPart {
  userId: number;
  /** Only of this application; `''` for API tokens, undefined for everything. */
  clientId?: string | undefined;
  /** From this moment… */
  from: Timestamp;
  /** … to just before this one. */
  until: Timestamp;
  limit: number;
}

/** A day, which begins and ends where the time zone has midnight. */
export interface DiaryDay {
  beginsAt: Timestamp;
  endsAt: Timestamp;
}

/** The requests of one application on a day, or those of all API tokens. */
export interface DiarySum extends Pick<DiaryLine, 'clientId' | 'requests' | 'lastAt'> {
  /** The beginning of the day. */
  beginsAt: Timestamp;
}

/** Where sign-ins were last used. */
export interface DiarySources {
  userId: number;
  clientId: string;
  sources: readonly string[];
}

/** Lines that a process has collected. `diary-batch.ts` writes and reads them. */
export interface DiaryBatch {
  id: number;
  lines: string;
}

/** The batches to bring into the diary, and how far that has got. */
export interface PendingDiary {
  /** Grows with each step of any process. */
  version: number;
  /** Those that were begun, or else the oldest. */
  batches: DiaryBatch[];
  /** How many of their lines are in the diary. */
  done: number;
}

/** A step in bringing batches into the diary. */
export interface DiaryStep {
  version: number;
  batchIds: readonly number[];
  lines: readonly DiaryLine[];
  /** How many of the batches' lines are in the diary after this step. */
  done: number;
  /** Whether these are all. Then the batches are deleted. */
  isLast: boolean;
}

export interface AccessDiaryReads {
  /** The newest lines of a part of the diary. The newest requests are missing for some seconds. */
  diaryLines(part: DiaryPart): Promise<DiaryLine[]>;
  /** The sums of days of a member's diary. */
  diarySums(userId: number, days: readonly DiaryDay[]): Promise<DiarySum[]>;
  /** The lines of the last hour in which each of these sign-ins was used, the newest last. */
  lastLinesOf(signIns: DiarySources): Promise<DiaryLine[]>;
  /** At most `most` batches, unless others were begun. */
  pendingDiary(most: number): Promise<PendingDiary>;
}

export interface AccessDiaryWrites {
  /** Stores a batch, and returns how many others wait. */
  addDiaryBatch(lines: string): Promise<number>;
  /**
   * Adds the lines to the diary, and their numbers to the lines that it has. Leaves out members who keep no diary
   * and closed accounts. False, and nothing done, if another step was made since `version` was read.
   */
  mergeIntoDiary(step: DiaryStep): Promise<boolean>;
  /** Decides whether a member's diary is kept. Switching it off deletes what it has. */
  keepDiary(by: MemberDoer, keeps: boolean): Promise<void>;
}
