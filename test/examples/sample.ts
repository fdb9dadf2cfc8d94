// A sample application as a process, in a folder of its own, with its libraries as npm would install them.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { install } from '../../packages/build.ts';
import { type TestScope, temporaryFolder } from '../support/databases.ts';
import { isListening } from '../support/services.ts';

export const EXAMPLES = join(import.meta.dirname, '../../examples');

/** Copy a sample, and install what its package.json names. Returns the folder. */
export async function installedSample(scope: TestScope, name: string): Promise<string> {
  const folder = await temporaryFolder(scope);
  await cp(join(EXAMPLES, name), folder, { recursive: true });
  const manifest = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined);
  if (manifest === undefined) return folder;
  const { 'portico-client': client, ...others } = JSON.parse(manifest).dependencies;
  if (client !== undefined) install(folder, 'client', Object.keys(others));
  return folder;
}

export interface RunningSample {
  /** What it has printed. */
  output(): string;
  /** Wait for its end. Returns what it has printed. */
  ended(): Promise<string>;
}

/** Start a program. It is stopped when the scope ends. */
export function startSample(
  scope: TestScope,
  [program, ...words]: readonly [string, ...string[]],
  folder: string,
  settings: Record<string, string>,
): RunningSample {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(program, words, { cwd: folder, env: { PATH, HOME, ...settings }, detached: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      output += text;
    });
  }
  const exit = once(child, 'exit');
  scope.after(async () => {
    stop(child);
    await exit;
  });
  return {
    output: () => output,
    async ended() {
      await exit;
      return output;
    },
  };
}

/** Wait until a sample listens on this port. */
export async function untilListening({ output }: RunningSample, port: number): Promise<void> {
  for (let tries = 0; !(await isListening(port)); tries += 1) {
    if (tries > 1500) throw new Error(`It doesn't listen:\n${output()}`);
    await pause(20);
  }
}

// With its own children: `go run` and Flask start some.
function stop({ pid, exitCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null) process.kill(-pid, 'SIGKILL');
}
