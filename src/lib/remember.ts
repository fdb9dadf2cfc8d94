// Keeping some of what was made, within bounds.

/** A map that holds at most so many: for a new entry beyond them the oldest goes. */
export class BoundedMap<K, V> extends Map<K, V> {
  private readonly most: number;
  // Goes on from where it was: from the beginning it would pass all the gaps that those who went have left. It holds on
  // to what the map has outgrown, so it is there only while entries must go.
  private oldest: MapIterator<K> | undefined;

  constructor(most: number) {
    super();
    this.most = most;
  }

  override set(key: K, value: V): this {
    if (this.most === 0) return this;
    if (this.size >= this.most && !this.has(key)) this.dropOldest();
    return super.set(key, value);
  }

  override clear(): void {
    this.oldest = undefined;
    super.clear();
  }

  private dropOldest(): void {
    this.oldest ??= this.keys();
    const { done, value } = this.oldest.next();
    if (!done) this.delete(value);
    else {
      this.oldest = undefined;
      this.dropOldest();
    }
  }
}

/** The same function, which makes the result for an argument once as long as it is among the newest so many. */
export function remembering<A, R>(make: (argument: A) => R, most: number): (argument: A) => R {
  const made = new BoundedMap<A, R>(most);
  return (argument) => {
    let result = made.get(argument);
    if (result === undefined) {
      result = make(argument);
      made.set(argument, result);
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

/** Makes a thing when it is first asked for, and gives that one from then on. */
export function lazily<T>(make: () => T): () => T {
  let made: { thing: T } | undefined;
  return () => {
    made ??= { thing: make() };
    return made.thing;
  };
}
