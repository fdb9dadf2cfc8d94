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

/** A person with access to the machine, or the server on its own behalf, such as when it rotates keys. */
export interface SystemDoer {
  kind: 'command-line' | 'server';
  at: Timestamp;
}

/** Storage records the acts of operators and of the command line in the audit log, in the same transaction. */
export type Doer = MemberDoer | OperatorDoer | SystemDoer;

export function byMember({ id }: { id: number }, clock: Clock, address?: string): MemberDoer {
  return { kind: 'member', userId: id, at: clock(), address };
}

export function byOperator({ id }: { id: number }, clock: Clock): OperatorDoer {
  return { kind: 'operator', userId: id, at: clock() };
}

export function byCommandLine(clock: Clock): SystemDoer {
  return { kind: 'command-line', at: clock() };
}

export function byServer(clock: Clock): SystemDoer {
  return { kind: 'server', at: clock() };
}
