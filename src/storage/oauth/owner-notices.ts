// Mails to the owner of an application, written with the change that they are about.

import type { MailPurpose } from '../../identity/mail-store.ts';
import { HOUR, type Timestamp } from '../../lib/clock.ts';
import { digestOf } from '../../lib/secrets.ts';
import { type Bound, type Dialect, fragment, sql } from '../engine/sql.ts';
import { upsertTurn } from '../identity/attempts.ts';

interface Notice {
  purpose: MailPurpose;
  clientId: string;
  at: Timestamp;
}

/**
 * Make the effects that mail the owner of an application, if it has one with an email address. The first mail is due at
 * once. Changes of the hour after it share one mail, which is due when the hour is over.
 */
export function noticeToOwner(dialect: Dialect, notice: Notice): Bound<unknown>[] {
  const turn = digestOf(`mails about an application\n${notice.purpose}\n${notice.clientId}`);
  return [
    upsertTurn({ subject: turn, now: notice.at, pause: HOUR }),
    insertNotice[dialect]({ ...notice, turn, pause: HOUR }),
  ];
}

interface NoticeInTurn extends Notice {
  turn: string;
  pause: number;
}

const NOTICE = fragment`
  INSERT INTO mails (purpose, user_id, email, language, about, created_at, next_attempt_at)
  SELECT :purpose, users.id, users.email, coalesce(users.language, 'en')`;

const DUE_AT = fragment`attempts.closes_at - cast(:pause AS bigint)`;

const TO_OWNER = fragment`
  FROM clients JOIN users ON users.id = clients.owner_id JOIN attempts ON attempts.subject = :turn
  WHERE clients.id = :clientId AND users.email IS NOT NULL AND users.status <> 'closed'
    AND NOT EXISTS (
      SELECT 1 FROM mails AS waiting
      WHERE waiting.user_id = users.id AND waiting.purpose = :purpose AND waiting.next_attempt_at = ${DUE_AT}`;

const insertNotice = {
  sqlite: sql<NoticeInTurn>`
    ${NOTICE}, json_object('application', clients.name), :at, ${DUE_AT} ${TO_OWNER}
      AND waiting.about = json_object('application', clients.name))`,
  postgres: sql<NoticeInTurn>`
    ${NOTICE}, cast(json_build_object('application', clients.name) AS text), :at, ${DUE_AT} ${TO_OWNER}
      AND waiting.about = cast(json_build_object('application', clients.name) AS text))`,
};
