// Who causes a write, and when: the first parameter of every write that a person causes.

import type { Clock, Timestamp } from '../lib/clock.ts';

/** A member, who changes what belongs to them. */
export interface MemberDoer {
  kind: 'member';
  userId: number;
  at: Timestamp;
  /** The network address, for acts that are security events. */
  address?: string | undefined;
}

/** An operator, who changes what belongs to others, on the site's pages. */
export interface OperatorDoer {
  kind: 'operator';
  userId: number;
  at: Timestamp;
}

/** A moderator, who changes what other members wrote, on the site's pages. */
export interface ModeratorDoer {
  kind: 'moderator';
  userId: number;
  at: Timestamp;
}

/** A person with access to the machine, or the server on its own behalf, such as when it rotates keys. */
export interface SystemDoer {
  kind: 'command-line' | 'server';
  at: Timestamp;
}

/** A person who decides about content. */
export type Moderating = OperatorDoer | ModeratorDoer;

/**
 * Storage records the acts of operators, moderators and the command line in the audit log, in the same
 * transaction.
 */
export type Doer = MemberDoer | Moderating | SystemDoer;

export function byMember({ id }: { id: number }, clock: Clock, address?: string): MemberDoer {
  return { kind: 'member', userId: id, at: clock(), address };
}

export function byOperator({ id }: { id: number }, clock: Clock): OperatorDoer {
  return { kind: 'operator', userId: id, at: clock() };
}

/** The doer of an act that both operators and moderators may do. */
export function byModerating(
  { id, isOperator }: { id: number; isOperator: boolean },
  clock: Clock,
): Moderating {
  return { kind: isOperator ? 'operator' : 'moderator', userId: id, at: clock() };
}

export function byCommandLine(clock: Clock): SystemDoer {
  return { kind: 'command-line', at: clock() };
}

export function byServer(clock: Clock): SystemDoer {
  return { kind: 'server', at: clock() };
}
