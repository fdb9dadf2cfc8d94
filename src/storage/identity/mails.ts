// Mails that wait to be sent, or were given up, as rows. A mail that is sent is deleted.

import type {
  FirstMail,
  MailPurpose,
  MailReads,
  MailWrites,
  NewMail,
  UnsentMail,
  WaitingMail,
} from '../../identity/mail-store.ts';
import type { NewUser } from '../../identity/store.ts';
import type { AttemptLimit } from '../../lib/attempt.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { entry, NO_ENTRY } from '../audit/audit-trail.ts';
import { securityEvent } from '../audit/security-events.ts';
import { countOpenReports } from '../community/open-reports.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { type Bound, fragment, sql } from '../engine/sql.ts';
import { IS_WITHIN_LIMIT, upsertAttempt } from './attempts.ts';
import { deleteConfirmTokensOf } from './mail-tokens.ts';

type MailRows = Pick<
  MailReads,
  'mailsDue' | 'unsentMails' | 'findUnsentMail' | 'countOpenReports' | 'applicationName'
> &
  Omit<MailWrites, 'addMailToken' | 'addResetLink'>;

export function mailRows(database: Database): MailRows {
  return {
    async addMailWithin(limit, mail, event) {
      return runGuarded(database, {
        audit: NO_ENTRY,
        guard: upsertAttempt(limit),
        effects: mail === undefined ? [] : [...replacedBy(mail), insertMail(mail)],
        events: event === undefined ? [] : [securityEvent(event)],
      });
    },
    async mailsDue(now, most) {
      const links = await database.rows(selectLinksDue({ now, most }));
      const rest = most - links.length;
      const notices = rest === 0 ? [] : await database.rows(selectNoticesDue({ now, most: rest }));
      return [...links, ...notices].map(({ about, ...mail }) => ({ ...mail, about: JSON.parse(about) }));
    },
    async countOpenReports(most) {
      return (await database.first(countOpenReports({ most })))?.count ?? 0;
    },
    async applicationName(clientId) {
      return (await database.first(selectApplicationName({ clientId })))?.name;
    },
    async claimMail({ id, nextAttemptAt }, until) {
      const guard = updateClaimed({ id, nextAttemptAt, until });
      return runGuarded(database, { audit: NO_ENTRY, guard });
    },
    async postponeMail(id, until, problem) {
      await database.atomically({ audit: NO_ENTRY, guard: updatePostponed({ id, until, problem }) });
    },
    async giveUpMail(id, at, problem) {
      await database.atomically({ audit: NO_ENTRY, guard: updateGivenUp({ id, at, problem }) });
    },
    unsentMails: async (before, most) => database.rows(selectUnsent({ before, most })),
    findUnsentMail: async (id) => database.first(selectUnsentMail({ id })),
    async sendMailAgain(by, { id, userId, purpose }, claimedUntil) {
      const subject = { kind: 'user', id: String(userId) } as const;
      return runGuarded(database, {
        audit: entry(by, { action: 'mail.send_again', subject, detail: { mail: purpose } }),
        guard: updateDue({ id, at: by.at, claimedUntil }),
      });
    },
    async removeMail(id) {
      await database.atomically({ audit: NO_ENTRY, guard: deleteMail({ id }) });
    },
  };
}

// An older link could confirm a mistyped address, whose reader could then reset the password.
function replacedBy({ purpose, userId }: NewMail): Bound<unknown>[] {
  return purpose === 'confirm' ? [deleteConfirmTokensOf({ userId }), deleteConfirmations({ userId })] : [];
}

/** The mail of a sign-up, if there is one: an effect of the account's insertion. */
export function firstMail(user: NewUser, mail: FirstMail | undefined): Bound<unknown>[] {
  const { usernameKey, passwordHash } = user;
  return mail === undefined ? [] : [insertFirstMail({ ...mail, usernameKey, passwordHash })];
}

export const insertMail = sql<NewMail>`
  INSERT INTO mails (purpose, user_id, email, language, created_at, next_attempt_at)
  VALUES (:purpose, :userId, :email, :language, :createdAt, :createdAt)`;

