// The doers of the writes in the tests of storage, all at noon unless a test needs another time.

import type { MemberDoer, ModeratorDoer, OperatorDoer, SystemDoer } from '../../src/audit/doer.ts';
import type { Timestamp } from '../../src/lib/clock.ts';
import { NOON } from './records.ts';

/** For the records that a test needs: acts of the server are not logged. */
export const SERVER: SystemDoer = { kind: 'server', at: NOON };

export const COMMAND_LINE: SystemDoer = { kind: 'command-line', at: NOON };

export function asMember(userId: number, at: Timestamp = NOON): MemberDoer {
  return { kind: 'member', userId, at };
}

export function asModerator(userId: number, at: Timestamp = NOON): ModeratorDoer {
  return { kind: 'moderator', userId, at };
}

export function asOperator(userId: number, at: Timestamp = NOON): OperatorDoer {
  return { kind: 'operator', userId, at };
}
