// Keeping results, within bounds.

/** A map of at most `most` entries. One more takes the place of the oldest. */
export class BoundedMap<K, V> extends Map<K, V> {
  private readonly most: number;
  // Stays where it is between two deletions: a new iterator would step over all the gaps of deleted entries.
  // It keeps alive tables that the map has outgrown, so `clear` lets go of it.
  private oldest: MapIterator<K> | undefined;

  constructor(most: number) {
    super();
    this.most = most;
  }

  override set(key: K, value: V): this {
    if (this.most === 0) return this;
    if (this.size >= this.most && !this.has(key)) this.deleteOldest();
    return super.set(key, value);
  }

  override clear(): void {
    this.oldest = undefined;
    super.clear();
  }

  private deleteOldest(): void {
    this.oldest ??= this.keys();
    const { done, value } = this.oldest.next();
    if (!done) this.delete(value);
    else {
      this.oldest = undefined;
      this.deleteOldest();
    }
  }
}

/** Wraps a function so that it remembers its results for the `most` newest arguments. */
export function remembering<A, R>(make: (argument: A) => R, most: number): (argument: A) => R {
  const results = new BoundedMap<A, R>(most);
  return (argument) => {
    let result = results.get(argument);
    if (result === undefined) {
      result = make(argument);
      results.set(argument, result);
    }
    return result;
  };
}

/**
 * Remembers what was made from a record for as long as the record is in use. It pays for records that are
 * the same objects again and again while they are unchanged.
 */
export function oncePerRecord<R extends object, T>(): (record: R, make: () => T) => T {
  const results = new WeakMap<R, T>();
  return (record, make) => {
    let result = results.get(record);
    if (result === undefined) {
      result = make();
      results.set(record, result);
    }
    return result;
  };
}

/** Wraps a function so that it runs once, when its result is first needed. */
export function lazily<T>(make: () => T): () => T {
  let result: { thing: T } | undefined;
  return () => {
    result ??= { thing: make() };
    return result.thing;
  };
}
