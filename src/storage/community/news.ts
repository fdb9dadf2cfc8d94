// Which mails members get, and the queue of mails about answers and of digests.

import type {
  Answer,
  AnswersToMail,
  DueDigest,
  MailChoice,
  NewsReads,
  NewsWrites,
} from '../../community/news-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { mentionOf } from '../../lib/markdown-mentions.ts';
import { NO_ENTRY, ownAct } from '../audit/audit-trail.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { type Fragment, fragment, sql } from '../engine/sql.ts';
import { IS_PUBLIC } from './visibility.ts';

export function newsRows(database: Database): NewsReads & NewsWrites {
  return {
    async mailChoice(userId) {
      const row = await database.first(selectChoice({ userId }));
      return row && { answers: row.answers === 1, digest: row.digest === 1 };
    },
    async notificationsToMail(limit) {
      const after = (await database.first(selectThrough()))?.through ?? 0;
      return { after, next: await database.rows(selectNext({ after, limit })) };
    },
    answersAfter: async (userId, after, limit) =>
      database.rows(selectAnswers({ userId, after, limit, mention: `%${mentionOf(userId)}%` })),
    digestsDue: async (now, limit) => database.rows(selectDue({ now, limit })),
    async chooseMails(by, { answers, digest }, digestDueAt) {
      const { userId } = by;
      const guard = upsertChoice({ userId, answers: answers ? 1 : 0, digest: digest ? 1 : 0, digestDueAt });
      await database.atomically({ audit: ownAct(by), guard });
    },
    queueAnswers: (answers) =>
      runGuarded(database, {
        audit: NO_ENTRY,
        guard: updateThrough(answers),
        effects: [insertAnswerMails[database.dialect](answers), upsertMailedAt(answers)],
      }),
    queueDigest: ({ userId, dueAt }, next, at) =>
      runGuarded(database, {
        audit: NO_ENTRY,
        guard: updateDue({ userId, dueAt, next }),
        effects: [insertDigest({ userId, at })],
      }),
  };
}

const selectChoice = sql<{ userId: number }, Record<keyof MailChoice, number>>`
  SELECT answers, digest FROM mail_choices WHERE user_id = :userId`;

const selectThrough = sql<void, { through: number }>`
  SELECT through FROM mailed_notifications WHERE name = 'answers'`;

const selectNext = sql<{ after: number; limit: number }, { id: number; createdAt: Timestamp }>`
  SELECT id, created_at AS "createdAt" FROM notifications
  WHERE id > :after ORDER BY id LIMIT cast(:limit AS bigint)`;

const IS_ANSWER = fragment`notifications.kind IN ('comment', 'reply', 'mention') AND notifications.read_at IS NULL`;

// An edit can have taken a mention away. A text without HTML is rendered later.
const HTML = fragment`CASE WHEN comments.id IS NULL THEN posts.html ELSE comments.html END`;
const IS_STILL_THERE = fragment`(notifications.kind <> 'mention' OR ${HTML} IS NULL OR ${HTML} LIKE :mention)`;

// As much of the HTML as an excerpt needs.
const selectAnswers = sql<{ userId: number; after: number; limit: number; mention: string }, Answer>`
  SELECT notifications.kind, actor.username AS "authorName", posts.id AS "postId", posts.title AS "postTitle",
    notifications.comment_id AS "commentId", posts.excerpt AS "postExcerpt", coalesce(comments.body, '') AS body,
    substr(comments.html, 1, 12000) AS html, coalesce(comments.html_version, 0) AS "htmlVersion"
  FROM notifications
  JOIN users AS actor ON actor.id = notifications.actor_id
  JOIN posts ON posts.id = notifications.post_id
  LEFT JOIN comments ON comments.id = notifications.comment_id
  WHERE notifications.user_id = :userId AND notifications.id > :after
    AND notifications.id <= (SELECT through FROM mailed_notifications WHERE name = 'answers')
    AND ${IS_ANSWER} AND actor.status = 'active' AND ${IS_PUBLIC}
    AND coalesce(comments.status, 'published') = 'published' AND ${IS_STILL_THERE}
  ORDER BY notifications.id LIMIT cast(:limit AS bigint)`;

