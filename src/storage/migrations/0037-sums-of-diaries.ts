// How many requests each hour of an access diary has, so that pages don't add up its lines, an index for the last
// place of a sign-in, and when a member last switched the diary on or off.

import type { Migration } from './migration.ts';

const words = {
  sqlite: { text: 'text', clustered: ' WITHOUT ROWID' },
  postgres: { text: 'text COLLATE "C"', clustered: '' },
};

export const sumsOfDiaries: Migration = {
  name: '0037-sums-of-diaries',
  up(dialect) {
    const { text, clustered } = words[dialect];
    return [
      `CREATE TABLE diary_hours (
        hour bigint NOT NULL,
        user_id bigint NOT NULL,
        client_id ${text} NOT NULL,
        requests bigint NOT NULL,
        last_at bigint NOT NULL,
        PRIMARY KEY (hour, user_id, client_id)
      )${clustered}`,
      `INSERT INTO diary_hours (hour, user_id, client_id, requests, last_at)
        SELECT hour, user_id, client_id, cast(sum(requests) AS bigint), max(last_at) FROM access_diary
        GROUP BY hour, user_id, client_id`,
      'ALTER TABLE users ADD COLUMN diary_since bigint',
      "CREATE INDEX access_diary_of_sign_ins ON access_diary (source, hour) WHERE client_id <> ''",
      // A cached account has a new column.
      ...(dialect === 'postgres'
        ? []
        : [
            'DROP TRIGGER note_diary_choices',
            `CREATE TRIGGER note_diary_choices AFTER UPDATE OF keeps_diary, diary_since ON users
              BEGIN INSERT INTO changes (kind, key) SELECT 'user', NEW.id; END`,
          ]),
    ];
  },
};
