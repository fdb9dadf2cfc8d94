// The program as operators run it: the service and the command line as processes.

import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from './services.ts';

const ROOT = join(import.meta.dirname, '../..');

export interface Program {
  url: string;
  pid: number;
  /** Everything it has printed so far, the log included. */
  output(): string;
  /** Wait until it says that it is open, which is when all its workers listen. */
  opened(): Promise<void>;
  /** Run an operator's command next to it. Returns the JSON that it prints. */
  portico(...words: string[]): Promise<Record<string, string> & { id: number }>;
  /** Ask it to stop, and wait for its exit. */
  stop(): Promise<void>;
}

/** Start the server, or the sandbox, on this port or on a free one, and wait until it answers. */
export async function startProgram(
  settings: Record<string, string>,
  atPort?: number,
  command: 'serve' | 'sandbox' = 'serve',
): Promise<Program> {
  const port = atPort ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const environment = { ...process.env, HOST: '127.0.0.1', PORT: String(port), BASE_URL: url, ...settings };
  const child = spawn(process.execPath, ['bin/portico.js', command], { cwd: ROOT, env: environment });
  let output = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  child.stderr.on('data', (text) => {
    output += text;
  });
  await untilAnswering(url, child, () => output);
  return {
    url,
    pid: child.pid ?? 0,
    output: () => output,
    async opened() {
      while (!output.includes(' is open at ')) {
        if (child.exitCode !== null) throw new Error(`The program exited while it was starting:\n${output}`);
        await pause(20);
      }
    },
    async portico(...words) {
      const line = ['bin/portico.js', ...words, '--json'];
      const { stdout } = await promisify(execFile)(process.execPath, line, {
        cwd: ROOT,
        env: environment,
      });
      return JSON.parse(stdout);
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
    },
  };
}

async function untilAnswering(url: string, child: ChildProcess, output: () => string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The program exited while it was starting:\n${output()}`);
    // Closes the connection, since an open one would delay the program's exit.
    const isOpen = await fetch(`${url}/healthz`, { headers: { Connection: 'close' } }).then(
      (answer) => answer.ok,
      () => false,
    );
    if (isOpen) return;
    await pause(20);
  }
}

/** Return the ids of a process's running child processes. */
export function childrenOf(pid: number): number[] {
  try {
    return execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number);
  } catch {
    return [];
  }
}

/** Wait until the condition is true. Fails after 20 s. */
export async function untilTrue(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const start = performance.now(); !(await condition()); ) {
    if (performance.now() - start > 20_000) throw new Error('The condition was not true in 20 s.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
