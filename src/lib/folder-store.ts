// Files in a folder, in subfolders by the beginning of their names, so that no folder becomes long.

import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FileStore } from './file-store.ts';

/** Open the store in a folder, which is made with the first file. */
export function folderStore(folder: string): FileStore {
  const pathOf = (name: string) => join(folder, name.slice(0, 2), name);
  return {
    async write(name, bytes) {
      const path = pathOf(name);
      // Under another name until it is complete, so that a full disk leaves no half of a file. The name is always the
      // same: the next attempt replaces what a crash has left.
      const unfinished = `${path}.part`;
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      try {
        await writeDurably(unfinished, bytes);
        await rename(unfinished, path);
      } catch (error) {
        await rm(unfinished, { force: true }).catch(() => {});
        throw error;
      }
      // The names in a folder are data of the folder.
      await synchronize(dirname(path));
      await synchronize(folder);
    },
    read: (name) => unlessMissing(readFile(pathOf(name))),
    has: async (name) => (await unlessMissing(stat(pathOf(name)))) !== undefined,
    async remove(name) {
      await rm(pathOf(name), { force: true });
      await rm(`${pathOf(name)}.part`, { force: true });
    },
  };
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function synchronize(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
