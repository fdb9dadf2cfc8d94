// Mails that tell a member of a security event of their account. They are part of the event's transaction.

import type { NewSecurityEvent, SecurityEvent, SecurityEventName } from '../../audit/security-event.ts';
import type { MailPurpose, MailSubject, SecurityFacts } from '../../identity/mail-store.ts';
import { DAY, type Timestamp } from '../../lib/clock.ts';
import { type Bound, fragment, sql } from '../engine/sql.ts';

/**
 * The events that are mailed, whichever act causes them. The act of a consent chooses its mail, since only that knows
 * what is new.
 */
const MAILED: Partial<Record<SecurityEventName, MailPurpose>> = {
  new_browser: 'new_browser',
  code_replayed: 'replay_detected',
  refresh_token_reused: 'replay_detected',
  factor_added: 'factor_added',
  factor_removed: 'factor_removed',
};

// Wrong codes follow the right password, so somebody has it.
function purposeOf(happened: NewSecurityEvent): MailPurpose | undefined {
  const isOfCodes = happened.event === 'sign_in_locked' && happened.detail === 'second_factor';
  return isOfCodes ? 'codes_guessed' : MAILED[happened.event];
}

// Within a day, so that neither an application nor a person who has the password can flood a member. The first
// mails are those that tell of a stranger.
const MOST_IN_DAY = 5;
// A faulty application repeats itself, and so does a program that guesses codes.
const MOST_OF_PURPOSE: Partial<Record<MailPurpose, number>> = { replay_detected: 1, codes_guessed: 1 };

/** The statements that mail an event, for after the statement that records it. None for most events. */
export function mailsAfter(
  happened: NewSecurityEvent,
  purpose: MailPurpose | undefined = purposeOf(happened),
): readonly Bound<unknown>[] {
  const { event, at, userId, clientId, address, by, subject } = happened as Facts;
  // A removal of factors by operators is mailed when they ask for it.
  if (purpose === undefined || userId === undefined || by !== undefined) return NONE;
  const most = MOST_OF_PURPOSE[purpose] ?? MOST_IN_DAY;
  const limit = `mail ${purpose} ${userId}${purpose === 'replay_detected' ? ` ${clientId}` : ''}`;
  const about: MailSubject = { security: { at, address, clientId, ...namesIn(happened) } };
  const recordedEvent = { event, at, userId, clientId, subject };
  return [
    // One more than the limit, so that the count tells whether it was reached before.
    countMail({ ...recordedEvent, limit, counted: most + 1, closesAt: at + DAY }),
    insertSecurityMail({ ...recordedEvent, limit, most, purpose, about: JSON.stringify(about) }),
  ];
}

interface Facts {
  event: SecurityEventName;
  at: Timestamp;
  userId: number | undefined;
  clientId: string | undefined;
  address: string | undefined;
  by?: SecurityEvent['by'];
  subject: string | undefined;
}

const NONE: readonly never[] = [];

function namesIn(happened: NewSecurityEvent): SecurityFacts {
  const { event } = happened;
  if (event === 'new_browser') return { program: happened.subject };
  return event === 'factor_added' || event === 'factor_removed' ? { factor: happened.detail } : {};
}

type RecordedEvent = Omit<Facts, 'address' | 'by'>;

// The member has an address, and the statement before recorded the event: some do so only once a minute. It is
// looked for among the newest only, since a member's events are many.
const IS_RECORDED = fragment`EXISTS (
  SELECT 1 FROM security_events AS happened JOIN users AS told ON told.id = happened.user_id
  WHERE told.email IS NOT NULL AND told.status <> 'closed' AND happened.user_id = :userId
    AND happened.event = :event AND happened.at = :at
    AND happened.id > (SELECT max(id) FROM security_events) - 1000
    AND coalesce(happened.client_id, '') = coalesce(cast(:clientId AS text), '')
    AND coalesce(happened.subject, '') = coalesce(cast(:subject AS text), ''))`;

const countMail = sql<RecordedEvent & { limit: string; counted: number; closesAt: Timestamp }>`
  INSERT INTO attempts (subject, judged, closes_at)
  SELECT cast(:limit AS text), 1, cast(:closesAt AS bigint) WHERE ${IS_RECORDED}
  ON CONFLICT (subject) DO UPDATE SET
    judged = CASE WHEN attempts.closes_at <= :at THEN 1 ELSE attempts.judged + 1 END,
    closes_at = CASE WHEN attempts.closes_at <= :at THEN excluded.closes_at ELSE attempts.closes_at END
  WHERE attempts.closes_at <= :at OR attempts.judged < :counted`;

const insertSecurityMail = sql<
  RecordedEvent & { limit: string; most: number; purpose: MailPurpose; about: string }
>`
  INSERT INTO mails (purpose, user_id, email, language, about, created_at, next_attempt_at)
  SELECT :purpose, users.id, users.email, coalesce(users.language, 'en'), :about, :at, :at
  FROM users JOIN attempts ON attempts.subject = :limit AND attempts.judged <= :most
  WHERE users.id = :userId AND ${IS_RECORDED}`;
