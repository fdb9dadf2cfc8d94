// The demo: a server with a made-up community in a temporary folder, and the sample server that uses it.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { install } from '../packages/build.ts';
import { byServer } from '../src/audit/doer.ts';
import { compose } from '../src/compose.ts';
import { readConfig } from '../src/config.ts';
import { registerClient } from '../src/oauth/client.ts';
import { seed } from './seeding.ts';

const ROOT = join(import.meta.dirname, '..');

export interface DemoOptions {
  /** If a port is in use, the demo takes another. */
  port: number;
  samplePort: number;
  members: number;
  posts: number;
}

export interface Demo {
  url: string;
  sampleUrl: string;
  folder: string;
  /** Resolves when the server exits, on its own or by `stop`. */
  serverExit: Promise<unknown>;
  stop(): Promise<void>;
}

/** Create the community and start both servers. */
export async function openDemo({ port, samplePort, members, posts }: DemoOptions): Promise<Demo> {
  const stack = new AsyncDisposableStack();
  try {
    const folder = await mkdtemp(join(tmpdir(), 'portico-demo-'));
    stack.defer(() => rm(folder, { recursive: true, force: true }));
    const [freePort, freeSamplePort] = [await freePortFrom(port), await freePortFrom(samplePort)];
    const url = `http://localhost:${freePort}`;
    // Another host name: browsers send a host's cookies to all its ports, so the two would share theirs.
    const sampleUrl = `http://127.0.0.1:${freeSamplePort}`;
    const settings = {
      HOST: '127.0.0.1',
      PORT: String(freePort),
      BASE_URL: url,
      SITE_NAME: 'Portico demo',
      LOG_LEVEL: 'warn',
      DATABASE_URL: `file:${join(folder, 'portico.db')}`,
    };
    const registration = await createCommunity(settings, `${sampleUrl}/callback`, members, posts);
    const server = start(['bin/portico.js', 'serve'], ROOT, settings, stack);
    await untilOpen(`${url}/healthz`, server);
    const sampleFolder = join(folder, 'sample');
    await cp(join(ROOT, 'examples/server'), sampleFolder, { recursive: true });
    install(sampleFolder, 'client', ['hono', '@hono/node-server']);
    const sample = start(
      ['server.js'],
      sampleFolder,
      { ...registration, ISSUER: url, ORIGIN: sampleUrl },
      stack,
    );
    await untilOpen(sampleUrl, sample);
    return { url, sampleUrl, folder, serverExit: once(server, 'exit'), stop: () => stack.disposeAsync() };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

async function createCommunity(
  settings: Record<string, string>,
  redirectUri: string,
  members: number,
  posts: number,
): Promise<{ CLIENT_ID: string; CLIENT_SECRET: string }> {
  const portico = await compose(readConfig(settings));
  try {
    await portico.prepare();
    await seed(portico, members, posts);
    const sample = { name: 'Sample application', kind: 'confidential', redirectUris: [redirectUri] } as const;
    const { client, secret = '' } = await registerClient(byServer(portico.clock), portico.oauth, sample);
    for (const [name, kind] of [
      ['Notebook', 'confidential'],
      ['Pocket', 'public'],
    ] as const) {
      const redirectUris = [`https://${name.toLowerCase()}.example.com/callback`];
      await registerClient(byServer(portico.clock), portico.oauth, { name, kind, redirectUris });
    }
    return { CLIENT_ID: client.id, CLIENT_SECRET: secret };
  } finally {
    await portico.close();
  }
}

/** Start a program of this repository. It is stopped with the demo. */
function start(
  words: readonly string[],
  cwd: string,
  settings: Record<string, string>,
  stack: AsyncDisposableStack,
): ChildProcess {
  const program = spawn(process.execPath, words, {
    cwd,
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
    // Keeps Ctrl-C from it: this program stops it.
    detached: true,
  });
  stack.defer(() => stopServer(program));
  return program;
}

async function untilOpen(url: string, server: ChildProcess): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error('A server exited while it was starting.');
    const isOpen = await fetch(url, { headers: { Connection: 'close' } }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isOpen) return;
    await pause(50);
  }
}

async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exit = once(server, 'exit');
  server.kill('SIGTERM');
  await exit;
}

/** Return this port, or another free one if it is in use. */
async function freePortFrom(preferredPort: number): Promise<number> {
  const server = createServer();
  const listen = (port: number) =>
    new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
  if (!(await listen(preferredPort))) await listen(0);
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('There is no free port.');
  return address.port;
}
