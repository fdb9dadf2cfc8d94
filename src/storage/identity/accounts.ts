// The state of accounts, as rows: suspended, closed, role, membership. Accounts are never deleted: a
// closed account keeps its id, its username, its points and its times, so that neither id nor name is used again.

import type { AuditAction } from '../../audit/audit-log.ts';
import type { Doer } from '../../audit/doer.ts';
import type { AccountReads, AccountWrites } from '../../identity/account-store.ts';
import type { AccountStatus } from '../../identity/user.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { entry, ownAct } from '../audit/audit-trail.ts';
import { addressOf, securityEvent } from '../audit/security-events.ts';
import { removeSomeTextsOf } from '../community/texts-of-closed-account.ts';
import { type AuditTrail, type Database, runGuarded } from '../engine/database.ts';
import { type Bound, fragment, sql } from '../engine/sql.ts';
import { pauseClientsOf, resumeClientsOf } from '../oauth/clients-of-account.ts';
import { addAccountEvents, addDataDeletions } from '../oauth/event-additions.ts';
import { closingEffects } from './closed-account.ts';
import { endSessionsOf } from './ended-sessions.ts';
import { cancelWaitingReset } from './factors.ts';
import { deleteUnusedInvitationsBy } from './invitations.ts';
import { deleteResetTokensBy, deleteResetTokensOf } from './mail-tokens.ts';
import { insertMailTo } from './mails.ts';

export function accountRows(database: Database): AccountReads & AccountWrites {
  const { dialect } = database;
  return {
    async setStatus(by, userId, status, reason) {
      // A moderator's own rights don't reach operators and other moderators.
      const reachesAll = by.kind === 'moderator' ? 0 : 1;
      if (status === 'active') {
        const audit = entryOf(by, userId, 'user.reactivate');
        const events = [
          statusEvent(by, userId, 'active'),
          addAccountEvents({ userId, type: 'access.resumed', at: by.at }),
        ];
        return runGuarded(database, {
          audit,
          guard: reactivate({ userId, reachesAll }),
          effects: resumeClientsOf(by, userId),
          events,
        });
      }
      return runGuarded(database, {
        audit: entryOf(by, userId, 'user.suspend', { reason }),
        turn: 'operators',
        guard: suspend({ userId, reachesAll, reason }),
        effects: [
          ...endSessionsOf(dialect, { userId, at: by.at, detail: 'account_suspended' }),
          ...pauseClientsOf(by, userId),
          deleteResetTokensBy({ userId }),
          deleteUnusedInvitationsBy({ userId }),
          insertMailTo({
            userId,
            purpose: 'account_suspended',
            about: JSON.stringify({ reason }),
            at: by.at,
          }),
        ],
        events: [
          statusEvent(by, userId, 'suspended'),
          addAccountEvents({ userId, type: 'access.paused', at: by.at }),
        ],
      });
    },
    async closeAccount(by, userId) {
      const isClosed = await runGuarded(database, {
        audit: entryOf(by, userId, 'user.close'),
        turn: 'operators',
        guard: close({ userId, hash: HASH_OF_CLOSED_ACCOUNT }),
        effects: [
          ...endSessionsOf(dialect, { userId, at: by.at, detail: 'account_closed' }),
          ...closingEffects(by, userId),
        ],
        events: [statusEvent(by, userId, 'closed'), addDataDeletions({ userId, at: by.at })],
      });
      // In a transaction of its own: this one has locked the member, who comes after posts. See `LOCKED_POST`.
      if (isClosed) await removeSomeTextsOf(database, userId);
      return isClosed;
    },
    async setMemberUntil(by, userId, until) {
      const end = until === undefined ? undefined : new Date(until).toISOString();
      await database.atomically({
        audit: entryOf(by, userId, 'user.set_membership', { until: end }),
        guard: updateMemberUntil({ userId, until }),
      });
    },
    async setRole(by, userId, role) {
      return runGuarded(database, {
        audit: entryOf(by, userId, 'user.set_role', { role }),
        turn: 'operators',
        guard:
          role === 'operator'
            ? makeOperator({ userId })
            : unmakeOperator({ userId, isModerator: role === 'moderator' ? 1 : 0 }),
        effects: [
          // An operator may have made a link for a member, or asked to remove the second factor. Neither may be left
          // to an operator's account, nor a link of someone who is no operator any more.
          deleteResetTokensOf({ userId }),
          deleteResetTokensBy({ userId }),
          deleteUnusedInvitationsBy({ userId }),
          ...cancelWaitingReset({ userId, at: by.at, address: undefined }),
          insertMailTo({ userId, purpose: 'role_changed', about: JSON.stringify({ role }), at: by.at }),
        ],
      });
    },
    async setLanguage(by, language) {
      await database.atomically({
        audit: ownAct(by),
        guard: updateLanguage({ userId: by.userId, language }),
      });
    },
    async suspensionReason(userId) {
      return (await database.first(selectReason({ userId })))?.reason;
    },
    async hasOtherOperator(userId) {
      return (await database.first(selectOtherOperator({ userId }))) !== undefined;
    },
  };
}

