// A community to look at, in a folder that is removed in the end: the server, and an application that uses it.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { byServer } from '../src/audit/doer.ts';
import { compose } from '../src/compose.ts';
import { readConfig } from '../src/config.ts';
import { registerClient } from '../src/oauth/client.ts';
import { sampleApp } from './sample-app/app.ts';
import type { Registration } from './sample-app/portico.ts';
import { seed } from './seeding.ts';

const ROOT = join(import.meta.dirname, '..');

export interface Wishes {
  /** Another one is taken where a port is in use. */
  port: number;
  samplePort: number;
  members: number;
  posts: number;
}

export interface Demo {
  url: string;
  sampleUrl: string;
  folder: string;
  /** Resolves when the server has ended by itself. */
  ended: Promise<unknown>;
  stop(): Promise<void>;
}

/** Makes the community and opens both. */
export async function openDemo({ port, samplePort, members, posts }: Wishes): Promise<Demo> {
  const stack = new AsyncDisposableStack();
  try {
    const folder = await mkdtemp(join(tmpdir(), 'portico-demo-'));
    stack.defer(() => rm(folder, { recursive: true, force: true }));
    const [freePort, freeSamplePort] = [await freePortFrom(port), await freePortFrom(samplePort)];
    const url = `http://localhost:${freePort}`;
    // By another name, so that neither gets the other's cookies: those of a host are sent to all its ports.
    const sampleUrl = `http://127.0.0.1:${freeSamplePort}`;
    const settings = {
      ...{
        HOST: '127.0.0.1',
        PORT: String(freePort),
        BASE_URL: url,
        SITE_NAME: 'Portico demo',
        LOG_LEVEL: 'warn',
      },
      DATABASE_URL: `file:${join(folder, 'portico.db')}`,
    };
    const registration = await makeCommunity(settings, `${sampleUrl}/callback`, members, posts);
    const server = spawn(process.execPath, ['bin/portico.js', 'serve'], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, ...settings },
      stdio: ['ignore', 'ignore', 'inherit'],
      // Ctrl-C is ours to pass on.
      detached: true,
    });
    stack.defer(() => ended(server));
    await untilOpen(url, server);
    const sample = sampleApp(registration).listen(freeSamplePort, '127.0.0.1');
    stack.defer(async () => {
      sample.closeAllConnections();
      sample.close();
    });
    await once(sample, 'listening');
    return { url, sampleUrl, folder, ended: once(server, 'exit'), stop: () => stack.disposeAsync() };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

async function makeCommunity(
  settings: Record<string, string>,
  redirectUri: string,
  members: number,
  posts: number,
): Promise<Registration> {
  const portico = await compose(readConfig(settings));
  try {
    await portico.prepare();
    await seed(portico, members, posts);
    const sample = { name: 'Sample application', kind: 'confidential', redirectUris: [redirectUri] } as const;
    const { client, secret = '' } = await registerClient(portico.oauth, byServer(portico.clock), sample);
    for (const [name, kind] of [
      ['Notebook', 'confidential'],
      ['Pocket', 'public'],
    ] as const) {
      const redirectUris = [`https://${name.toLowerCase()}.example.com/callback`];
      await registerClient(portico.oauth, byServer(portico.clock), { name, kind, redirectUris });
    }
    return { issuer: portico.config.baseUrl, clientId: client.id, clientSecret: secret, redirectUri };
  } finally {
    await portico.close();
  }
}

async function untilOpen(url: string, server: ChildProcess): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error('The server ended at its start.');
    const isOpen = await fetch(`${url}/healthz`, { headers: { Connection: 'close' } }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isOpen) return;
    await pause(50);
  }
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, 'exit');
  server.kill('SIGTERM');
  await exited;
}

/** This port, or any other if somebody listens there. */
async function freePortFrom(wanted: number): Promise<number> {
  const server = createServer();
  const listening = (port: number) =>
    new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
  if (!(await listening(wanted))) await listening(0);
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('There is no free port.');
  return address.port;
}