// The salt of the account's hash is unique: no mail is added unless this step has added the account.
const insertFirstMail = sql<FirstMail & Pick<NewUser, 'usernameKey' | 'passwordHash'>>`
  INSERT INTO mails (purpose, user_id, email, language, created_at, next_attempt_at)
  SELECT :purpose, id, :email, :language, :createdAt, :createdAt
  FROM users WHERE username_key = :usernameKey AND password_hash = :passwordHash`;

/** Tell the account's address of a new password, if the account now has it. */
export const insertPasswordNotice = sql<{ userId: number; hash: string; language: string; at: Timestamp }>`
  INSERT INTO mails (purpose, user_id, email, language, created_at, next_attempt_at)
  SELECT 'password_changed', id, email, :language, :at, :at
  FROM users WHERE id = :userId AND password_hash = :hash AND email IS NOT NULL`;

/** Tell the account's address of a new API token, if this step has added it. The mail's link revokes it. */
export const insertTokenNotice = sql<{ key: string; digest: Uint8Array; language: string; at: Timestamp }>`
  INSERT INTO mails (purpose, user_id, email, language, about, created_at, next_attempt_at)
  SELECT 'token_created', users.id, users.email, :language,
    '{"security":{"tokenId":' || cast(personal_tokens.id AS text) || '}}', :at, :at
  FROM personal_tokens JOIN users ON users.id = personal_tokens.user_id
  WHERE personal_tokens.key = :key AND personal_tokens.digest = :digest AND users.email IS NOT NULL`;

interface ReplacedAddress {
  userId: number;
  language: string;
  at: Timestamp;
  /** A younger address gets no link. */
  youngSince: Timestamp;
}

const ABOUT_REPLACED = fragment`CASE WHEN email_since > :youngSince THEN '{"isYoung": true}' ELSE '{}' END`;

/** Mail the account's current address that a new one replaces it, unless another account has the new one. */
export const insertReplacementNotice = sql<
  ReplacedAddress & { purpose: 'email_changed' | 'email_restored'; emailKey: string }
>`
  INSERT INTO mails (purpose, user_id, email, language, about, created_at, next_attempt_at)
  SELECT :purpose, id, email, :language, ${ABOUT_REPLACED}, :at, :at
  FROM users
  WHERE id = :userId AND email IS NOT NULL AND email_key <> :emailKey
    AND NOT EXISTS (SELECT 1 FROM users AS other WHERE other.email_key = :emailKey)`;

export const insertRemovalNotice = sql<ReplacedAddress & { email: string }>`
  INSERT INTO mails (purpose, user_id, email, language, about, created_at, next_attempt_at)
  SELECT 'email_removed', id, :email, :language, ${ABOUT_REPLACED}, :at, :at FROM users WHERE id = :userId`;

export interface MailAbout {
  userId: number;
  purpose: MailPurpose;
  /** `MailSubject` as JSON. */
  about: string;
  at: Timestamp;
}

/** Mail the account, if it has an address and is not closed, in the language of the member's pages. */
export const insertMailTo = sql<MailAbout>`
  INSERT INTO mails (purpose, user_id, email, language, about, created_at, next_attempt_at)
  SELECT :purpose, id, email, coalesce(language, 'en'), :about, :at, :at
  FROM users WHERE id = :userId AND email IS NOT NULL AND status <> 'closed'`;

/** The effects that mail the account as `insertMailTo` does, unless that is beyond the limit. */
export function mailWithin(limit: AttemptLimit, mail: MailAbout): Bound<unknown>[] {
  const { subject, most } = limit;
  return [upsertAttempt({ ...limit, most: most + 1 }), insertLimitedMail({ ...mail, subject, most })];
}

/** As `insertMailTo`, if the attempts of this subject are within the limit. */
export const insertLimitedMail = sql<MailAbout & Pick<AttemptLimit, 'subject' | 'most'>>`
  INSERT INTO mails (purpose, user_id, email, language, about, created_at, next_attempt_at)
  SELECT :purpose, id, email, coalesce(language, 'en'), :about, :at, :at
  FROM users WHERE id = :userId AND email IS NOT NULL AND status <> 'closed' AND ${IS_WITHIN_LIMIT}`;

