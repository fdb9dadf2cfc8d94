// Authenticator apps and recovery codes, as rows. Each change locks the account, so that its column `has_factor` is
// right, and no sign-in slips in between.

import type { MemberDoer } from '../../audit/doer.ts';
import type { NewSecurityEventOf, SecurityEvent } from '../../audit/security-event.ts';
import type {
  AuthenticatorApp,
  CodeUse,
  FactorEffect,
  FactorReads,
  Factors,
  FactorWrites,
} from '../../identity/factor-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { NO_ENTRY, ownAct } from '../audit/audit-trail.ts';
import { EVENT_ROW, INTO_EVENTS, recorded, securityEvent } from '../audit/security-events.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { type Bound, fragment, sql } from '../engine/sql.ts';
import { endOtherSessionsOf } from './ended-sessions.ts';
import { newSessionEffects, newSessionEvents } from './new-session.ts';

export function factorRows(database: Database): FactorReads & FactorWrites {
  const { dialect } = database;
  return {
    async factorsOf(userId) {
      return (await database.first(selectFactors({ userId }))) ?? NO_FACTORS;
    },
    async findApp(userId) {
      return database.first(selectApp({ userId }));
    },
    async factorDueAt(userId) {
      return (await database.first(selectDue({ userId })))?.due;
    },
    async setFactorDue(by, due) {
      await database.atomically({ audit: ownAct(by), guard: updateDue({ userId: by.userId, due }) });
    },
    async startApp(by, secret) {
      const { userId, at } = by;
      return runGuarded(database, { audit: ownAct(by), guard: insertApp({ userId, secret, at }) });
    },
    async confirmApp(by, app, step, { sessionKey: key, recoveryCodes }) {
      const { userId, at } = by;
      return runGuarded(database, {
        audit: ownAct(by),
        guard: confirmApp[dialect]({ ...app, userId, sessionKey: key, step, at }),
        effects: [
          // Those that began with nothing but the password. A further factor ends none.
          ...endOtherSessionsOf(dialect, { userId, at, key, mayHaveFactor: 0, detail: 'factors_changed' }),
          updateHasFactor({ userId }),
          ...newRecoveryCodes(userId, recoveryCodes, at),
        ],
        events: [factorEvent(by, 'factor_added', 'app')],
      });
    },
    async removeApp(by, key) {
      const { userId, at } = by;
      return runGuarded(database, {
        audit: ownAct(by),
        guard: deleteConfirmedApp[dialect]({ userId, sessionKey: key }),
        effects: [
          ...endOtherSessionsOf(dialect, { userId, at, key, mayHaveFactor: 1, detail: 'factors_changed' }),
          updateHasFactor({ userId }),
          deleteUselessCodes({ userId }),
        ],
        events: [factorEvent(by, 'factor_removed', 'app')],
      });
    },
    async replaceRecoveryCodes(by, sessionKey, digests) {
      const { userId, at } = by;
      return runGuarded(database, {
        audit: ownAct(by),
        guard: lockUserWithFactor[dialect]({ userId, sessionKey }),
        effects: newRecoveryCodes(userId, digests, at),
        events: [factorEvent(by, 'factor_added', 'recovery_codes')],
      });
    },
    async useCode(use, effect) {
      return runGuarded(database, {
        audit: NO_ENTRY,
        guard: use.factor === 'app' ? useStep[dialect](use) : useRecoveryCode[dialect](use),
        effects: effectsOf(use.userId, effect),
        events: eventsOf(use, effect),
      });
    },
    async proveSession(key, at) {
      await database.atomically({ audit: NO_ENTRY, guard: updateProof({ key, at }) });
    },
  };
}

/** The event of a changed factor. */
export function factorEvent<E extends 'factor_added' | 'factor_removed'>(
  { userId, at, address }: MemberDoer,
  event: E,
  detail: NewSecurityEventOf<E>['detail'],
): Bound<unknown> {
  return securityEvent({ event, at, userId, address, detail } as NewSecurityEventOf<E>);
}

/** The effects of a used factor. */
export function effectsOf(userId: number, effect: FactorEffect): Bound<unknown>[] {
  if ('session' in effect) {
    const { session, start } = effect;
    // A member who signs in with the factor has not lost it.
    const cancellation = { userId, at: session.authenticatedAt, address: start.address };
    return [...cancelWaitingReset(cancellation), ...newSessionEffects(session, start)];
  }
  return [updateProof({ key: effect.sessionKey, at: effect.at })];
}

/** The events of a used factor: a sign-in, or none for a proof. */
export function signInEventsOf(effect: FactorEffect): Bound<unknown>[] {
  return 'session' in effect ? newSessionEvents(effect.session, effect.start) : [];
}

