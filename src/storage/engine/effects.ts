// The effects of a transaction: the list that runs, and how many rows each named effect changed.

import type { Effects, Transaction } from './database.ts';
import type { Bound } from './sql.ts';

/** The statements that run after the guard, in their order. */
export function statementsAfterGuard(transaction: Transaction, happened: boolean): readonly Bound<unknown>[] {
  if (!happened) return (transaction.otherwise ?? NONE).flatMap(withFollowing);
  const { effects, audit, events = NONE } = transaction;
  return [...listOf(effects), ...audit.entries, ...events.flatMap(withFollowing)];
}

function withFollowing(statement: Bound<unknown>): readonly Bound<unknown>[] {
  return statement.followedBy === undefined ? [statement] : [statement, ...statement.followedBy];
}

const NONE: readonly never[] = [];

/** The rows of the statements that record security events. `rowsOf` returns the rows at an index. */
export function eventsOf(
  statements: readonly Bound<unknown>[],
  rowsOf: (index: number) => readonly unknown[],
): readonly unknown[] {
  if (!statements.some(({ isEvent }) => isEvent)) return NONE;
  return statements.flatMap(({ isEvent }, index) => (isEvent ? rowsOf(index) : []));
}

function listOf(effects: Effects | undefined): readonly Bound<unknown>[] {
  if (effects === undefined) return [];
  return Array.isArray(effects) ? effects : Object.values(effects).flat();
}

/** Sum `changes`, which is in the order of the statements, for each named effect: 0 if it did not run. */
export function changesOf(effects: Effects | undefined, changes: readonly number[]): unknown {
  if (effects === undefined || Array.isArray(effects)) return {};
  const counts = changes.values();
  const sums: Record<string, number> = {};
  for (const [name, statements] of Object.entries(effects)) {
    sums[name] = 0;
    const length = Array.isArray(statements) ? statements.length : 1;
    for (let index = 0; index < length; index += 1) sums[name] += counts.next().value ?? 0;
  }
  return sums;
}
