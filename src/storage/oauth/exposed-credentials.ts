// Credentials that were found in public, as transactions: the revocation, the event, the notification and the mail.

import type { AboutCredential } from '../../audit/credential-notice.ts';
import type { NewSecurityEventOf } from '../../audit/security-event.ts';
import { type AttemptLimit, hourlyLimit } from '../../lib/attempt.ts';
import { DAY, type Timestamp } from '../../lib/clock.ts';
import { digestOf } from '../../lib/secrets.ts';
import type { Client } from '../../oauth/client-store.ts';
import type { ExposedCredentials, ExposureAct } from '../../oauth/exposed-credential-store.ts';
import { NO_ENTRY } from '../audit/audit-trail.ts';
import { securityEvent } from '../audit/security-events.ts';
import { insertCredentialNotification } from '../community/notifications.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { type Bound, sql } from '../engine/sql.ts';
import { IS_WITHIN_LIMIT, upsertAttempt } from '../identity/attempts.ts';
import { mailWithin } from '../identity/mails.ts';
import { revokeAccessTokenByKey } from './access-tokens.ts';
import { CLIENT_COLUMNS, clientOf } from './client-columns.ts';
import { digestColumn } from './digest-column.ts';
import { revokeAnyPersonalToken } from './personal-tokens.ts';
import type { Stored } from './stored.ts';
import { revokeFamilyByKey } from './token-families.ts';

export function exposedCredentials(database: Database): ExposedCredentials {
  // The guard changes a row only if the credential was live, so its owner is told once.
  function revoke(guard: Bound<unknown>, owner: Owner, act: ExposureAct): Promise<boolean> {
    return runGuarded(database, {
      audit: NO_ENTRY,
      guard,
      effects: noticesTo(owner.userId, act),
      events: [securityEvent(eventOf(owner, act))],
    });
  }

  return {
    async findClientBySecret(digest) {
      const row = await database.first(selectClientBySecret({ digest: digestColumn(digest) }));
      return row && clientOf(row);
    },
    async revokeExposedPersonalToken({ id, userId }, act) {
      return revoke(revokeAnyPersonalToken({ id, at: act.at }), { userId, subject: String(id) }, act);
    },
    async revokeExposedAccessToken({ key, userId, clientId }, act) {
      return revoke(revokeAccessTokenByKey({ key, at: act.at }), { userId, clientId, subject: key }, act);
    },
    async revokeExposedFamily({ key, userId, clientId }, act) {
      return revoke(revokeFamilyByKey({ key, at: act.at }), { userId, clientId, subject: key }, act);
    },
    async tellOfExposedSecret({ id: clientId, ownerId }, act) {
      const { about, at } = act;
      const subject = digestOf(`exposed secret\n${clientId}`);
      const told = JSON.stringify({ exposed: about } satisfies AboutCredential);
      return runGuarded(database, {
        audit: NO_ENTRY,
        // Whoever has the secret could report it again and again.
        guard: upsertAttempt({ subject, most: 1, now: at, closesAt: at + DAY }),
        effects: [
          insertNotificationsOfSecret({ ownerId, about: told, at }),
          ...mailsToOperators({ ownerId, about: told, at }),
          ...(ownerId === undefined ? [] : mailToOwner(ownerId, told, at)),
        ],
        events: [securityEvent(eventOf({ userId: ownerId, clientId, subject: clientId }, act))],
      });
    },
  };
}

interface Owner {
  userId: number | undefined;
  clientId?: string;
  /** Which credential it is. */
  subject: string;
}

function eventOf(
  { userId, clientId, subject }: Owner,
  { about, at }: ExposureAct,
): NewSecurityEventOf<'token_leaked'> {
  const detail = `${about.kind} ${about.source}` as const;
  return {
    event: 'token_leaked',
    at,
    ...(userId !== undefined && { userId }),
    ...(clientId !== undefined && { clientId }),
    subject,
    detail,
  };
}

// Anyone who has many tokens, such as their member, could fill the mailbox, and the queue of mails for everybody.
const MOST_MAILS_AN_HOUR = 5;

function noticesTo(
  userId: number | undefined,
  { about: exposed, at, isTold }: ExposureAct,
): Bound<unknown>[] {
  if (userId === undefined || isTold) return [];
  const about = JSON.stringify({ exposed } satisfies AboutCredential);
  return [
    insertCredentialNotification({ kind: 'exposed', userId, about, at }),
    ...mailToOwner(userId, about, at),
  ];
}

function mailToOwner(userId: number, about: string, at: Timestamp): Bound<unknown>[] {
  const limit = hourlyLimit(at, MOST_MAILS_AN_HOUR, 'mails about exposed credentials', userId);
  return mailWithin(limit, { purpose: 'credential_exposed', userId, about, at });
}

// A developer can report the secrets of many applications. Those that no member owns are counted apart.
function mailsToOperators(notice: SecretNotice): Bound<unknown>[] {
  const { subject, most, ...window } = hourlyLimit(
    notice.at,
    MOST_MAILS_AN_HOUR,
    'mails about exposed secrets',
    notice.ownerId === undefined ? 'of the operators' : 'of members',
  );
  return [
    upsertAttempt({ subject, ...window, most: most + 1 }),
    insertMailsToOperators({ ...notice, subject, most }),
  ];
}

const selectClientBySecret = sql<{ digest: Uint8Array }, Stored<Client>>`
  SELECT ${CLIENT_COLUMNS} FROM clients WHERE secret_digest = :digest OR previous_secret_digest = :digest`;

interface SecretNotice {
  ownerId: number | undefined;
  about: string;
  at: Timestamp;
}

const insertNotificationsOfSecret = sql<SecretNotice>`
  INSERT INTO notifications (user_id, kind, about, created_at)
  SELECT id, 'exposed', :about, :at FROM users
  WHERE id IN (SELECT id FROM users WHERE is_operator = 1 UNION ALL SELECT cast(:ownerId AS bigint))
    AND status <> 'closed'`;

const insertMailsToOperators = sql<SecretNotice & Pick<AttemptLimit, 'subject' | 'most'>>`
  INSERT INTO mails (purpose, user_id, email, language, about, created_at, next_attempt_at)
  SELECT 'credential_exposed', id, email, coalesce(language, 'en'), :about, :at, :at FROM users
  WHERE is_operator = 1 AND id <> coalesce(cast(:ownerId AS bigint), 0)
    AND status <> 'closed' AND email IS NOT NULL AND ${IS_WITHIN_LIMIT}`;
