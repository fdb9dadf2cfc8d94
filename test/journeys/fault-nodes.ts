// What the tests break: nodes on a database of their own, alone or two behind a balancer, and a disk that fills up.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { startBalancer } from '../support/balancer.ts';
import { createPostgresDatabase, type TestScope, temporaryFolder } from '../support/databases.ts';
import type { Engine } from '../support/engines.ts';
import { childrenOf, type Program, startProgram } from '../support/program.ts';
import { freePort } from '../support/services.ts';

export const NO_LIMITS = {
  LOG_LEVEL: 'warn',
  RATE_LIMIT_PER_MINUTE: '1000000000',
  TOKEN_RATE_LIMIT_PER_MINUTE: '1000000000',
};

export interface Node {
  url: string;
  settings: Record<string, string>;
  pid(): number;
  workers(): number[];
  output(): string;
  /** Start it again, at the same address with the same settings. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export async function openNode(scope: TestScope, settings: Record<string, string>): Promise<Node> {
  const port = await freePort();
  let program: Program;
  const node: Node = {
    url: `http://127.0.0.1:${port}`,
    settings,
    pid: () => program.pid,
    workers: () => childrenOf(program.pid),
    output: () => program.output(),
    async start() {
      program = await startProgram({ ...NO_LIMITS, ...settings }, port);
      await program.opened();
    },
    stop: () => program.stop(),
  };
  await node.start();
  scope.after(() => node.stop());
  return node;
}

/** Open two nodes on PostgreSQL behind a proxy, with or without Redis. */
export async function openTwoNodes(scope: TestScope, redis?: Engine) {
  const settings = {
    DATABASE_URL: await createPostgresDatabase(scope),
    TRUST_PROXY: '127.0.0.1',
    ...(redis && { REDIS_URL: redis.url }),
  };
  const nodes: [Node, Node] = [await openNode(scope, settings), await openNode(scope, settings)];
  const balancer = await startBalancer(nodes.map((node) => node.url));
  scope.after(() => balancer.close());
  return { nodes, url: balancer.url, settings };
}

/** Return the settings for a database file of its own. */
export async function onFile(scope: TestScope): Promise<Record<string, string>> {
  return { DATABASE_URL: `file:${join(await temporaryFolder(scope), 'portico.db')}` };
}

/** Open a disk that can be filled: a real one for root, otherwise a limit on the files that a process writes. */
export async function openSmallDisk(scope: TestScope) {
  const folder = await temporaryFolder(scope);
  if (process.getuid?.() !== 0) {
    const limit = (size: string) => (pid: number) =>
      void execFileSync('prlimit', ['--pid', String(pid), `--fsize=${size}:`]);
    return { folder, fill: limit('100000'), free: limit('unlimited') };
  }
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder]);
  scope.after(() => void execFileSync('umount', ['--lazy', folder]));
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill(_pid: number) {
      try {
        for (;;) writeFileSync(ballast, Buffer.alloc(4096), { flag: 'a' });
      } catch (error) {
        assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
      }
    },
    free: (_pid: number) => rmSync(ballast),
  };
}

/** Return a scope that cleans up after a test in reverse order. */
export function scopeOf(t: TestContext): TestScope {
  const ends: (() => void | Promise<void>)[] = [];
  t.after(async () => {
    for (const end of ends.reverse()) await end();
  });
  return { after: (end) => void ends.push(end) };
}
