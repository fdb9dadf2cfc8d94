// The lines with which a server that can't start ends, and the warnings of one that can.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from './support/databases.ts';
import { startProgram } from './support/program.ts';
import { freePort } from './support/services.ts';

async function lastWords(settings: Record<string, string>): Promise<string> {
  const error = await startProgram(settings).catch((reason: Error) => reason);
  assert.ok(error instanceof Error, 'the program started');
  return error.message.split('\n').slice(1).join('\n').trim();
}

test('An operator reads which setting is wrong, with the host or path, when the server can’t start', async (t) => {
  const folder = await temporaryFolder(t);
  const DATABASE_URL = `file:${join(folder, 'portico.db')}`;
  const port = String(await freePort());

  assert.equal(
    await lastWords({ DATABASE_URL: `postgres://portico:hush@127.0.0.1:${port}/portico` }),
    `portico: DATABASE_URL: cannot connect to 127.0.0.1:${port}: no program is listening there`,
  );
  assert.equal(
    await lastWords({ DATABASE_URL: `file:${folder}` }),
    `portico: DATABASE_URL: cannot open ${folder}: it cannot be opened`,
  );
  assert.equal(
    await lastWords({ DATABASE_URL, HOST: 'nohost.invalid', PORT: port }),
    `portico: HOST: cannot listen on nohost.invalid:${port}: there is no such host`,
  );
});

test('A start names the version, a Redis that does not answer, and links that only this machine can open', async (t) => {
  const folder = await temporaryFolder(t);
  const redis = await freePort();
  const program = await startProgram({
    DATABASE_URL: `file:${join(folder, 'portico.db')}`,
    HOST: '0.0.0.0',
    BASE_URL: '',
    REDIS_URL: `redis://127.0.0.1:${redis}`,
  });
  t.after(() => program.stop());
  await program.opened();

  assert.match(program.output(), /BASE_URL is not set, so all links lead to http:\/\/localhost:\d+,/);
  assert.match(program.output(), /\(listening on 0\.0\.0\.0:\d+, Portico \d+\.\d+\.\d+\)/);
  const reason = `REDIS_URL: cannot count in 127.0.0.1:${redis}: no program is listening there`;
  assert.ok(program.output().includes(reason), program.output());
});