function eventsOf({ userId, factor }: CodeUse, effect: FactorEffect): Bound<unknown>[] {
  const signIn = signInEventsOf(effect);
  if (factor === 'app') return signIn;
  const [at, address] =
    'session' in effect
      ? [effect.session.authenticatedAt, effect.start.address]
      : [effect.at, effect.address];
  return [securityEvent({ event: 'recovery_code_used', at, userId, address }), ...signIn];
}

/** The statements that put these recovery codes in the place of all others. */
export function newRecoveryCodes(
  userId: number,
  digests: readonly string[],
  at: Timestamp,
): Bound<unknown>[] {
  if (digests.length === 0) return [];
  return [
    deleteRecoveryCodes({ userId }),
    ...digests.map((digest) => insertRecoveryCode({ userId, digest, at })),
  ];
}

/** The statements that delete everything about an account's factors. */
export function deleteFactorsOf(userId: number): Bound<unknown>[] {
  return [
    deleteApp({ userId }),
    deletePasskeysOf({ userId }),
    deleteRecoveryCodes({ userId }),
    deleteFactorReset({ userId }),
    updateHasFactor({ userId }),
  ];
}

const NO_FACTORS: Factors = { appSince: undefined, passkeys: 0, recoveryCodes: 0 };

interface OfUser {
  userId: number;
}

const selectFactors = sql<OfUser, Factors>`
  SELECT (SELECT confirmed_at FROM authenticator_apps WHERE user_id = :userId) AS "appSince",
    (SELECT count(*) FROM passkeys WHERE user_id = :userId) AS passkeys,
    (SELECT count(*) FROM recovery_codes WHERE user_id = :userId) AS "recoveryCodes"`;

const selectApp = sql<OfUser, AuthenticatorApp>`
  SELECT secret, confirmed_at AS "confirmedAt" FROM authenticator_apps WHERE user_id = :userId`;

const selectDue = sql<OfUser, { due: Timestamp | undefined }>`
  SELECT factor_due_at AS due FROM users WHERE id = :userId`;

const updateDue = sql<OfUser & { due: Timestamp }>`
  UPDATE users SET factor_due_at = :due WHERE id = :userId AND factor_due_at IS NULL`;

const insertApp = sql<OfUser & { secret: string; at: Timestamp }>`
  INSERT INTO authenticator_apps (user_id, secret, created_at)
  SELECT id, :secret, :at FROM users WHERE id = :userId AND status = 'active'
  ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, created_at = excluded.created_at
  WHERE authenticator_apps.confirmed_at IS NULL`;

const ACTIVE = fragment`SELECT id FROM users WHERE id = :userId AND status = 'active'`;
/** The account, if it is active. PostgreSQL locks it, so that changes of its factors follow one another. */
export const THE_ACCOUNT = {
  sqlite: fragment`(${ACTIVE})`,
  postgres: fragment`(${ACTIVE} FOR NO KEY UPDATE)`,
};

const SESSION = fragment`SELECT sessions.user_id FROM sessions WHERE sessions.key = :sessionKey AND sessions.user_id =`;
/**
 * The same, if this session of the account is open. On PostgreSQL the lock makes whoever ends it wait, or waits for its
 * end. The account is locked first, as by those who end all sessions.
 */
export const THE_ACCOUNT_OF_SESSION = {
  sqlite: fragment`(${SESSION} ${THE_ACCOUNT.sqlite})`,
  postgres: fragment`(${SESSION} ${THE_ACCOUNT.postgres} FOR KEY SHARE)`,
};

const CONFIRM_APP = fragment`
  UPDATE authenticator_apps SET secret = :secret, confirmed_at = :at, last_step = :step
  WHERE confirmed_at IS NULL AND secret = :pending AND user_id =`;

type OfSession = OfUser & { sessionKey: string };

type Confirmation = OfSession & {
  pending: string;
  secret: string;
  step: number;
  at: Timestamp;
};

const confirmApp = {
  sqlite: sql<Confirmation>`${CONFIRM_APP} ${THE_ACCOUNT_OF_SESSION.sqlite}`,
  postgres: sql<Confirmation>`${CONFIRM_APP} ${THE_ACCOUNT_OF_SESSION.postgres}`,
};

const DELETE_CONFIRMED_APP = fragment`
  DELETE FROM authenticator_apps WHERE confirmed_at IS NOT NULL AND user_id =`;

const deleteConfirmedApp = {
  sqlite: sql<OfSession>`${DELETE_CONFIRMED_APP} ${THE_ACCOUNT_OF_SESSION.sqlite}`,
  postgres: sql<OfSession>`${DELETE_CONFIRMED_APP} ${THE_ACCOUNT_OF_SESSION.postgres}`,
};

