// Values that wait in memory for a moment and are written in batches, so that no request waits for the database.

/** Values under keys, which are written soon. A crash loses those that wait. */
export interface Batches<T> {
  /** The value that waits under the key. */
  get(key: string): T | undefined;
  /** Adds or replaces a value. Ignored after `close`, and while too many wait. */
  set(key: string, value: T): void;
  /** Writes the values that wait. */
  flush(): Promise<void>;
  /** Writes the values that wait, and ignores later ones. */
  close(): Promise<void>;
}

export interface BatchOptions<T> {
  /** Writes a batch and deletes from it what it has written. If it throws, the rest is tried again. */
  write(batch: Map<string, T>): Promise<void>;
  /** Called for a batch that could not be written. */
  onFailure(error: unknown): void;
  /** In milliseconds: how long the first value of a batch waits. */
  pause: number;
  /** How many values can wait. */
  most: number;
  /** Joins a value of a failed batch with the one that has come under its key since. */
  join?(failed: T, newer: T): T;
}

/** Collect values, and write them in batches. */
export function openBatches<T>({ write, onFailure, pause, most, join }: BatchOptions<T>): Batches<T> {
  let waiting = new Map<string, T>();
  let timer: NodeJS.Timeout | undefined;
  let underWay = Promise.resolve();
  let isClosed = false;

  async function writeBatch(): Promise<void> {
    const batch = waiting;
    if (batch.size === 0) return;
    waiting = new Map();
    try {
      await write(batch);
    } catch (error) {
      putBack(batch);
      onFailure(error);
      writeSoon();
    }
  }

  function putBack(batch: Map<string, T>): void {
    for (const [key, failed] of batch) {
      const newer = waiting.get(key);
      if (newer !== undefined) waiting.set(key, join?.(failed, newer) ?? newer);
      else if (waiting.size < most) waiting.set(key, failed);
    }
  }

  // One batch after another: two at once would only wait for each other in the database.
  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    underWay = underWay.then(writeBatch);
    return underWay;
  }

  function writeSoon(): void {
    if (!isClosed) timer ??= setTimeout(flush, pause).unref();
  }

  return {
    get: (key) => waiting.get(key),
    set(key, value) {
      if (isClosed || (waiting.size >= most && !waiting.has(key))) return;
      waiting.set(key, value);
      writeSoon();
    },
    flush,
    close() {
      isClosed = true;
      return flush();
    },
  };
}
