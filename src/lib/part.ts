// A part of a long list, read with one more than it holds: whether the list goes on needs no counting.

/** Of `size` + 1 that were looked for: the part, and the last of it if there is more. */
export function partOf<T>(found: readonly T[], size: number): { items: readonly T[]; last: T | undefined } {
  const items = found.slice(0, size);
  return { items, last: found.length > size ? items.at(-1) : undefined };
}
