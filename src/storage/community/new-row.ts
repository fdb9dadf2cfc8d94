// The id of the row that the same transaction has just inserted, as a part of its further statements.

import { fragment } from '../engine/sql.ts';

// SQLite runs one transaction at a time, and a new row has the highest id. In PostgreSQL, the subselects are evaluated
// once. Without them, the id would be computed anew for each row of the table, and no index would serve.

export const NEW_POST_ID = {
  sqlite: fragment`(SELECT max(id) FROM posts)`,
  postgres: fragment`(SELECT currval(pg_get_serial_sequence('posts', 'id')))`,
};

export const NEW_COMMENT_ID = {
  sqlite: fragment`(SELECT max(id) FROM comments)`,
  postgres: fragment`(SELECT currval(pg_get_serial_sequence('comments', 'id')))`,
};
