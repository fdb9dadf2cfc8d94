// Stores of files: a folder, or an S3-compatible service. The names are digests with a suffix, so they need no checks.

import { randomBase62 } from './secrets.ts';

export interface FileStore {
  /** Returns after the file is durable. A file of this name is replaced. */
  write(name: string, bytes: Uint8Array): Promise<void>;
  /** Undefined if there is no such file. */
  read(name: string): Promise<Uint8Array | undefined>;
  has(name: string): Promise<boolean>;
  /** Does nothing if there is no such file. */
  remove(name: string): Promise<void>;
}

/** A store failed. The message is for the operator, with the setting and the place; the cause is what went wrong. */
export class FileStoreFailure extends Error {}

/** The same store, with failures for the operator. */
export function describedStore(store: FileStore, describe: (error: unknown) => string): FileStore {
  const described = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error) => {
      throw new FileStoreFailure(describe(error), { cause: error });
    });
  return {
    write: (name, bytes) => described(store.write(name, bytes)),
    read: (name) => described(store.read(name)),
    has: (name) => described(store.has(name)),
    remove: (name) => described(store.remove(name)),
  };
}

/** Write, read and remove a file, to notice a store that can't be used. Throws if the store of this setting can't. */
export async function tryStore(store: FileStore, setting: string): Promise<void> {
  // Several servers can start at once.
  const name = `check-${randomBase62(20)}` as const;
  if (!(await isSameStore(store, store, name)))
    throw new FileStoreFailure(`${setting}: a file that was stored can't be read`);
}

/** Report whether a file that is written to one store is in the other one. No picture has the name. */
export async function isSameStore(
  store: FileStore,
  other: FileStore,
  name: `check-${string}`,
): Promise<boolean> {
  const bytes = new TextEncoder().encode(randomBase62(20));
  await store.write(name, bytes);
  try {
    const read = await other.read(name);
    return read !== undefined && Buffer.compare(read, bytes) === 0;
  } finally {
    await store.remove(name);
  }
}
