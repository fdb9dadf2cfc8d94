// A member's waiting comments are found without reading their other comments below the same post.

import type { Migration } from './migration.ts';

export const waitingCommentsOfMembers: Migration = {
  name: '0088-waiting-comments-of-members',
  up() {
    return [
      "CREATE INDEX comments_waiting_of_member ON comments (user_id, post_id, id) WHERE status = 'waiting'",
    ];
  },
};