const deleteConfirmations = sql<{ userId: number }>`
  DELETE FROM mails WHERE purpose = 'confirm' AND user_id = :userId`;

/** Delete a member's mails with links. Notices are still sent. */
export const deleteMailsWithLinks = sql<{ userId: number }>`
  DELETE FROM mails WHERE purpose IN ('confirm', 'reset') AND user_id = :userId`;

/** Delete the notices of changes of address, which have links that undo them. */
export const deleteAddressNoticesOf = sql<{ userId: number }>`
  DELETE FROM mails WHERE purpose IN ('email_changed', 'email_removed') AND user_id = :userId`;

/** Delete the notices of changes of address since this moment, if the account has this hash. */
export const deleteAddressNoticesFrom = sql<{ userId: number; hash: string; changedAt: Timestamp }>`
  DELETE FROM mails
  WHERE purpose IN ('email_changed', 'email_removed') AND created_at >= :changedAt
    AND user_id = (SELECT id FROM users WHERE id = :userId AND password_hash = :hash)`;

interface DueMails {
  now: Timestamp;
  most: number;
}

type DueMail = Omit<WaitingMail, 'about'> & { about: string };

const DUE_MAILS = fragment`
  SELECT id, purpose, user_id AS "userId", email, language, about, created_at AS "createdAt",
    attempts, next_attempt_at AS "nextAttemptAt"
  FROM mails
  WHERE next_attempt_at <= :now AND given_up_at IS NULL`;

// Somebody waits for a link, or has some hours for it. The index of these mails has the same list.
const WITH_LINK = fragment`
  purpose IN ('confirm', 'reset', 'email_changed', 'email_removed', 'factor_reset_asked')`;

const selectLinksDue = sql<DueMails, DueMail>`
  ${DUE_MAILS} AND ${WITH_LINK}
  ORDER BY next_attempt_at LIMIT cast(:most AS bigint)`;

const selectNoticesDue = sql<DueMails, DueMail>`
  ${DUE_MAILS} AND NOT (${WITH_LINK})
  ORDER BY next_attempt_at LIMIT cast(:most AS bigint)`;

const selectApplicationName = sql<{ clientId: string }, { name: string }>`
  SELECT name FROM clients WHERE id = :clientId`;

const updateClaimed = sql<{ id: number; nextAttemptAt: Timestamp; until: Timestamp }>`
  UPDATE mails SET next_attempt_at = :until, attempts = attempts + 1
  WHERE id = :id AND next_attempt_at = :nextAttemptAt`;

const updatePostponed = sql<{ id: number; until: Timestamp; problem: string }>`
  UPDATE mails SET next_attempt_at = :until, problem = :problem WHERE id = :id`;

// From now on, so that it is purged some days later.
const updateGivenUp = sql<{ id: number; at: Timestamp; problem: string }>`
  UPDATE mails SET given_up_at = :at, next_attempt_at = :at, problem = :problem WHERE id = :id`;

const updateDue = sql<{ id: number; at: Timestamp; claimedUntil: Timestamp }>`
  UPDATE mails SET next_attempt_at = :at, given_up_at = NULL
  WHERE id = :id AND (given_up_at IS NOT NULL OR next_attempt_at > :claimedUntil)`;

const UNSENT = fragment`
  SELECT mails.id, mails.purpose, mails.user_id AS "userId", users.username, mails.email, mails.language,
    mails.created_at AS "createdAt", mails.attempts, mails.next_attempt_at AS "nextAttemptAt", mails.problem,
    mails.given_up_at AS "givenUpAt"
  FROM mails JOIN users ON users.id = mails.user_id`;

const selectUnsent = sql<{ before: number; most: number }, UnsentMail>`
  ${UNSENT} WHERE mails.id < :before ORDER BY mails.id DESC LIMIT cast(:most AS bigint)`;

const selectUnsentMail = sql<{ id: number }, UnsentMail>`
  ${UNSENT} WHERE mails.id = :id`;

const deleteMail = sql<{ id: number }>`
  DELETE FROM mails WHERE id = :id`;
