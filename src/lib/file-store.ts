// Stores of files: a folder, or an S3-compatible service. The names are digests with a suffix, so they need no checks.

export interface FileStore {
  /** Returns after the file is durable. A file of this name is replaced. */
  write(name: string, bytes: Uint8Array): Promise<void>;
  /** Undefined if there is no such file. */
  read(name: string): Promise<Uint8Array | undefined>;
  /** Does nothing if there is no such file. */
  remove(name: string): Promise<void>;
}

/** Write, read and remove a file, so that a store that can't be used is noticed at the start. Throws if it can't. */
export async function tryStore(store: FileStore, name: string): Promise<void> {
  const bytes = new TextEncoder().encode(name);
  await store.write(name, bytes);
  const read = await store.read(name);
  await store.remove(name);
  if (read === undefined || Buffer.compare(read, bytes) !== 0)
    throw new Error('it does not return what was stored');
}
