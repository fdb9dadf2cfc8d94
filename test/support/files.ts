// The test files of a run: which ones, in which order, and how long each took.

import { glob, stat } from 'node:fs/promises';

/** Folders whose files take longest. They start first, so that no core is idle at the end of a run. */
const SLOW = [
  'test/fuzz',
  'test/journeys',
  'test/storage',
  'test/import',
  'test/conformance',
  'test/clients',
  'test/cli',
];
const MOST_LISTED = 10;

/** Find the files with these names or in these folders, or all files. Those in slow folders come first. */
export async function filesNamed(names: readonly string[]): Promise<string[]> {
  const patterns = names.length > 0 ? await Promise.all(names.map(patternOf)) : ['test/**/*.test.ts'];
  const files = await Array.fromAsync(glob(patterns));
  if (files.length === 0) throw new Error(`There is no test file in ${patterns.join(' ')}`);
  return files.sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1));
}

async function patternOf(name: string): Promise<string> {
  const isFolder = await stat(name).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  return isFolder ? `${name.replace(/\/$/, '')}/**/*.test.ts` : name;
}

function rankOf(file: string): number {
  const rank = SLOW.findIndex((folder) => file.startsWith(`${folder}/`));
  return rank === -1 ? SLOW.length : rank;
}

/** List the slowest files, one a line, from the milliseconds that each took. */
export function slowestFiles(durations: ReadonlyMap<string, number>): string[] {
  return [...durations]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_LISTED)
    .map(([file, ms]) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${file}`);
}
