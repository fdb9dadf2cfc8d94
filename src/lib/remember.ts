// Keeping some of what was made, within bounds.

/** Puts a value into a map that may hold so many: for a new one beyond them the oldest goes. */
export function putBounded<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  if (map.size >= most && !map.has(key)) {
    for (const oldest of map.keys()) {
      map.delete(oldest);
      break;
    }
  }
  map.set(key, value);
}

/** The same function, which makes the result for an argument once as long as it is among the newest so many. */
export function remembering<A, R>(make: (argument: A) => R, most: number): (argument: A) => R {
  const made = new Map<A, R>();
  return (argument) => {
    let result = made.get(argument);
    if (result === undefined) {
      result = make(argument);
      putBounded(made, argument, result, most);
    }
    return result;
  };
}

/**
 * Makes what follows from a record once for as long as the record is in use: for records that are given out again as
 * the same objects while they are unchanged.
 */
export function madeOnce<R extends object, T>(): (record: R, make: () => T) => T {
  const known = new WeakMap<R, T>();
  return (record, make) => {
    let made = known.get(record);
    if (made === undefined) {
      made = make();
      known.set(record, made);
    }
    return made;
  };
}
