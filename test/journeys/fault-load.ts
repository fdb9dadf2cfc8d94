// The load on a service while something breaks, and what its users notice. `FAULTS` is how often each thing breaks.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { compose } from '../../src/compose.ts';
import { readConfig } from '../../src/config.ts';
import { Caller } from '../support/caller.ts';
import type { TestScope } from '../support/databases.ts';
import { prepareTraffic, type Traffic } from './traffic.ts';

export const ROUNDS = Number(process.env.FAULTS || 1);
export const IS_LONG = ROUNDS > 1;
export const ROUNDS_OF_PAUSES = IS_LONG ? 2 : 1;
export const AWHILE_MS = IS_LONG ? 1500 : 500;
export const PAUSE_OF_NODE_MS = IS_LONG ? 30_000 : 2000;
// Failures after a long pause: idle connections and waits for the database have timed out before the process handles
// the requests that arrived meanwhile. A process that is paused while it writes also keeps others from writing to the
// file.
export const FAILURES_AFTER_PAUSE = IS_LONG ? ['ECONNRESET', '503'] : [];
export const LOAD = IS_LONG ? { callers: 16, each: 100 } : { callers: 8, each: 25 };
export const PROFILE = '/api/open/v1/me';
export const GET = 'GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n';
export const withTimeout = { timeout: IS_LONG ? 240_000 : 60_000 };
export const onPostgres = { ...withTimeout, skip: !process.env.TEST_POSTGRES_URL && 'no PostgreSQL' };

export interface LoadOptions {
  rounds?: number;
  load?: { callers: number; each: number; spare?: number };
  /** Whether a 503 means that nothing has happened. */
  is503WithoutEffect?: boolean;
}

/** Break something several times under load, and check what must always be true. */
export async function underLoad(
  t: TestContext,
  settings: Record<string, string>,
  addresses: readonly string[],
  fault: (traffic: Traffic) => Promise<void>,
  { rounds = ROUNDS, load = LOAD, is503WithoutEffect = false }: LoadOptions = {},
): Promise<Traffic> {
  const portico = await compose(readConfig({ ...settings, LOG_LEVEL: 'silent' }));
  await portico.database.migrate();
  const traffic = await prepareTraffic(portico, addresses, { ...load, is503WithoutEffect });
  await portico.close();
  try {
    traffic.start();
    await pause(AWHILE_MS);
    for (let round = 0; round < rounds; round += 1) {
      await fault(traffic);
      await pause(AWHILE_MS);
    }
  } finally {
    await traffic.settle();
    traffic.close();
  }
  const { wrong, failures, acknowledged, requests, longestSilence, slowest } = traffic.tally;
  t.diagnostic(
    `${rounds} × broken, ${requests} requests, failed: ${JSON.stringify(failures)}, acknowledged: ` +
      `${JSON.stringify(acknowledged)}, wrong: ${wrong.length}, longest silence ${Math.round(longestSilence)} ms, ` +
      `slowest answer ${Math.round(slowest)} ms`,
  );
  assert.deepEqual(wrong.slice(0, 5), []);
  for (const [kind, count] of Object.entries(acknowledged)) assert.ok(count > 0, `${kind}: ${count}`);
  return traffic;
}

/** Pause a process, and revoke tokens meanwhile. Its first answers afterwards must refuse them. */
export async function revokeDuringPause(
  { spare, client, tally }: Traffic,
  pid: number,
  url: string,
  elsewhere: string,
): Promise<void> {
  const credentials = { client_id: client.id, client_secret: client.secret };
  const readers = spare.splice(0, 16).map((token) => ({ token, reader: new Caller(url) }));
  const revokers = readers.map(() => new Caller(elsewhere));
  for (const { token, reader } of readers) assert.equal((await reader.get(PROFILE, token)).status, 200);
  process.kill(pid, 'SIGSTOP');
  const revocations = readers.map(async ({ token }, index) => {
    const answer = await revokers[index]?.post('/api/oauth/revoke', { ...credentials, token });
    return answer?.status === 200;
  });
  try {
    const late = pause(1000).then(() => false);
    const isRevoked = await Promise.all(revocations.map((revocation) => Promise.race([revocation, late])));
    const witnesses = readers.filter((_, index) => isRevoked[index]);
    const answers = witnesses.map(({ token, reader }) =>
      reader.get(PROFILE, token).catch(() => reader.get(PROFILE, token)),
    );
    await pause(PAUSE_OF_NODE_MS);
    process.kill(pid, 'SIGCONT');
    for (const { status } of await Promise.all(answers)) {
      tally.acknowledged.refusals += 1;
      if (status !== 401) tally.wrong.push(`after a pause a revoked token: ${status}`);
    }
    await Promise.allSettled(revocations);
  } finally {
    process.kill(pid, 'SIGCONT');
    for (const caller of [...revokers, ...readers.map(({ reader }) => reader)]) caller.close();
  }
}

export interface RawConnection {
  write(text: string): void;
  /** Send a text and return the next answer, or an empty text if the connection ends. */
  ask(text: string): Promise<string>;
  ended: Promise<unknown>;
}

/** Open a plain TCP connection. */
export async function openRawConnection(scope: TestScope, url: string): Promise<RawConnection> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8');
  scope.after(() => void socket.destroy());
  await once(socket, 'connect');
  const ended = new Promise<[]>((resolve) => socket.once('close', () => resolve([])));
  socket.on('error', () => {});
  return {
    write: (text) => void socket.write(text),
    async ask(text) {
      socket.write(text);
      const [answer] = await Promise.race([once(socket, 'data'), ended]);
      return answer ?? '';
    },
    ended,
  };
}

export function without(failures: Record<string, number>, ...kinds: string[]): Record<string, number> {
  return Object.fromEntries(Object.entries(failures).filter(([kind]) => !kinds.includes(kind)));
}
