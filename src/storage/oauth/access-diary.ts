// The access diary: one row for the equal requests of an hour, one for the sum of an application's requests in an
// hour, and the batches that wait to become such rows. The keys of both begin with the hour, so rows are added at the
// end of the tables and purged from their beginnings. A member's diary is read hour by hour.

import { DAY, HOUR, type Timestamp } from '../../lib/clock.ts';
import type {
  AccessDiaryReads,
  AccessDiaryWrites,
  DiaryBatch,
  DiaryLine,
  DiaryPart,
  DiarySources,
  DiarySum,
} from '../../oauth/access-diary-store.ts';
import { NO_ENTRY, ownAct } from '../audit/audit-trail.ts';
import { securityEvent } from '../audit/security-events.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { type Bound, type Dialect, fragment, sql } from '../engine/sql.ts';

export function accessDiaryRows(database: Database): AccessDiaryReads & AccessDiaryWrites {
  const { dialect } = database;
  return {
    async diaryLines({ clientId, ...part }) {
      const hours = { ...part, firstHour: hourOf(part.from) };
      if (clientId === undefined) return database.rows(selectLines(hours));
      return database.rows(selectLinesOfClient({ ...hours, clientId }));
    },
    async diarySums(userId, days) {
      const json = JSON.stringify(days.map(({ beginsAt, endsAt }) => [beginsAt, endsAt]));
      return database.rows(selectSums[dialect]({ userId, days: json }));
    },
    async lastLinesOf({ sources, ...of }) {
      return database.rows(selectLastLines[dialect]({ ...of, sources: JSON.stringify(sources) }));
    },
    async pendingDiary(most) {
      const { version = 0, batches = '', done = 0 } = (await database.first(selectMerge())) ?? {};
      if (batches === '') return { version, batches: await database.rows(selectBatches({ most })), done: 0 };
      const begun = await database.rows(selectBegunBatches[dialect]({ batches }));
      return { version, batches: begun, done };
    },
    async addDiaryBatch(lines) {
      const { rows } = await database.atomically({ audit: NO_ENTRY, guard: insertBatch({ lines }) });
      return rows[0]?.waiting ?? 0;
    },
    async mergeIntoDiary({ version, batchIds, lines, done, isLast }) {
      const batches = JSON.stringify(batchIds);
      const effects = additionOf[dialect](lines);
      if (isLast) effects.push(deleteBatches[dialect]({ batches }));
      const guard = advanceMerge({ version, done, batches: isLast ? '' : batches });
      return runGuarded(database, { audit: NO_ENTRY, guard, effects });
    },
    async keepDiary(by, keeps) {
      const { userId, at, address } = by;
      const event = keeps ? 'diary_switched_on' : 'diary_switched_off';
      await database.atomically({
        audit: ownAct(by),
        guard: setKeepsDiary({ userId, keeps: keeps ? 1 : 0, at }),
        effects: keeps ? [] : diaryDeletion(userId, at),
        events: [securityEvent({ event, at, userId, address })],
      });
    },
  };
}

const selectMerge = sql<void, { version: number; batches: string; done: number }>`
  SELECT version, batches, done FROM diary_merge`;

const advanceMerge = sql<{ version: number; batches: string; done: number }>`
  UPDATE diary_merge SET version = version + 1, batches = :batches, done = :done WHERE version = :version`;

// Batches have consecutive numbers, and the oldest are deleted first.
const insertBatch = sql<{ lines: string }, { waiting: number }>`
  INSERT INTO diary_batches (lines) VALUES (:lines)
  RETURNING id - coalesce((SELECT min(id) FROM diary_batches), id) AS waiting`;

const selectBatches = sql<{ most: number }, DiaryBatch>`
  SELECT id, lines FROM diary_batches ORDER BY id LIMIT cast(:most AS bigint)`;

const BATCH_IDS = {
  sqlite: fragment`SELECT value FROM json_each(:batches)`,
  postgres: fragment`SELECT cast(value AS bigint) FROM json_array_elements_text(cast(:batches AS json))`,
};

const selectBegunBatches = {
  sqlite: sql<{ batches: string }, DiaryBatch>`
    SELECT id, lines FROM diary_batches WHERE id IN (${BATCH_IDS.sqlite}) ORDER BY id`,
  postgres: sql<{ batches: string }, DiaryBatch>`
    SELECT id, lines FROM diary_batches WHERE id IN (${BATCH_IDS.postgres}) ORDER BY id`,
};