const selectDue = sql<{ now: Timestamp; limit: number }, DueDigest>`
  SELECT user_id AS "userId", coalesce(digest_due_at, 0) AS "dueAt" FROM mail_choices
  WHERE digest_due_at <= :now ORDER BY digest_due_at LIMIT cast(:limit AS bigint)`;

// A digest that was chosen before keeps its day.
const upsertChoice = sql<{ userId: number; answers: number; digest: number; digestDueAt: Timestamp }>`
  INSERT INTO mail_choices (user_id, answers, digest, digest_due_at)
  VALUES (:userId, :answers, :digest, CASE WHEN :digest = 1 THEN cast(:digestDueAt AS bigint) END)
  ON CONFLICT (user_id) DO UPDATE SET answers = excluded.answers, digest = excluded.digest,
    digest_due_at = CASE WHEN excluded.digest = 1
      THEN coalesce(mail_choices.digest_due_at, excluded.digest_due_at) END`;

const updateThrough = sql<Pick<AnswersToMail, 'after' | 'through'>>`
  UPDATE mailed_notifications SET through = :through WHERE name = 'answers' AND through = :after`;

// A mail lists all answers from the first one on that no earlier mail listed. One that waits, or waits for its next
// attempt, lists those that come meanwhile.
const answerMails = (recipients: Fragment) => fragment`
  INSERT INTO mails (purpose, user_id, email, language, about, created_at, next_attempt_at)
  SELECT 'answers', users.id, users.email, users.language,
    '{"after":' || cast(fresh.first_id - 1 AS text) || '}', :at,
    CASE WHEN mail_choices.answers_mailed_at + :pace > :at
      THEN mail_choices.answers_mailed_at + :pace ELSE cast(:at AS bigint) END
  FROM (
    SELECT notifications.user_id, min(notifications.id) AS first_id FROM notifications
    WHERE notifications.id > :after AND notifications.id <= :through AND ${IS_ANSWER}
    GROUP BY notifications.user_id
  ) AS fresh
  ${recipients}
  LEFT JOIN mail_choices ON mail_choices.user_id = users.id
  WHERE users.status = 'active' AND users.email IS NOT NULL AND users.language IS NOT NULL
    AND coalesce(mail_choices.answers, 1) = 1
    AND NOT EXISTS (
      SELECT 1 FROM mails AS waiting
      WHERE waiting.user_id = users.id AND waiting.purpose = 'answers' AND waiting.given_up_at IS NULL
        AND (waiting.attempts = 0 OR waiting.next_attempt_at > :claimedUntil))`;

// PostgreSQL doesn't know how few members have news, and would read all accounts.
const insertAnswerMails = {
  sqlite: sql<AnswersToMail>`${answerMails(fragment`JOIN users ON users.id = fresh.user_id`)}`,
  postgres: sql<AnswersToMail>`
    ${answerMails(fragment`
      CROSS JOIN LATERAL (SELECT * FROM users AS recipient WHERE recipient.id = fresh.user_id LIMIT 1) AS users`)}`,
};

// After the insertion, in the same step: the next mail to these members is paced from this one.
const upsertMailedAt = sql<Pick<AnswersToMail, 'after' | 'through' | 'at'>>`
  INSERT INTO mail_choices (user_id, answers_mailed_at)
  SELECT mails.user_id, mails.next_attempt_at FROM mails
  WHERE mails.purpose = 'answers' AND mails.created_at = :at AND mails.attempts = 0
    AND mails.user_id IN (
      SELECT notifications.user_id FROM notifications
      WHERE notifications.id > :after AND notifications.id <= :through)
  ON CONFLICT (user_id) DO UPDATE SET answers_mailed_at = excluded.answers_mailed_at`;

const updateDue = sql<DueDigest & { next: Timestamp }>`
  UPDATE mail_choices SET digest_due_at = :next WHERE user_id = :userId AND digest_due_at = :dueAt`;

const insertDigest = sql<{ userId: number; at: Timestamp }>`
  INSERT INTO mails (purpose, user_id, email, language, created_at, next_attempt_at)
  SELECT 'digest', id, email, language, :at, :at FROM users
  WHERE id = :userId AND status = 'active' AND email IS NOT NULL AND language IS NOT NULL`;
