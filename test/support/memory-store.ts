// A store of files in memory, whose acts a test can make fail.

import type { FileStore } from '../../src/lib/file-store.ts';

export class MemoryStore implements FileStore {
  readonly files = new Map<string, Uint8Array>();
  /** The number of the next write that fails, because the disk is full. */
  failAt = 0;
  isAway = false;
  /** Called before each act. */
  before: (act: keyof FileStore, name: string) => Promise<void> | void = () => {};

  async write(name: string, bytes: Uint8Array): Promise<void> {
    await this.#begin('write', name);
    this.failAt -= 1;
    if (this.failAt === 0) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    this.files.set(name, bytes);
  }

  async read(name: string): Promise<Uint8Array | undefined> {
    await this.#begin('read', name);
    return this.files.get(name);
  }

  async has(name: string): Promise<boolean> {
    await this.#begin('has', name);
    return this.files.has(name);
  }

  async remove(name: string): Promise<void> {
    await this.#begin('remove', name);
    this.files.delete(name);
  }

  async #begin(act: keyof FileStore, name: string): Promise<void> {
    await this.before(act, name);
    if (this.isAway) throw new Error('away');
  }
}
