// The number of a member's published posts is in the member's row. Counting 100,000 posts took 4 ms for each page.

import type { Dialect } from '../engine/sql.ts';
import type { Migration } from './migration.ts';

export const countsOfPosts: Migration = {
  name: '0078-counts-of-posts',
  up: (dialect) => [
    'ALTER TABLE users ADD COLUMN post_count bigint NOT NULL DEFAULT 0',
    // Triggers, because many statements publish, remove and restore posts. On PostgreSQL they come before the counting,
    // since creating them locks the posts against other servers.
    ...TRIGGERS[dialect],
    `UPDATE users SET post_count = counted.posts
      FROM (SELECT user_id, count(*) AS posts FROM posts WHERE status = 'published' GROUP BY user_id) AS counted
      WHERE counted.user_id = users.id`,
  ],
};

const COUNT = 'UPDATE users SET post_count = post_count + 1 WHERE id = NEW.user_id';
const UNCOUNT = 'UPDATE users SET post_count = post_count - 1 WHERE id = OLD.user_id';

const ON_CHANGE = 'AFTER UPDATE OF status, user_id ON posts';
const IS_CHANGED = '(OLD.status <> NEW.status OR OLD.user_id <> NEW.user_id)';
const WHEN_PUBLISHED = `NEW.status = 'published' AND ${IS_CHANGED}`;
const WHEN_REMOVED = `OLD.status = 'published' AND ${IS_CHANGED}`;
const WHEN_DELETED = "OLD.status = 'published'";

const TRIGGERS: Record<Dialect, string[]> = {
  sqlite: [
    `CREATE TRIGGER count_new_posts AFTER INSERT ON posts WHEN NEW.status = 'published' BEGIN ${COUNT}; END`,
    `CREATE TRIGGER count_published_posts ${ON_CHANGE} WHEN ${WHEN_PUBLISHED} BEGIN ${COUNT}; END`,
    `CREATE TRIGGER uncount_removed_posts ${ON_CHANGE} WHEN ${WHEN_REMOVED} BEGIN ${UNCOUNT}; END`,
    `CREATE TRIGGER uncount_deleted_posts AFTER DELETE ON posts WHEN ${WHEN_DELETED} BEGIN ${UNCOUNT}; END`,
    // The lists in memory of the new author, if a post is given to another member by a shell.
    `CREATE TRIGGER note_given_posts AFTER UPDATE OF user_id ON posts WHEN OLD.user_id <> NEW.user_id
      BEGIN INSERT INTO changes (kind, key) VALUES ('posts', NEW.user_id); END`,
  ],
  postgres: [
    // Once for all posts of a statement: changing a row n times in one transaction takes time that grows with n².
    functionThat(
      'count_new_posts',
      `FOR added IN
        SELECT user_id, count(*) AS posts FROM new_posts WHERE status = 'published' GROUP BY user_id ORDER BY user_id
      LOOP UPDATE users SET post_count = post_count + added.posts WHERE id = added.user_id; END LOOP`,
      'DECLARE added record;',
    ),
    functionThat('count_post', COUNT),
    functionThat('uncount_post', UNCOUNT),
    `CREATE TRIGGER count_new_posts AFTER INSERT ON posts REFERENCING NEW TABLE AS new_posts
      FOR EACH STATEMENT EXECUTE FUNCTION count_new_posts()`,
    `CREATE TRIGGER count_published_posts ${ON_CHANGE}
      FOR EACH ROW WHEN (${WHEN_PUBLISHED}) EXECUTE FUNCTION count_post()`,
    `CREATE TRIGGER uncount_removed_posts ${ON_CHANGE}
      FOR EACH ROW WHEN (${WHEN_REMOVED}) EXECUTE FUNCTION uncount_post()`,
    `CREATE TRIGGER uncount_deleted_posts AFTER DELETE ON posts
      FOR EACH ROW WHEN (${WHEN_DELETED}) EXECUTE FUNCTION uncount_post()`,
  ],
};

function functionThat(name: string, act: string, declarations = ''): string {
  return `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS
    $$ ${declarations} BEGIN ${act}; RETURN NULL; END $$`;
}
