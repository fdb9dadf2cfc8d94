// For programs on one machine: the tokens are in a file, shared by all processes, which refresh one at a time.

import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PorticoError } from './errors.ts';
import { oneAtATime, type SavedTokens, type TokenStore } from './store.ts';

// Longer than a refresh can take with all its repetitions.
const LOCK_EXPIRES_AFTER = 180_000;
const LONGEST_WAIT = 240_000;

/**
 * Keep the tokens in this file, which only its owner can read. The processes that share it must be on one machine.
 * The lock of a process that died is removed.
 */
export function fileStore(path: string): TokenStore {
  const inProcess = oneAtATime();
  return {
    async load() {
      const text = await contentOf(path);
      return text === undefined ? undefined : (JSON.parse(text) as SavedTokens);
    },
    save: (tokens) => writeDurably(path, JSON.stringify(tokens)),
    remove: () => rm(path, { force: true }),
    lock: (work) =>
      inProcess(async () => {
        const release = await lockFile(`${path}.lock`);
        try {
          return await work();
        } finally {
          await release();
        }
      }),
  };
}

// A process that is killed at any point leaves either the old file or the new one.
async function writeDurably(path: string, text: string): Promise<void> {
  const temporary = `${path}.new`;
  const file = await open(temporary, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  // Windows can't open a folder, and needs no sync of it.
  if (process.platform === 'win32') return;
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function lockFile(path: string): Promise<() => Promise<void>> {
  const owner = JSON.stringify({ host: hostname(), pid: process.pid });
  for (const start = Date.now(); !(await create(path, owner)); await pause(10)) {
    await removeIfAbandoned(path);
    if (Date.now() - start > LONGEST_WAIT) {
      const message = `Another program holds ${path}. If no program uses it, delete this file.`;
      throw new PorticoError('unavailable', message);
    }
  }
  return async () => {
    // Not a lock that another process took, because this one was suspended for minutes.
    if ((await contentOf(path)) === owner) await rm(path, { force: true });
  };
}

/** Create a file with this content. Returns false if it exists. */
async function create(path: string, content: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(content).finally(() => file.close());
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function removeIfAbandoned(path: string): Promise<void> {
  if (!(await isAbandoned(path))) return;
  // One process at a time: a second one could remove the lock that the first one takes now.
  const removing = `${path}.removing`;
  if (((await ageOf(removing)) ?? 0) > LOCK_EXPIRES_AFTER) await rm(removing, { force: true });
  if (!(await create(removing, ''))) return;
  try {
    if (await isAbandoned(path)) await rm(path, { force: true });
  } finally {
    await rm(removing, { force: true });
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  const [content, age] = [await contentOf(path), await ageOf(path)];
  if (content === undefined || age === undefined) return false;
  if (age > LOCK_EXPIRES_AFTER) return true;
  // Its owner has created it and not written it yet.
  if (content === '') return false;
  const { host, pid } = JSON.parse(content) as { host: string; pid: number };
  return host === hostname() && !isRunning(pid);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function contentOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(undefinedIfAbsent);
}

async function ageOf(path: string): Promise<number | undefined> {
  return stat(path).then(({ mtimeMs }) => Date.now() - mtimeMs, undefinedIfAbsent);
}

function undefinedIfAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
