// Writes very many rows straight into the tables; through the stores it would take hours.

import type { DatabaseSync } from 'node:sqlite';
import { DAY, HOUR } from '../src/lib/clock.ts';
import { MARKDOWN_VERSION } from '../src/lib/markdown.ts';
import { mintToken } from '../src/oauth/token.ts';
import { digestColumn } from '../src/storage/oauth/digest-column.ts';
import type { SignedIn } from './community.ts';

const SCOPES = 'profile:read posts:read';

/** Add members; their ids begin at 1. */
export function addManyMembers(database: DatabaseSync, count: number): void {
  preferSpeed(database);
  database
    .prepare(
      `INSERT INTO users (username, username_key, password_hash, bio, is_operator, created_at)
       SELECT 'member-' || value, 'member-' || value, 'none', 'Reads a lot', value = 1, unixepoch() * 1000
       FROM ${series(count)}`,
    )
    .run();
}

/** Add posts by this many members in turn; `first` is the first member's id. */
export function addManyPosts(database: DatabaseSync, count: number, members: number, first = 1): void {
  preferSpeed(database);
  database
    .prepare(
      // With their HTML, as saved posts have it. Otherwise the server would render texts while its speed is measured.
      `INSERT INTO posts (user_id, category_id, status, title, body, excerpt, html, html_version, language, created_at,
         updated_at, published_at, heat)
       SELECT ? + value % ?, 1, 'published', 'Post ' || value, 'Some words about a thing.', 'Some words about a thing.',
              '<p>Some words about a thing.</p>', ${MARKDOWN_VERSION},
              CASE WHEN value % 10 = 0 THEN 'zh' ELSE 'en' END,
              moment, moment, moment, moment
       FROM (SELECT value, unixepoch() * 1000 - 1000 * value AS moment FROM ${series(count)})`,
    )
    .run(first, members);
}

/** Add words to all posts: some that all have, one of five hundred topics, and a Chinese word in one of ten. */
export function addManyWords(database: DatabaseSync): void {
  preferSpeed(database);
  database.exec(
    `INSERT INTO post_words
     SELECT id, 'post ' || id || ' some words about bread and topic' || (id % 500) ||
            CASE WHEN id % 10 = 0 THEN ' 面 包 很 好' ELSE ' 包 里 有 面' END
     FROM posts`,
  );
}

/** Add tags: each post has one of so many, and one post in nine has the tag `common` too. */
export function addManyTags(database: DatabaseSync, count: number): void {
  preferSpeed(database);
  database.exec(
    `INSERT INTO tags (id, name) SELECT value, 'tag-' || value FROM ${series(count)};
     INSERT INTO tags (id, name) VALUES (${count + 1}, 'common');
     UPDATE posts SET tags = CASE WHEN id % 9 = 0 THEN json_array('tag-' || (1 + id % ${count}), 'common')
                                  ELSE json_array('tag-' || (1 + id % ${count})) END;
     INSERT INTO post_tags (post_id, tag_id, published_at, language, popularity)
     SELECT id, 1 + id % ${count}, published_at, language, heat FROM posts
     UNION ALL SELECT id, ${count + 1}, published_at, language, heat FROM posts WHERE id % 9 = 0;
     UPDATE tags SET post_count = (SELECT count(*) FROM post_tags WHERE post_tags.tag_id = tags.id)`,
  );
}

/** Let the members with these ids follow others, some members and some tags, whose numbers are spread evenly. */
export function addManyFollows(
  database: DatabaseSync,
  { from, to }: { from: number; to: number },
  { members, tags }: { members: number; tags: number },
): void {
  preferSpeed(database);
  const [users, words] = ['users', 'tags'].map((table) => `(SELECT max(id) FROM ${table})`);
  database.exec(
    `INSERT OR IGNORE INTO member_follows (user_id, member_id, created_at)
     SELECT id, 1 + (id + value * ${users} / ${members + 1}) % ${users}, unixepoch() * 1000
     FROM users, ${series(members)} WHERE id BETWEEN ${from} AND ${to};
     INSERT OR IGNORE INTO tag_follows (user_id, tag_id, created_at)
     SELECT users.id, 1 + (users.id + value * ${words} / ${tags + 1}) % ${words}, unixepoch() * 1000
     FROM users, ${series(tags)} WHERE users.id BETWEEN ${from} AND ${to} AND ${tags} > 0`,
  );
}

/** Let the members up to this id bookmark posts of all ages. */
export function addManyBookmarks(database: DatabaseSync, members: number, each: number): void {
  preferSpeed(database);
  database.exec(
    `INSERT OR IGNORE INTO bookmarks (post_id, user_id, created_at)
     SELECT 1 + (users.id + value * (SELECT max(id) FROM posts) / ${each + 1}) % (SELECT max(id) FROM posts), users.id,
            unixepoch() * 1000 - value
     FROM users, ${series(each)} WHERE users.id <= ${members}`,
  );
}

/** Add a sign-in for each member, with consent, an access token and a refresh token. */
export function addManySignIns(
  database: DatabaseSync,
  brand: string,
  clientId: string,
  members: number,
): SignedIn[] {
  preferSpeed(database);
  const family = database.prepare(
    `INSERT INTO token_families (key, client_id, user_id, scopes, authenticated_at, refresh_digest, rotated_at,
       refresh_expires_at, issued_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const token = database.prepare(
    'INSERT INTO access_tokens (key, digest, family_key, scopes, expires_at) VALUES (?, ?, ?, ?, ?)',
  );
  const now = Date.now();
  database.exec('BEGIN');
  database
    .prepare(
      `INSERT INTO grants (user_id, client_id, scopes, granted_at, consented_at, last_authorized_at)
       SELECT id, ?, ?, ?, ?, ? FROM users`,
    )
    .run(clientId, SCOPES, now, now, now);
  const signIns = Array.from({ length: members }, (_, index) => {
    // Keys contain the time of their creation: these are a millisecond apart.
    const at = now - members + index;
    const refresh = mintToken('refresh', brand, at);
    const access = mintToken('access', brand, at);
    const digest = digestColumn(refresh.digest);
    family.run(refresh.key, clientId, index + 1, SCOPES, at, digest, at, at + 30 * DAY, at, at + 365 * DAY);
    token.run(access.key, digestColumn(access.digest), refresh.key, SCOPES, now + 12 * HOUR);
    return { access: access.text, refresh: refresh.text };
  });
  database.exec('COMMIT');
  return signIns;
}

/** Add tokens that expired yesterday to existing sign-ins. */
export function addExpiredTokens(database: DatabaseSync, count: number): void {
  preferSpeed(database);
  const families = database.prepare('SELECT key FROM token_families LIMIT ?').all(count);
  const token = database.prepare(
    'INSERT INTO access_tokens (key, digest, family_key, scopes, expires_at) VALUES (?, ?, ?, ?, ?)',
  );
  const yesterday = Date.now() - DAY;
  database.exec('BEGIN');
  for (const [index, { key }] of families.entries()) {
    const { key: tokenKey, digest } = mintToken('access', 'any', yesterday - families.length + index);
    token.run(tokenKey, digestColumn(digest), key as string, SCOPES, yesterday);
  }
  database.exec('COMMIT');
}

/** Write everything to disk, and close the database. */
export function settle(database: DatabaseSync, close = true): void {
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  if (close) database.close();
}

function preferSpeed(database: DatabaseSync): void {
  database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; PRAGMA busy_timeout = 5000');
}

function series(count: number): string {
  return `(WITH RECURSIVE series(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM series WHERE value < ${count})
           SELECT value FROM series)`;
}
