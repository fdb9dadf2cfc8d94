// The program as an operator runs it: the service and the command line in processes of their own.

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
  /** Waits until it says that it is open: all its workers listen then. */
  opened(): Promise<void>;
  /** Runs an operator's command beside it; its one JSON document. */
  portico(...words: string[]): Promise<Record<string, string> & { id: number }>;
  /** Asks it to stop and waits until it has. */
  stop(): Promise<void>;
}

/** Starts the server on this port of this machine, or on a free one, and waits until it answers. */
export async function startProgram(settings: Record<string, string>, atPort?: number): Promise<Program> {
  const port = atPort ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const environment = { ...process.env, HOST: '127.0.0.1', PORT: String(port), BASE_URL: url, ...settings };
  const child = spawn(process.execPath, ['bin/portico.js', 'serve'], { cwd: ROOT, env: environment });
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
        if (child.exitCode !== null) throw new Error(`The program ended at its start:\n${output}`);
        await pause(20);
      }
    },
    async portico(...words) {
      const command = ['bin/portico.js', ...words, '--json'];
      const { stdout } = await promisify(execFile)(process.execPath, command, {
        cwd: ROOT,
        env: environment,
      });
      return JSON.parse(stdout);
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function untilAnswering(url: string, child: ChildProcess, output: () => string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The program ended at its start:\n${output()}`);
    // A connection that stayed would hold up the program's end.
    const answered = await fetch(`${url}/healthz`, { headers: { Connection: 'close' } }).then(
      (answer) => answer.ok,
      () => false,
    );
    if (answered) return;
    await pause(20);
  }
}

/** The processes that a process has started and that still run. */
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

/** Asks again and again until it is so. Fails after 20 s. */
export async function untilTrue(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const since = performance.now(); !(await isSo()); ) {
    if (performance.now() - since > 20_000) throw new Error('It did not happen in 20 s.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