function entryOf(
  by: Doer,
  userId: number,
  action: AuditAction,
  detail: Readonly<Record<string, unknown>> = {},
): AuditTrail {
  return entry(by, { action, subject: { kind: 'user', id: String(userId) }, detail });
}

function statusEvent(by: Doer, userId: number, detail: AccountStatus): Bound<unknown> {
  const address = addressOf(by);
  return securityEvent({ event: 'account_status_changed', at: by.at, userId, address, by: by.kind, detail });
}

interface OfUser {
  userId: number;
}

const OTHER_OPERATORS = fragment`
  SELECT other.id FROM users AS other
  WHERE other.is_operator = 1 AND other.status = 'active' AND other.id <> :userId`;

// Of operators who act on one another at once, the last to come sees that no other is left: they take turns.
const IS_NOT_LAST_OPERATOR = fragment`(is_operator = 0 OR status <> 'active' OR EXISTS (${OTHER_OPERATORS}))`;

interface Reached extends OfUser {
  /** 0: only members without a role. */
  reachesAll: number;
}

const IS_REACHED = fragment`(cast(:reachesAll AS integer) = 1 OR (is_operator = 0 AND is_moderator = 0))`;

const reactivate = sql<Reached>`
  UPDATE users SET status = 'active', suspension_reason = NULL
  WHERE id = :userId AND status = 'suspended' AND ${IS_REACHED}`;

const suspend = sql<Reached & { reason: string | undefined }>`
  UPDATE users SET status = 'suspended', suspension_reason = :reason
  WHERE id = :userId AND status = 'active' AND ${IS_REACHED} AND ${IS_NOT_LAST_OPERATOR}`;

const selectReason = sql<OfUser, { reason: string | undefined }>`
  SELECT suspension_reason AS reason FROM users WHERE id = :userId AND status = 'suspended'`;

// No password has this hash: its salt and its tag are zeros. Verifying one takes the usual time.
const HASH_OF_CLOSED_ACCOUNT = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

const close = sql<OfUser & { hash: string }>`
  UPDATE users
  SET status = 'closed', password_hash = :hash, bio = '', links = '', email = NULL, email_key = NULL, avatar = NULL,
    suspension_reason = NULL, language = NULL
  WHERE id = :userId AND status <> 'closed' AND ${IS_NOT_LAST_OPERATOR}`;

const makeOperator = sql<OfUser>`
  UPDATE users SET is_operator = 1, is_moderator = 0 WHERE id = :userId AND status = 'active'`;

const unmakeOperator = sql<OfUser & { isModerator: number }>`
  UPDATE users SET is_operator = 0, is_moderator = :isModerator
  WHERE id = :userId AND status <> 'closed' AND (cast(:isModerator AS integer) = 0 OR status = 'active')
    AND ${IS_NOT_LAST_OPERATOR}`;

const updateLanguage = sql<OfUser & { language: string }>`
  UPDATE users SET language = :language WHERE id = :userId AND language IS DISTINCT FROM :language`;

const selectOtherOperator = sql<OfUser, { id: number }>`${OTHER_OPERATORS} LIMIT 1`;

const updateMemberUntil = sql<{ userId: number; until: Timestamp | undefined }>`
  UPDATE users SET member_until = :until WHERE id = :userId`;
