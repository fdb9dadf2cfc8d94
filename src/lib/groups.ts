// A long list, a few at a time.

/** Cut a list into groups of at most so many, in its order. */
export function* groupsOf<T>(list: readonly T[], most: number): Iterable<readonly T[]> {
  for (let start = 0; start < list.length; start += most) yield list.slice(start, start + most);
}
