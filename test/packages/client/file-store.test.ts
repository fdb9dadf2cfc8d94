// The store for several processes on one machine: a file, with a lock that outlives no process.

import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { promisify } from 'node:util';
import { fileStore } from '../../../packages/client/src/node.ts';
import { type App, openApp } from '../../support/app.ts';
import { person, pocket, type RegisteredClient } from '../../support/people.ts';
import { untilTrue } from '../../support/program.ts';
import { applicationOf, because, countingFetch, signIn } from './relying-application.ts';

const PROGRAM = join(import.meta.dirname, 'refreshing-process.ts');

let app: App;
let client: RegisteredClient;
let folder: string;
let file: string;

before(async () => {
  app = await openApp({ RATE_LIMIT_PER_MINUTE: '1000' });
  await person(app.portico, 'alice');
  client = await pocket(app.portico);
});
beforeEach(async () => {
  if (folder !== undefined) await rm(folder, { recursive: true });
  folder = await mkdtemp(join(tmpdir(), 'portico-client-'));
  file = join(folder, 'tokens.json');
});
after(async () => {
  await rm(folder, { recursive: true });
  await app.close();
});

test('Three processes that share the file refresh all the time, and the sign-in goes on', async () => {
  const { grants, fetch } = countingFetch();
  const session = await signIn(app, applicationOf(app, client, { fetch }), fileStore(file));
  const run = promisify(execFile);

  await Promise.all(
    [1, 2, 3].map(() => run(process.execPath, [PROGRAM, file, app.url, client.id, 'refresh'])),
  );

  assert.equal((await session.me()).username, 'alice');
  assert.deepEqual(grants, ['authorization_code']);
  assert.deepEqual(await readdir(folder), ['tokens.json']);
});

test('Two stores for one file in one process refresh once', async () => {
  const { grants, fetch } = countingFetch();
  const application = applicationOf(app, client, { fetch });
  await signIn(app, application, fileStore(file));
  app.clock.advance(3_600_000);

  await Promise.all([1, 2].map(() => application.session(fileStore(file)).me()));

  assert.deepEqual(grants, ['authorization_code', 'refresh_token']);
});

test('After a process was killed between the answer and saving it, the next one says what happened and what to do', async () => {
  const application = applicationOf(app, client);
  await signIn(app, application, fileStore(file));
  app.clock.advance(3_600_000);
  const { signal } = await killed();
  assert.equal(signal, 'SIGKILL');
  assert.deepEqual((await readdir(folder)).sort(), ['tokens.json', 'tokens.json.lock']);

  await assert.rejects(
    application.session(fileStore(file)).me(),
    because(
      'sign_in_again',
      /interrupted at 20.*before its answer was saved.*the new one is lost\. Ask the member to sign in again/,
    ),
  );
  assert.deepEqual(await readdir(folder), []);
  const session = await signIn(app, application, fileStore(file));
  assert.equal((await session.me()).username, 'alice');
});

test('Only the owner can read the file', { skip: process.platform === 'win32' }, async () => {
  await signIn(app, applicationOf(app, client), fileStore(file));

  assert.equal((await stat(file)).mode & 0o777, 0o600);
});

test('The lock of a process that died is taken over, and one of another machine only after minutes', async () => {
  const { grants, fetch } = countingFetch();
  const application = applicationOf(app, client, { fetch });
  const session = await signIn(app, application, fileStore(file));
  const { pid } = spawnSync(process.execPath, ['--version']);
  await writeFile(`${file}.lock`, JSON.stringify({ host: hostname(), pid }));
  await session.signOut();

  await writeFile(`${file}.lock`, JSON.stringify({ host: 'elsewhere.example', pid }));
  const signingIn = signIn(app, application, fileStore(file));
  await untilTrue(() => grants.length === 3);
  assert.deepEqual(await readdir(folder), ['tokens.json.lock']);
  const minutesAgo = new Date(Date.now() - 240_000);
  await utimes(`${file}.lock`, minutesAgo, minutesAgo);
  assert.equal((await (await signingIn).me()).username, 'alice');
});

function killed(): Promise<{ signal?: string }> {
  return promisify(execFile)(process.execPath, [PROGRAM, file, app.url, client.id, 'die']).then(
    () => ({}),
    (error: { signal: string }) => error,
  );
}
