// One page of a long list. Reading one row more than the page holds tells whether more follow, without
// counting.

/**
 * Cut rows that were read with a limit of `size` + 1 down to a page. `last` is its last item if more follow.
 */
export function partOf<T>(rows: readonly T[], size: number): { items: readonly T[]; last: T | undefined } {
  const items = rows.slice(0, size);
  return { items, last: rows.length > size ? items.at(-1) : undefined };
}
