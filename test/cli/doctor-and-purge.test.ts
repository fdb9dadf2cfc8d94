import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { DAY, HOUR } from '../../src/lib/clock.ts';
import { openApp } from '../support/app.ts';
import { type TestScope, temporaryFolder } from '../support/databases.ts';
import { freePort } from '../support/services.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { type Cli, cliIn } from './run-cli.ts';

test('doctor tries the whole installation, and leaves nothing behind', async (t) => {
  const database = await cliIn(t);
  const { DATABASE_URL = '' } = database.settings;
  const app = await openApp({ DATABASE_URL });
  t.after(() => app.close());
  const cli = await cliIn(t, { DATABASE_URL, BASE_URL: app.url, BACKUP_TO: await backupFolder(t, database) });
  const before = rowsOf(database);

  const { code, document } = await cli.json(['doctor']);

  assert.deepEqual(
    document.steps.map(({ name, ok, warning, detail }: Record<string, unknown>) => [
      name,
      warning ? 'warning' : ok || detail,
    ]),
    [
      ['settings', true],
      ['database', true],
      ['folder of the database', true],
      ['mail', 'warning'],
      ['backups', true],
      ['pictures', true],
      ['signing keys', true],
      [`server at ${app.url}/healthz`, true],
      ['clock', true],
      ['version', true],
      ['proxy', true],
      ['largest upload', true],
      ['security headers', true],
      ['create a temporary member and application', true],
      ['sign in at /login', true],
      ['allow the application', true],
      ['redeem the code with PKCE', true],
      ['read /me', true],
      ['refresh', true],
      ['revoke, and check that the tokens are refused', true],
      ['delete the temporary member and application', true],
      ['delete what earlier checks left', true],
    ],
  );
  assert.deepEqual([code, document.ok, document.error], [0, true, undefined]);
  assert.deepEqual(rowsOf(database), before);
});

test('doctor deletes the members and applications that earlier versions left, and no others', async (t) => {
  const cli = await cliIn(t, { PORT: '1' });
  const create = (name: string) =>
    cli.json(['user', 'create', '--username', name, '--password', 'a long walk in the rain']);
  for (const name of ['doctor-A1b2C3d4E5f6', 'doctor-Z9y8X7w6V5u4', 'doctor-frankenstein'])
    await create(name);
  await cli.run(['user', 'set-status', '--username', 'doctor-A1b2C3d4E5f6', '--status', 'closed']);
  await cli.run(['user', 'set-status', '--username', 'doctor-frankenstein', '--status', 'closed']);
  const client = ['client', 'create', '--type', 'confidential', '--redirect-uri'];
  await cli.run([...client, 'https://doctor.invalid/callback', '--name', 'Doctor (temporary)']);
  await cli.run([...client, 'https://doctor.example/callback', '--name', 'Doctor (temporary)']);
  // As if all of it had happened yesterday; one account was closed by hand some days after it was made.
  const file = new DatabaseSync(join(cli.folder, 'portico.db'));
  file.exec(`UPDATE users SET created_at = created_at - ${DAY}; UPDATE audit_events SET at = at - ${DAY};
    UPDATE clients SET created_at = created_at - ${DAY};
    UPDATE users SET created_at = created_at - ${3 * DAY} WHERE username = 'doctor-frankenstein'`);

  const { document } = await cli.json(['doctor']);

  assert.deepEqual(document.steps.at(-1), {
    name: 'delete what earlier checks left',
    ok: true,
    detail: '1 members, 1 applications',
  });
  const names = file.prepare('SELECT username FROM users ORDER BY id').all();
  assert.deepEqual(
    names.map(({ username }) => username),
    ['doctor-Z9y8X7w6V5u4', 'doctor-frankenstein'],
  );
  const uris = file.prepare('SELECT redirect_uris FROM clients').all();
  assert.deepEqual(uris, [{ __proto__: null, redirect_uris: '["https://doctor.example/callback"]' }]);
  file.close();
});

test('doctor sends a mail, and names the mail server and Redis that don’t answer', async (t) => {
  const server = await startSmtpServer(t);
  const works = await cliIn(t, { PORT: '1', SMTP_URL: server.url });
  const [smtp, redis] = [await freePort(), await freePort()];
  const fails = await cliIn(t, {
    PORT: '1',
    SMTP_URL: `smtp://user:secret@127.0.0.1:${smtp}`,
    REDIS_URL: `redis://:secret@127.0.0.1:${redis}`,
  });

  const sent = await works.run(['doctor', '--mail-to', 'me@home.example']);
  const { stdout } = await fails.run(['doctor', '--mail-to', 'me@home.example']);

  assert.match(sent.stdout, /^ok {6}mail server 127\.0\.0\.1:\d+: connected$/m);
  assert.match(sent.stdout, /^ok {6}send a mail: .* look into the inbox of me@home\.example$/m);
  assert.deepEqual(
    server.mails.map(({ to }) => to),
    [['me@home.example']],
  );
  const mailFailure = `SMTP_URL: cannot connect to 127.0.0.1:${smtp}: no program is listening there`;
  assert.ok(stdout.includes(`FAILED  mail server 127.0.0.1:${smtp}: ${mailFailure}\n`), stdout);
  const redisFailure = `REDIS_URL: cannot count in 127.0.0.1:${redis}: no program is listening there`;
  assert.ok(stdout.includes(`FAILED  redis: ${redisFailure}\n`), stdout);
  assert.doesNotMatch(stdout, /secret|ESOCKET|ECONN|enableOfflineQueue/);
});

