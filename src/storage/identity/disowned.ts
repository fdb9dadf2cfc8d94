// What a link "This wasn't me" does to the account, as one step.

import type { SecurityEvent } from '../../audit/security-event.ts';
import type { DisowningWrites } from '../../identity/disowning-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { NO_ENTRY } from '../audit/audit-trail.ts';
import { EVENT_ROW, INTO_EVENTS, recorded } from '../audit/security-events.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { sql } from '../engine/sql.ts';
import { removeFactorsSince } from './disowned-factors.ts';
import { insertTokenIfPasswordIs, rowOf, useDisowningToken } from './mail-tokens.ts';
import { endOldAccess, setPasswordOfAddress } from './passwords.ts';

export function disownedRows(database: Database): DisowningWrites {
  return {
    async disown(
      { key, userId, email, disowned = {} },
      { passwordHash: hash, reset, factorsSince: since, at, address },
    ) {
      const { clientId, tokenId, purpose = '' } = disowned;
      const subject = tokenId === undefined ? undefined : String(tokenId);
      return runGuarded(database, {
        audit: NO_ENTRY,
        guard: useDisowningToken({ key, now: at }),
        effects: [
          setPasswordOfAddress({ userId, email, to: hash }),
          ...endOldAccess(database.dialect, { userId, hash, at, detail: 'activity_disowned' }),
          ...removeFactorsSince({ userId, hash, since, at, address }),
          insertTokenIfPasswordIs({ ...rowOf(reset), hash }),
        ],
        events: [recorded(insertDisowned({ at, userId, hash, clientId, address, purpose, subject }))],
      });
    },
  };
}

// The hash is unique, so the account has it only if this step has set it.
const insertDisowned = sql<
  {
    at: Timestamp;
    userId: number;
    hash: string;
    clientId: string | undefined;
    address: string | undefined;
    purpose: string;
    subject: string | undefined;
  },
  SecurityEvent
>`
  ${INTO_EVENTS}
  SELECT :at, 'activity_disowned', id, :clientId, :address, NULL, :purpose, :subject
  FROM users WHERE id = :userId AND password_hash = :hash
  ${EVENT_ROW}`;