const deleteBatches = {
  sqlite: sql<{ batches: string }>`DELETE FROM diary_batches WHERE id IN (${BATCH_IDS.sqlite})`,
  postgres: sql<{ batches: string }>`DELETE FROM diary_batches WHERE id IN (${BATCH_IDS.postgres})`,
};

const INTO_DIARY = fragment`
  INSERT INTO access_diary
    (hour, user_id, client_id, source, reading, status, network, program, requests, posts, first_at, last_at)`;

// Requests from before the member switched the diary off, also if it is on again, or closed the account leave no line.
const OF_KEEPERS = fragment`users.keeps_diary = 1 AND users.status <> 'closed'`;

const ADD_NUMBERS = fragment`
  ON CONFLICT (hour, user_id, client_id, source, reading, status, network, program) DO UPDATE SET
    requests = access_diary.requests + excluded.requests,
    posts = access_diary.posts + excluded.posts,
    last_at = CASE WHEN excluded.last_at > access_diary.last_at THEN excluded.last_at ELSE access_diary.last_at END`;

const upsertLines = {
  sqlite: sql<DiaryLine>`
    ${INTO_DIARY}
    SELECT :hour, users.id, :clientId, :source, :reading, :status, :network, :program, :requests, :posts,
      :firstAt, :lastAt
    FROM users
    WHERE users.id = :userId AND ${OF_KEEPERS} AND coalesce(users.diary_since, 0) <= :lastAt
    ${ADD_NUMBERS}`,
  postgres: sql<{ lines: string }>`
    ${INTO_DIARY}
    SELECT line.hour, users.id, line."clientId", line.source, line.reading, line.status, line.network,
      line.program, line.requests, line.posts, line."firstAt", line."lastAt"
    FROM json_to_recordset(cast(:lines AS json)) AS line (
      hour bigint, "userId" bigint, "clientId" text, source text, reading text, status integer, network text,
      program text, requests bigint, posts bigint, "firstAt" bigint, "lastAt" bigint)
    JOIN users ON users.id = line."userId"
    WHERE ${OF_KEEPERS} AND coalesce(users.diary_since, 0) <= line."lastAt"
    ${ADD_NUMBERS}`,
};

const INTO_HOURS = fragment`INSERT INTO diary_hours (hour, user_id, client_id, requests, last_at)`;

const ADD_TO_HOUR = fragment`
  ON CONFLICT (hour, user_id, client_id) DO UPDATE SET
    requests = diary_hours.requests + excluded.requests,
    last_at = CASE WHEN excluded.last_at > diary_hours.last_at THEN excluded.last_at ELSE diary_hours.last_at END`;

const upsertHours = {
  sqlite: sql<Pick<DiaryLine, 'hour' | 'userId' | 'clientId' | 'requests' | 'lastAt'>>`
    ${INTO_HOURS}
    SELECT :hour, users.id, :clientId, :requests, :lastAt
    FROM users
    WHERE users.id = :userId AND ${OF_KEEPERS} AND coalesce(users.diary_since, 0) <= :lastAt
    ${ADD_TO_HOUR}`,
  postgres: sql<{ lines: string }>`
    ${INTO_HOURS}
    SELECT line.hour, users.id, line."clientId", cast(sum(line.requests) AS bigint), max(line."lastAt")
    FROM json_to_recordset(cast(:lines AS json)) AS line (
      hour bigint, "userId" bigint, "clientId" text, requests bigint, "lastAt" bigint)
    JOIN users ON users.id = line."userId"
    WHERE ${OF_KEEPERS} AND coalesce(users.diary_since, 0) <= line."lastAt"
    GROUP BY line.hour, users.id, line."clientId"
    ${ADD_TO_HOUR}`,
};

// SQLite reads a value in a third of the time that it takes in JSON. PostgreSQL needs one round trip for all lines.
const additionOf: Record<Dialect, (lines: readonly DiaryLine[]) => Bound<unknown>[]> = {
  sqlite: (lines) => lines.flatMap((line) => [upsertLines.sqlite(line), upsertHours.sqlite(line)]),
  postgres: (lines) => {
    const values = { lines: JSON.stringify(lines) };
    return [upsertLines.postgres(values), upsertHours.postgres(values)];
  },
};

/** Whole hours, from the one of `firstHour` until just before `until`. */
const HOURS = fragment`
  WITH RECURSIVE hours (hour) AS (
    SELECT cast(:firstHour AS bigint)
    UNION ALL SELECT hour + 3600000 FROM hours WHERE hour + 3600000 < :until)`;

// SQLite reads the tables of a CROSS JOIN in this order. With JOIN it would read the diaries of all members.
const OF_MEMBER = fragment`
  FROM hours CROSS JOIN access_diary AS line
  WHERE line.hour = hours.hour AND line.user_id = :userId AND line.last_at >= :from AND line.last_at < :until`;

