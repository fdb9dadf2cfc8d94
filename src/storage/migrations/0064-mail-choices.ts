// Members choose the mails about answers to them and the weekly digest. Notifications from before are not mailed.

import type { Migration } from './migration.ts';

export const mailChoices: Migration = {
  name: '0064-mail-choices',
  up: () => [
    `CREATE TABLE mail_choices (
      user_id bigint PRIMARY KEY REFERENCES users (id),
      answers integer NOT NULL DEFAULT 1,
      digest integer NOT NULL DEFAULT 0,
      answers_mailed_at bigint,
      digest_due_at bigint
    )`,
    'CREATE INDEX mail_choices_by_digest ON mail_choices (digest_due_at) WHERE digest_due_at IS NOT NULL',
    'CREATE TABLE mailed_notifications (name text PRIMARY KEY, through bigint NOT NULL)',
    `INSERT INTO mailed_notifications (name, through)
      SELECT 'answers', coalesce(max(id), 0) FROM notifications`,
    "CREATE INDEX mails_with_answers ON mails (user_id) WHERE purpose = 'answers'",
  ],
};
