// Keeping results, within bounds.

/** A map of at most `most` entries: a new one beyond them takes the place of the oldest. */
export class BoundedMap<K, V> extends Map<K, V> {
  private readonly most: number;
  // Continues where it was: an iterator from the start would step over the gaps that deleted entries have left. It
  // holds on to the tables that the map has outgrown, so it exists only while entries must go.
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

/** The same function, which remembers its results for the `most` newest arguments. */
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
 * Makes one thing from a record, once for as long as the record is in use. It serves records that are given out again as
 * the same objects while they are unchanged.
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

/** Makes a thing when it is first asked for, and gives that one from then on. */
export function lazily<T>(make: () => T): () => T {
  let result: { thing: T } | undefined;
  return () => {
    result ??= { thing: make() };
    return result.thing;
  };
}
