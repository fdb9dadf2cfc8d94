// Which statements may read a whole table, or a whole index. Each other one must find its rows.

/** Tables that stay small, whatever members do. */
export const SMALL_TABLES: ReadonlySet<string> = new Set([
  'background_work',
  'categories',
  // The database deletes what every process has read.
  'changes',
  // One for each closed account whose texts are still being removed.
  'closing_accounts',
  // What waits to be merged, a few hundred at most.
  'diary_batches',
  'diary_merge',
  // The purge leaves two thousand.
  'drawings',
  'locks',
  'merged_categories',
  'migrations',
  'signing_keys',
  'site_pictures',
  'site_settings',
  'site_texts',
]);

/** Indexes with the few rows that the statement wants, and no others. */
export const SMALL_INDEXES: ReadonlySet<string> = new Set([
  'tags_hidden',
  'tags_unused',
  'tags_with_heir',
  'users_moderators',
  'users_operators',
]);

/** Files whose statements may read any table. */
export const FILES_THAT_MAY: Readonly<Record<string, string>> = {
  'src/storage/purge/erased-member.ts': 'only the sandbox erases members, and its tables stay small',
  'src/storage/identity/temporary-users.ts':
    'the doctor, once a run: an index of usernames would cost every sign-up',
  'src/storage/oauth/temporary-clients.ts': 'the doctor, once a run',
};

const STOPS_EARLY = 'follows the index, and stops after one page';
const BY_CLIENT = 'an index by application would cost every code and every sign-in';

/** By file: what a statement in it may read whole, as SQLite writes it, and why. */
export const SCANS_THAT_MAY: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'src/storage/community/approvals.ts': {
    'comments USING INDEX comments_waiting': 'what waits for moderators, who keep it short',
  },
  'src/storage/community/comment-lists.ts': { comments: 'the newest ones, by key, and stops after one page' },
  'src/storage/community/feeds.ts': { 'posts USING INDEX posts_published': STOPS_EARLY },
  'src/storage/community/moderation.ts': {
    'comments USING INDEX comments_removed': STOPS_EARLY,
    'posts USING INDEX posts_removed': STOPS_EARLY,
  },
  'src/storage/community/open-reports.ts': { 'reports USING INDEX reports_open': STOPS_EARLY },
  'src/storage/community/reports.ts': { 'reports USING INDEX reports_open': STOPS_EARLY },
  'src/storage/community/search.ts': { post_words: 'the last row, by key' },
  'src/storage/identity/member-lists.ts': { users: 'the last row, by key' },
  'src/storage/oauth/added-clients.ts': {
    'clients USING INDEX clients_described': 'a thousand applications at most, and few that made room lately',
  },
  'src/storage/oauth/client-reports.ts': {
    'client_reports USING INDEX client_reports_of_client': 'counting stops at a limit',
  },
  'src/storage/oauth/client-reviews.ts': {
    client_logos: 'one for each application with a logo, each of which an operator looked at',
    'clients USING INDEX clients_waiting': 'what waits for operators, who keep it short',
  },
  'src/storage/oauth/event-additions.ts': {
    event_endpoints: 'one for each application that asked for events',
  },
  'src/storage/oauth/events.ts': { event_endpoints: 'one for each application that asked for events' },
  'src/storage/purge/expired-rows.ts': {
    'clients USING INDEX clients_described': 'a thousand applications at most, and few that made room lately',
    authorization_codes: `one application a step: ${BY_CLIENT}`,
    token_families: `one application a step: ${BY_CLIENT}`,
  },
};