test('doctor names mistyped settings, a missing backup and an old one', async (t) => {
  const folder = await temporaryFolder(t);
  const cli = await cliIn(t, { PORT: '1', BASEURL: 'https://community.example', BACKUP_TO: folder });

  const none = await cli.run(['doctor']);
  const old = join(folder, 'portico-2020-01-01T00-00-00Z.db');
  await writeFile(old, 'old');
  const late = await cli.run(['doctor']);

  assert.match(none.stdout, /^NOTE {4}settings: BASEURL is not a setting\. Did you mean BASE_URL\?$/m);
  assert.ok(none.stdout.includes(`FAILED  backups: there is no backup in ${folder}\n`));
  assert.match(late.stdout, new RegExp(`^FAILED {2}backups: the newest is \\d+ hours old: ${old}$`, 'm'));
});

test('doctor finds a proxy that is not named, refuses large uploads, or removes headers', async (t) => {
  const database = await cliIn(t);
  const { DATABASE_URL = '' } = database.settings;
  const app = await openApp({ DATABASE_URL });
  t.after(() => app.close());
  const proxy = createServer(async (incoming, outgoing) => {
    const chunks = await incoming.toArray();
    const body = Buffer.concat(chunks);
    if (body.length > 1024 * 1024) return outgoing.writeHead(413).end();
    const { authorization = '' } = incoming.headers;
    const answer = await fetch(app.url + incoming.url, {
      method: incoming.method ?? 'GET',
      headers: { 'X-Forwarded-For': '192.0.2.7', Authorization: authorization },
      ...(body.length > 0 && { body }),
      redirect: 'manual',
    });
    outgoing.writeHead(answer.status, { 'Content-Security-Policy': "default-src 'none'" });
    return outgoing.end(Buffer.from(await answer.arrayBuffer()));
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.after(() => proxy.close());
  const { port } = proxy.address() as AddressInfo;
  const cli = await cliIn(t, { DATABASE_URL, BASE_URL: `http://127.0.0.1:${port}` });

  const { stdout } = await cli.run(['doctor']);

  const failures = [...stdout.matchAll(/^FAILED {2}((?:proxy|largest|security).*)$/gm)].map(
    ([, line]) => line,
  );
  assert.deepEqual(failures, [
    'proxy: requests with X-Forwarded-For come from 127.0.0.1, which TRUST_PROXY does not name',
    'largest upload: the proxy refuses so large a request (413): raise its limit to 6 MB',
    'security headers: the proxy removes X-Content-Type-Options',
  ]);
});

/** A folder with a backup of the database that was made just now. */
async function backupFolder(t: TestScope, cli: Cli): Promise<string> {
  const folder = await temporaryFolder(t);
  await cli.run(['backup', '--to', folder]);
  return folder;
}

/** How many rows each table has, except those that note changes for caches and counts that expire in 15 minutes. */
function rowsOf(cli: Cli): Record<string, unknown> {
  const file = new DatabaseSync(join(cli.folder, 'portico.db'), { readOnly: true });
  const tables = file.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const names = tables
    .map(({ name }) => String(name))
    .filter((name) => !/^(changes|attempts|sqlite_|post_search)/.test(name));
  const rows = names.map((name) => [
    name,
    file.prepare(`SELECT count(*) AS count FROM ${name}`).get()?.count,
  ]);
  file.close();
  return Object.fromEntries(rows);
}

test('doctor says which step failed and why, and exits with 1', async (t) => {
  const cli = await cliIn(t, { PORT: '1' });

  const { code, stdout } = await cli.run(['doctor']);
  const { document } = await cli.json(['doctor']);

  assert.equal(code, 1);
  assert.match(stdout, /^ok {6}database$/m);
  assert.match(
    stdout,
    /^FAILED {2}server at http:\/\/localhost:1\/healthz: browsers and programs refuse to use this port$/m,
  );
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
    /^NOTE {4}proxy: TRUST_PROXY is empty, so all visitors count as one in every limit/m,
  );
  assert.doesNotMatch(named.stdout, /TRUST_PROXY/);
});

test('doctor reports a clock that differs from the server’s', async (t) => {
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
  assert.match(stdout, /^ok {6}delete the temporary member/m);
});

test('purge deletes expired rows, in as many steps as necessary, and says how many', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const past = portico.clock() - HOUR;
  for (let index = 0; index < 501; index += 1) {
    await portico.identity.writes.countAttempt(`attempt ${index}`, 1, past - HOUR, past);
  }

  const first = await cli.json(['purge']);
  const second = await cli.run(['purge']);

  assert.deepEqual(first, { code: 0, document: { deleted: 501 } });
  assert.equal(second.stdout, 'Deleted 0 rows.\n');
});
