// What everyone can see. Closing an account hides its posts and comments at once, and removes them in steps.

import { fragment } from '../engine/sql.ts';

/** For `posts`. */
export const IS_PUBLIC = fragment`
  posts.status = 'published'
  AND (SELECT author.status FROM users AS author WHERE author.id = posts.user_id) <> 'closed'`;

/** For `comments`: the account of the author is not closed. */
export const IS_OF_OPEN_ACCOUNT = fragment`
  (SELECT commenter.status FROM users AS commenter WHERE commenter.id = comments.user_id) <> 'closed'`;
