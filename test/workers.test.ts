// `WORKERS=2`: several processes behind one address.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Browser } from './support/browser.ts';
import { temporaryFolder } from './support/databases.ts';
import { childrenOf, type Program, startProgram, untilTrue } from './support/program.ts';

const PASSWORD = 'a horse that staples';

async function startTwo(t: TestContext, settings: Record<string, string> = {}): Promise<Program> {
  const folder = await temporaryFolder(t);
  const database = `file:${join(folder, 'portico.db')}`;
  const program = await startProgram({ DATABASE_URL: database, WORKERS: '2', ...settings });
  t.after(() => program.stop());
  await untilTrue(() => program.output().includes('is open at'));
  return program;
}

/** Send a request on a connection of its own, because workers share connections, not requests. */
function ask(url: string, token = ''): Promise<number> {
  const headers = { Authorization: `Bearer ${token}`, Connection: 'close' };
  return fetch(url, { headers }).then(async (answer) => {
    await answer.text();
    return answer.status;
  });
}

test('Two workers count together: of 200 parallel calls with one token exactly 60 succeed', async (t) => {
  const program = await startTwo(t);
  await program.portico('user', 'create', '--username', 'alice', '--password', PASSWORD);
  const { token } = await program.portico(
    'token',
    'create',
    '--username',
    'alice',
    '--name',
    'a',
    '--scope',
    'profile:read',
  );

  const statuses = await Promise.all(
    Array.from({ length: 200 }, () => ask(`${program.url}/api/open/v1/me`, token)),
  );

  assert.equal(statuses.filter((status) => status === 200).length, 60);
  assert.equal(statuses.filter((status) => status === 429).length, 140);
});

test('A worker that is killed is replaced, and the other goes on serving', async (t) => {
  const program = await startTwo(t);
  const [killed = 0, other = 0] = childrenOf(program.pid);

  process.kill(killed, 'SIGKILL');
  await untilTrue(() => !childrenOf(program.pid).includes(killed));
  const meanwhile = await Promise.all(Array.from({ length: 20 }, () => ask(`${program.url}/healthz`)));
  await untilTrue(() => childrenOf(program.pid).length === 2);

  assert.deepEqual(new Set(meanwhile), new Set([200]));
  assert.ok(childrenOf(program.pid).includes(other));
  assert.match(program.output(), /a worker ended; another one takes its place/);
});

test('Stopping the program stops all workers', async (t) => {
  const program = await startTwo(t);
  const workers = childrenOf(program.pid);

  await program.stop();

  for (const pid of workers) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
});

test('A worker that gets two signals to stop still finishes its open requests', async (t) => {
  const program = await startTwo(t);
  const socket = connect(Number(new URL(program.url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write('POST /api/oauth/token HTTP/1.1\r\nHost: here\r\nContent-Length: 3\r\n');
  socket.write('Content-Type: application/x-www-form-urlencoded\r\n\r\na');
  await pause(200);
  const response = text(socket);

  for (const pid of [...childrenOf(program.pid), program.pid]) process.kill(pid, 'SIGTERM');
  await pause(300);
  socket.write('=b');

  assert.match(await response, /^HTTP\/1.1 400 /);
});

test('A worker that hangs does not keep the program from stopping', { timeout: 30_000 }, async (t) => {
  const program = await startTwo(t);
  const [hanging = 0] = childrenOf(program.pid);

  process.kill(hanging, 'SIGSTOP');
  await program.stop();

  assert.ok(isGone(hanging));
});

test('When the first process is killed its workers stop', async (t) => {
  const program = await startTwo(t);
  const workers = childrenOf(program.pid);

  process.kill(program.pid, 'SIGKILL');

  await untilTrue(() => workers.every((pid) => isGone(pid)));
});

test('If the port can’t be opened the reason is printed once, and the program exits', async (t) => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  t.after(() => other.close());
  const { port } = other.address() as AddressInfo;
  const folder = await temporaryFolder(t);

  const started = startProgram({
    DATABASE_URL: `file:${join(folder, 'portico.db')}`,
    WORKERS: '3',
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
  });

  await assert.rejects(
    started,
    ({ message }: Error) => message.split('another program is already listening').length === 2,
  );
});

test('The link for the first operator works at every worker', async (t) => {
  const program = await startTwo(t);
  const [, path = ''] = /\S+(\/setup\?token=\S+)/.exec(program.output()) ?? [];
  const open = async () => (await new Browser(program.url).follow(path)).status;

  const statuses = await Promise.all(Array.from({ length: 10 }, open));

  assert.deepEqual(new Set(statuses), new Set([200]));
});

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}
