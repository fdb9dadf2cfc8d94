// The running server under load: its members, its memory, and how long others wait.

import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { compose } from '../../../src/compose.ts';
import { readConfig } from '../../../src/config.ts';
import { startSession } from '../../../src/identity/session.ts';
import { person } from '../../support/people.ts';
import type { Program } from '../../support/program.ts';

/** Makes members in a new database. Returns the cookie of a session of each. */
export async function sessionsOf(count: number, settings: Record<string, string>): Promise<string[]> {
  const portico = await compose(readConfig({ LOG_LEVEL: 'silent', ...settings }));
  try {
    await portico.prepare();
    const sessions: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const { id } = await person(portico, `member-${index}`);
      sessions.push(await startSession(portico.identity, id, { method: 'sign_up', address: '127.0.0.1' }));
    }
    return sessions;
  } finally {
    await portico.close();
  }
}

/** The most that was measured during some work. */
export interface Watched {
  /** How many million bytes more than before the server and its children held together. */
  megabytes: number;
  /** The server alone. */
  serverMegabytes: number;
  /** How many milliseconds another caller waited for an answer. */
  slowest: number;
}

/** Does the work, and measures what the program holds, and how long others wait, meanwhile. */
export async function watch({ pid, url }: Program, work: () => Promise<void>): Promise<Watched> {
  const first = megabytesOf(String(pid));
  const result: Watched = { megabytes: 0, serverMegabytes: 0, slowest: 0 };
  const timer = setInterval(() => {
    const [server = 0, ...children] = familyOf(pid).map(megabytesOf);
    const more = server - first;
    result.serverMegabytes = Math.max(result.serverMegabytes, Math.round(more));
    const all = children.reduce((sum, megabytes) => sum + megabytes, more);
    result.megabytes = Math.max(result.megabytes, Math.round(all));
  }, 5);
  let isOver = false;
  const others = (async () => {
    while (!isOver) {
      const since = performance.now();
      await (await fetch(`${url}/healthz`)).text();
      result.slowest = Math.max(result.slowest, Math.round(performance.now() - since));
      await pause(20);
    }
  })();
  try {
    await work();
  } finally {
    isOver = true;
    clearInterval(timer);
    await others;
  }
  return result;
}

/**
 * The memory of a process, in million bytes. What several processes share is divided among them: the program's files,
 * and for a moment all that the server holds, since a new process begins as its copy.
 */
function megabytesOf(pid: string): number {
  return (1024 * Number(/^Pss:\s+(\d+)/m.exec(readProc(`${pid}/smaps_rollup`))?.[1] ?? 0)) / 1e6;
}

function familyOf(pid: number): string[] {
  const family = [String(pid)];
  for (const id of family) {
    const threads = threadsOf(id);
    family.push(
      ...threads.flatMap((thread) => readProc(`${id}/task/${thread}/children`).split(' ').filter(Boolean)),
    );
  }
  return family;
}

function threadsOf(pid: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

// Empty for a process that has ended meanwhile.
function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return '';
  }
}
