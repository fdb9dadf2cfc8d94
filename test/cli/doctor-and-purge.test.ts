import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { HOUR } from '../../src/lib/clock.ts';
import { newSession, SESSION_START } from '../storage/records.ts';
import { openApp } from '../support/app.ts';
import { person } from '../support/people.ts';
import { cliIn } from './run-cli.ts';

test('doctor tries a complete sign-in at the running service, and leaves nothing usable behind', async (t) => {
  const database = await cliIn(t);
  const { DATABASE_URL = '' } = database.settings;
  const app = await openApp({ DATABASE_URL });
  t.after(() => app.close());
  const cli = await cliIn(t, { DATABASE_URL, BASE_URL: app.url });

  const { code, document } = await cli.json(['doctor']);

  assert.deepEqual(
    document.steps.map(({ name, ok, detail }: { name: string; ok: boolean; detail: string }) => [
      name,
      ok || detail,
    ]),
    [
      ['settings', true],
      ['proxy', true],
      ['database', true],
      ['signing keys', true],
      [`server at ${app.url}/healthz`, true],
      ['clock', true],
      ['create a temporary member and application', true],
      ['sign in at /login', true],
      ['allow the application', true],
      ['redeem the code with PKCE', true],
      ['read /me', true],
      ['refresh', true],
      ['revoke, and check that the tokens are refused', true],
      ['close the temporary member, deactivate the temporary application', true],
    ],
  );
  assert.deepEqual([code, document.ok, document.error], [0, true, undefined]);
  assert.equal((await app.portico.identity.reads.findUser(1))?.status, 'closed');
  const events = await app.portico.audit.reads.auditEvents({
    limit: 10,
    subject: { kind: 'user', id: '1' },
  });
  assert.deepEqual(
    events.map(({ action, actorName }) => [action, actorName]),
    [
      ['user.close', undefined],
      ['user.create', undefined],
    ],
  );
  const clients = await app.portico.oauth.reads.clientsBefore(undefined, 10);
  assert.deepEqual(
    clients.map(({ client: { status } }) => status),
    ['deactivated'],
  );
});

test('doctor says which step failed and why, and exits with 1', async (t) => {
  const cli = await cliIn(t, { PORT: '1' });

  const { code, stdout } = await cli.run(['doctor']);
  const { document } = await cli.json(['doctor']);

  assert.equal(code, 1);
  assert.match(stdout, /^ok {6}database$/m);
  assert.match(stdout, /^FAILED {2}server at http:\/\/localhost:1\/healthz: fetch failed \(.+\)$/m);
  assert.match(stdout, /\nSome checks failed\.\n$/);
  assert.deepEqual([document.ok, document.error.code], [false, 'check_failed']);
});

test('doctor reports missing signing keys', async (t) => {
  const cli = await cliIn(t, { PORT: '1' });
  await cli.run(['keys', 'list']);
  const file = new DatabaseSync(join(cli.folder, 'portico.db'));
  file.exec('DELETE FROM signing_keys');
  file.close();

  const { code, stdout } = await cli.run(['doctor']);

  assert.equal(code, 1);
  assert.match(stdout, /^FAILED {2}signing keys: The signing keys are missing/m);
});

test('doctor finds that the proxy of an https site is not trusted', async (t) => {
  const https = { BASE_URL: 'https://community.invalid' };
  const forgotten = await (await cliIn(t, https)).run(['doctor']);
  const named = await (await cliIn(t, { ...https, TRUST_PROXY: '127.0.0.1' })).run(['doctor']);

  assert.match(
    forgotten.stdout,
    /^FAILED {2}proxy: TRUST_PROXY is empty, so all visitors count as one in every limit/m,
  );
  assert.match(named.stdout, /^ok {6}proxy$/m);
});

test('doctor reports a clock that differs from the server’s', async (t) => {
  const { createServer } = await import('node:http');
  const { once } = await import('node:events');
  const service = createServer((_, response) => {
    response.setHeader('Date', new Date(Date.now() - HOUR).toUTCString());
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  t.after(() => service.close());
  const address = service.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const cli = await cliIn(t, { BASE_URL: `http://127.0.0.1:${port}` });

  const { stdout } = await cli.run(['doctor']);

  assert.match(
    stdout,
    /^FAILED {2}clock: This machine's time differs from the server's by 3\d\d\d seconds\.$/m,
  );
  assert.match(stdout, /^FAILED {2}sign in at \/login: The authorization page did not lead/m);
  assert.match(stdout, /^ok {6}close the temporary member/m);
});

test('purge deletes expired rows, in as many steps as necessary, and says how many', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const alice = await person(portico, 'alice');
  const past = portico.clock() - HOUR;
  for (let index = 0; index < 501; index += 1) {
    await portico.identity.writes.addSession(
      newSession(alice.id, { expiresAt: past, lastSeenAt: past }),
      SESSION_START,
    );
  }

  const first = await cli.json(['purge']);
  const second = await cli.run(['purge']);

  assert.deepEqual(first, { code: 0, document: { deleted: 501 } });
  assert.equal(second.stdout, 'Deleted 0 rows.\n');
});