const LINE = fragment`
  line.hour, line.user_id AS "userId", line.client_id AS "clientId", line.source, line.reading, line.status,
    line.network, line.program, line.requests, line.posts, line.first_at AS "firstAt", line.last_at AS "lastAt"`;

const DIARY = fragment`${HOURS} SELECT ${LINE} ${OF_MEMBER}`;

const NEWEST_FIRST = fragment`ORDER BY line.last_at DESC, line.source, line.reading LIMIT cast(:limit AS bigint)`;

type Hours = DiaryPart & { firstHour: Timestamp };

const selectLines = sql<Omit<Hours, 'clientId'>, DiaryLine>`${DIARY} ${NEWEST_FIRST}`;

const selectLinesOfClient = sql<Hours & { clientId: string }, DiaryLine>`
  ${DIARY} AND line.client_id = :clientId ${NEWEST_FIRST}`;

// An hour in which a day begins belongs to two days. The day of its last request counts.
const HOURS_OF_DAYS = fragment`
  hours (begins_at, ends_at, hour) AS (
    SELECT begins_at, ends_at, begins_at - begins_at % 3600000 FROM days
    UNION ALL SELECT begins_at, ends_at, hour + 3600000 FROM hours WHERE hour + 3600000 < ends_at)
  SELECT hours.begins_at AS "beginsAt", line.client_id AS "clientId",
    cast(sum(line.requests) AS bigint) AS requests, max(line.last_at) AS "lastAt"
  FROM hours CROSS JOIN diary_hours AS line
  WHERE line.hour = hours.hour AND line.user_id = :userId
    AND line.last_at >= hours.begins_at AND line.last_at < hours.ends_at
  GROUP BY hours.begins_at, line.client_id`;

const selectSums = {
  sqlite: sql<{ userId: number; days: string }, DiarySum>`
    WITH RECURSIVE days (begins_at, ends_at) AS (
      SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(:days)),
    ${HOURS_OF_DAYS}`,
  postgres: sql<{ userId: number; days: string }, DiarySum>`
    WITH RECURSIVE days (begins_at, ends_at) AS (
      SELECT cast(value ->> 0 AS bigint), cast(value ->> 1 AS bigint)
      FROM json_array_elements(cast(:days AS json))),
    ${HOURS_OF_DAYS}`,
};

const LAST_LINES = fragment`
  last_hours AS (
    SELECT sources.source, (
      SELECT max(line.hour) FROM access_diary AS line
      WHERE line.client_id <> '' AND line.source = sources.source) AS hour
    FROM sources)
  SELECT ${LINE}
  FROM last_hours CROSS JOIN access_diary AS line
  WHERE line.hour = last_hours.hour AND line.user_id = :userId AND line.client_id = :clientId
    AND line.source = last_hours.source
  ORDER BY line.last_at`;

type Sources = Omit<DiarySources, 'sources'> & { sources: string };

const selectLastLines = {
  sqlite: sql<Sources, DiaryLine>`
    WITH sources (source) AS (SELECT value FROM json_each(:sources)), ${LAST_LINES}`,
  postgres: sql<Sources, DiaryLine>`
    WITH sources (source) AS (SELECT value FROM json_array_elements_text(cast(:sources AS json))), ${LAST_LINES}`,
};

const setKeepsDiary = sql<{ userId: number; keeps: number; at: Timestamp }>`
  UPDATE users SET keeps_diary = :keeps, diary_since = :at
  WHERE id = :userId AND status = 'active' AND keeps_diary <> :keeps`;

interface Deletion {
  userId: number;
  firstHour: Timestamp;
  until: Timestamp;
}

const deleteLines = sql<Deletion>`
  DELETE FROM access_diary WHERE user_id = :userId AND hour IN (${HOURS} SELECT hour FROM hours)`;

const deleteHours = sql<Deletion>`
  DELETE FROM diary_hours WHERE user_id = :userId AND hour IN (${HOURS} SELECT hour FROM hours)`;

// Older hours are purged.
const MOST_HOURS = 32 * DAY;

/** Delete what the diary has of a member, as effects of a transaction. */
export function diaryDeletion(userId: number, at: Timestamp): Bound<unknown>[] {
  const hours = { userId, firstHour: hourOf(at - MOST_HOURS), until: at + HOUR };
  return [deleteLines(hours), deleteHours(hours)];
}

function hourOf(moment: Timestamp): Timestamp {
  return moment - (moment % HOUR);
}