const deleteApp = sql<OfUser>`DELETE FROM authenticator_apps WHERE user_id = :userId`;

/** The removal that an operator asked for does not happen. */
export const deleteFactorReset = sql<OfUser>`DELETE FROM factor_resets WHERE user_id = :userId`;

type Cancellation = OfUser & { at: Timestamp; address: string | undefined };

/** The event of a cancelled removal. */
export function cancelEvent({ userId, at, address }: Cancellation): Bound<unknown> {
  return securityEvent({ event: 'factor_reset_cancelled', at, userId, address });
}

/** Cancel the removal, if there is one. The event is written first: it looks at the row. */
export function cancelWaitingReset(cancellation: Cancellation): Bound<unknown>[] {
  return [recorded(cancelEventIfAsked(cancellation)), deleteFactorReset({ userId: cancellation.userId })];
}

const cancelEventIfAsked = sql<Cancellation, SecurityEvent>`
  ${INTO_EVENTS}
  SELECT :at, 'factor_reset_cancelled', user_id, NULL, :address, NULL, NULL, NULL
  FROM factor_resets WHERE user_id = :userId
  ${EVENT_ROW}`;

const deletePasskeysOf = sql<OfUser>`DELETE FROM passkeys WHERE user_id = :userId`;

export const updateHasFactor = sql<OfUser>`
  UPDATE users SET has_factor = CASE
    WHEN EXISTS (
      SELECT 1 FROM authenticator_apps WHERE authenticator_apps.user_id = users.id AND confirmed_at IS NOT NULL)
      OR EXISTS (SELECT 1 FROM passkeys WHERE passkeys.user_id = users.id)
    THEN 1 ELSE 0 END
  WHERE id = :userId`;

const LOCK_USER_WITH_FACTOR = fragment`UPDATE users SET status = status WHERE has_factor = 1 AND id =`;

const lockUserWithFactor = {
  sqlite: sql<OfSession>`${LOCK_USER_WITH_FACTOR} ${THE_ACCOUNT_OF_SESSION.sqlite}`,
  postgres: sql<OfSession>`${LOCK_USER_WITH_FACTOR} ${THE_ACCOUNT_OF_SESSION.postgres}`,
};

const insertRecoveryCode = sql<OfUser & { digest: string; at: Timestamp }>`
  INSERT INTO recovery_codes (digest, user_id, created_at) VALUES (:digest, :userId, :at)`;

const deleteRecoveryCodes = sql<OfUser>`DELETE FROM recovery_codes WHERE user_id = :userId`;

/** Recovery codes stand in for a factor. */
export const deleteUselessCodes = sql<OfUser>`
  DELETE FROM recovery_codes
  WHERE user_id = :userId AND EXISTS (SELECT 1 FROM users WHERE users.id = :userId AND users.has_factor = 0)`;

/** Note that the member has proved who they are in the browser of a session. */
export const updateProof = sql<{ key: string; at: Timestamp }>`
  UPDATE sessions SET proven_at = :at WHERE key = :key`;

const WITH_PASSWORD = fragment`${ACTIVE} AND password_hash = :passwordHash`;
const THE_ACCOUNT_WITH_PASSWORD = {
  sqlite: fragment`(${WITH_PASSWORD})`,
  postgres: fragment`(${WITH_PASSWORD} FOR NO KEY UPDATE)`,
};

const USE_STEP = fragment`
  UPDATE authenticator_apps SET last_step = :step
  WHERE confirmed_at IS NOT NULL AND last_step < :step AND user_id =`;

type StepUse = Omit<Extract<CodeUse, { factor: 'app' }>, 'factor'>;

const useStep = {
  sqlite: sql<StepUse>`${USE_STEP} ${THE_ACCOUNT_WITH_PASSWORD.sqlite}`,
  postgres: sql<StepUse>`${USE_STEP} ${THE_ACCOUNT_WITH_PASSWORD.postgres}`,
};

const USE_RECOVERY_CODE = fragment`DELETE FROM recovery_codes WHERE digest = :digest AND user_id =`;

type RecoveryCodeUse = Omit<Extract<CodeUse, { factor: 'recovery_code' }>, 'factor'>;

const useRecoveryCode = {
  sqlite: sql<RecoveryCodeUse>`${USE_RECOVERY_CODE} ${THE_ACCOUNT_WITH_PASSWORD.sqlite}`,
  postgres: sql<RecoveryCodeUse>`${USE_RECOVERY_CODE} ${THE_ACCOUNT_WITH_PASSWORD.postgres}`,
};
