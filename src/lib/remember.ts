// Keeping some of what was made, within bounds.

/**
 * A map that holds at most so many: for a new entry beyond them the oldest goes. `onLeaving` is told of each value that
 * goes, whether it was let go, deleted or replaced, but not of those that go all together.
 */
export class BoundedMap<K, V> extends Map<K, V> {
  private readonly most: number;
  private readonly onLeaving: ((value: V) => void) | undefined;
  // Goes on from where it was: from the beginning it would pass all the gaps that those who went have left. It holds on
  // to what the map has outgrown, so it is there only while entries must go.
  private oldest: MapIterator<K> | undefined;

  constructor(most: number, onLeaving?: (value: V) => void) {
    super();
    this.most = most;
    this.onLeaving = onLeaving;
  }

  override set(key: K, value: V): this {
    if (this.most === 0) return this;
    if (this.size >= this.most && !this.has(key)) this.dropOldest();
    this.tell(key);
    return super.set(key, value);
  }

  override delete(key: K): boolean {
    this.tell(key);
    return super.delete(key);
  }

  override clear(): void {
    this.oldest = undefined;
    super.clear();
  }

  private tell(key: K): void {
    if (this.onLeaving === undefined) return;
    const value = this.get(key);
    if (value !== undefined) this.onLeaving(value);
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
 * the same objects while they are unchanged, and are not frozen.
 */
export function madeOnce<R extends object, T>(): (record: R, make: () => T) => T {
  // A property of the record itself: found without a search, and gone with it.
  const made = Symbol('made of it');
  return (record: R & { [made]?: T }, make) => {
    record[made] ??= make();
    return record[made];
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
