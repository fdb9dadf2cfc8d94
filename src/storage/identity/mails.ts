// Mails that are still to be sent, as rows. One that was sent, or given up, is gone.

import type { FirstMail, MailPurpose, MailStore, NewMail, WaitingMail } from '../../identity/mail-store.ts';
import type { NewUser } from '../../identity/store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { type Bound, type Param, rowCount, statement } from '../engine/statement.ts';
import { upsertAttempt } from './attempts.ts';

export function mailRows(
  database: Database,
): Pick<MailStore, 'addMailWithin' | 'mailsDue' | 'claimMail' | 'postponeMail' | 'removeMail'> {
  return {
    async addMailWithin({ subject, most, now, closesAt }, mail) {
      const outcome = await database.atomically({
        guard: upsertAttempt({ subject, most, now, closesAt }),
        effects: mail === undefined ? [] : [insertMail(mailRow(mail))],
      });
      return outcome.happened;
    },
    async mailsDue(now, most) {
      return (await database.rows(selectMailsDue({ now, most }))).map((row) => ({
        id: row.id,
        purpose: row.purpose as MailPurpose,
        userId: row.user_id,
        email: row.email,
        language: row.language,
        createdAt: row.created_at,
        attempts: row.attempts,
        nextAttemptAt: row.next_attempt_at,
      }));
    },
    async claimMail({ id, nextAttemptAt }: WaitingMail, until) {
      return (await database.atomically({ guard: updateClaimed({ id, seen: nextAttemptAt, until }) }))
        .happened;
    },
    async postponeMail(id, until) {
      await database.atomically({ guard: updatePostponed({ id, until }) });
    },
    async removeMail(id) {
      await database.atomically({ guard: deleteMail({ id }) });
    },
  };
}

const insertMail = statement((sql, p: Param<ReturnType<typeof mailRow>>) =>
  sql.insertInto('mails').values({
    purpose: p('purpose'),
    user_id: p('user_id'),
    email: p('email'),
    language: p('language'),
    created_at: p('created_at'),
    next_attempt_at: p('created_at'),
  }),
);

/** The mail that making this account causes, if any: as an effect of its insertion. */
export function firstMail(user: NewUser, mail: FirstMail | undefined): Bound<unknown>[] {
  if (mail === undefined) return [];
  const { usernameKey, passwordHash } = user;
  return [insertFirstMail({ ...firstMailRow(mail), usernameKey, passwordHash })];
}

// The account is known by its hash, whose salt is like no other's: nothing is sent if it was not made.
const insertFirstMail = statement(
  (sql, p: Param<{ usernameKey: string; passwordHash: string } & ReturnType<typeof firstMailRow>>) =>
    sql
      .insertInto('mails')
      .columns(['purpose', 'user_id', 'email', 'language', 'created_at', 'next_attempt_at'])
      .expression((of) =>
        of
          .selectFrom('users')
          .select((of) => [
            of.val(p('purpose')).as('purpose'),
            'users.id',
            of.val(p('email')).as('email'),
            of.val(p('language')).as('language'),
            of.val(p('created_at')).as('created_at'),
            of.val(p('created_at')).as('next_attempt_at'),
          ])
          .where('users.username_key', '=', p('usernameKey'))
          .where('users.password_hash', '=', p('passwordHash')),
      ),
);

function firstMailRow(mail: FirstMail) {
  return {
    purpose: mail.purpose as string,
    email: mail.email,
    language: mail.language,
    created_at: mail.createdAt,
  };
}

function mailRow(mail: NewMail) {
  return { ...firstMailRow(mail), user_id: mail.userId };
}

/** Tells the account's address that the password is another one; nothing unless it is now this one. */
export const insertPasswordNotice = statement(
  (sql, p: Param<{ userId: number; hash: string; language: string; now: Timestamp }>) =>
    sql
      .insertInto('mails')
      .columns(['purpose', 'user_id', 'email', 'language', 'created_at', 'next_attempt_at'])
      .expression((of) =>
        of
          .selectFrom('users')
          .select((of) => [
            of.val('password_changed').as('purpose'),
            'users.id',
            of.ref('users.email').$notNull().as('email'),
            of.val(p('language')).as('language'),
            of.val(p('now')).as('created_at'),
            of.val(p('now')).as('next_attempt_at'),
          ])
          .where('users.id', '=', p('userId'))
          .where('users.password_hash', '=', p('hash'))
          .where('users.email', 'is not', null),
      ),
);

/** Tells the account's address that another one takes its place; nothing if that one is somebody else's. */
export const insertAddressNotice = statement(
  (sql, p: Param<{ userId: number; emailKey: string; language: string; now: Timestamp }>) =>
    sql
      .insertInto('mails')
      .columns(['purpose', 'user_id', 'email', 'language', 'created_at', 'next_attempt_at'])
      .expression((of) =>
        of
          .selectFrom('users')
          .select((of) => [
            of.val('email_changed').as('purpose'),
            'users.id',
            of.ref('users.email').$notNull().as('email'),
            of.val(p('language')).as('language'),
            of.val(p('now')).as('created_at'),
            of.val(p('now')).as('next_attempt_at'),
          ])
          .where('users.id', '=', p('userId'))
          .where('users.email', 'is not', null)
          .where('users.email_key', '<>', p('emailKey'))
          .where((of) =>
            of.not(
              of.exists(
                of
                  .selectFrom('users as other')
                  .select('other.id')
                  .where('other.email_key', '=', p('emailKey')),
              ),
            ),
          ),
      ),
);

export const insertRemovalNotice = statement(
  (sql, p: Param<{ userId: number; email: string; language: string; now: Timestamp }>) =>
    sql.insertInto('mails').values({
      purpose: 'email_removed',
      user_id: p('userId'),
      email: p('email'),
      language: p('language'),
      created_at: p('now'),
      next_attempt_at: p('now'),
    }),
);

const selectMailsDue = statement((sql, p: Param<{ now: Timestamp; most: number }>) =>
  sql
    .selectFrom('mails')
    .selectAll()
    .where('next_attempt_at', '<=', p('now'))
    .orderBy('next_attempt_at')
    .limit(rowCount(p('most'))),
);

const updateClaimed = statement((sql, p: Param<{ id: number; seen: Timestamp; until: Timestamp }>) =>
  sql
    .updateTable('mails')
    .set((of) => ({ next_attempt_at: p('until'), attempts: of('attempts', '+', 1) }))
    .where('id', '=', p('id'))
    .where('next_attempt_at', '=', p('seen')),
);

const updatePostponed = statement((sql, p: Param<{ id: number; until: Timestamp }>) =>
  sql
    .updateTable('mails')
    .set({ next_attempt_at: p('until') })
    .where('id', '=', p('id')),
);

const deleteMail = statement((sql, p: Param<{ id: number }>) =>
  sql.deleteFrom('mails').where('id', '=', p('id')),
);

/** Mails that nobody has even looked at for so long that they say nothing any more. */
