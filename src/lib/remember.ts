// Remembering results, within bounds.

/** A map of at most `most` entries. A new entry beyond that replaces the oldest. */
export class BoundedMap<K, V> extends Map<K, V> {
  private readonly most: number;
  // Kept between deletions, because a new iterator would step over the gaps of all deleted entries. An
  // iterator also keeps the map's old tables in memory, so `clear` drops it.
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

/** Wrap a function so that it remembers its results for the `most` newest arguments. */
export function memoize<A, R>(make: (argument: A) => R, most: number): (argument: A) => R {
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
 * Remember the result for each record, as long as the record object is in use. This is useful for cached records,
 * which are the same object at every read until they change.
 */
export function memoizeByRecord<R extends object, T>(): (record: R, make: () => T) => T {
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

/**
 * Remember the newest result for each record, as long as all other facts that it is made from are the same: the same
 * objects, or equal texts and numbers.
 */
export function memoizeByFacts<R extends object, T>(): (
  record: R,
  facts: readonly unknown[],
  make: () => T,
) => T {
  const newest = new WeakMap<R, { facts: readonly unknown[]; result: T }>();
  return (record, facts, make) => {
    const known = newest.get(record);
    if (known?.facts.every((fact, index) => Object.is(fact, facts[index]))) return known.result;
    const result = make();
    newest.set(record, { facts, result });
    return result;
  };
}

/** Wrap a function so that it runs once, when its result is first needed. */
export function lazily<T>(make: () => T): () => T {
  let result: { thing: T } | undefined;
  return () => {
    result ??= { thing: make() };
    return result.thing;
  };
}
