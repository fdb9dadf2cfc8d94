// Mails to the owner of an application, written with the change that they are about.

import type { MailPurpose } from '../../identity/mail-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { type Bound, type Dialect, fragment, sql } from '../engine/sql.ts';

interface Notice {
  purpose: MailPurpose;
  clientId: string;
  at: Timestamp;
}

/** Make the effect that mails the owner of an application, if it has one with an email address. */
export function noticeToOwner(dialect: Dialect, notice: Notice): Bound<unknown> {
  return insertNotice[dialect](notice);
}

const NOTICE = fragment`
  INSERT INTO mails (purpose, user_id, email, language, about, created_at, next_attempt_at)
  SELECT :purpose, users.id, users.email, coalesce(users.language, 'en')`;

const TO_OWNER = fragment`
  FROM clients JOIN users ON users.id = clients.owner_id
  WHERE clients.id = :clientId AND users.email IS NOT NULL AND users.status <> 'closed'`;

const insertNotice = {
  sqlite: sql<Notice>`${NOTICE}, json_object('application', clients.name), :at, :at ${TO_OWNER}`,
  postgres: sql<Notice>`
    ${NOTICE}, cast(json_build_object('application', clients.name) AS text), :at, :at ${TO_OWNER}`,
};
