import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { calculateJwkThumbprint } from 'jose';
import type { AuditEvent } from '../../src/audit/audit-log.ts';
import { compose } from '../../src/compose.ts';
import { readConfig } from '../../src/config.ts';
import { MINUTE } from '../../src/lib/clock.ts';
import { activeKey } from '../../src/oauth/signing-key.ts';
import { type Cli, cliIn } from './run-cli.ts';

const MOMENT = /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test('keys list creates the first keys in a fresh database, once, and shows no private part', async (t) => {
  const cli = await cliIn(t);

  const first = await cli.json(['keys', 'list']);
  const second = await cli.run(['keys', 'list', '--json']);

  assert.equal(first.code, 0);
  assert.deepEqual(
    first.document.map(({ alg, state }: { alg: string; state: string }) => `${alg} ${state}`).toSorted(),
    ['ES256 active', 'ES256 next', 'RS256 active', 'RS256 next'],
  );
  for (const { created_at, activated_at, retired_at, state, ...key } of first.document) {
    assert.deepEqual(Object.keys(key), ['kid', 'alg']);
    assert.match(created_at, MOMENT);
    assert.equal(activated_at, state === 'active' ? created_at : null);
    assert.equal(retired_at, null);
  }
  assert.deepEqual(JSON.parse(second.stdout), first.document);
  assert.doesNotMatch(second.stdout, /"(d|p|q|jwk)"|private/);
});

test('keys list names each key by the thumbprint of its public part', async (t) => {
  const cli = await cliIn(t);

  const { stdout } = await cli.run(['keys', 'list']);

  const keys = await (await cli.open()).oauth.reads.signingKeys();
  assert.equal(keys.length, 4);
  for (const { publicJwk, alg, state } of keys) {
    const line = `${await calculateJwkThumbprint(publicJwk)}  ${alg}  ${state.padEnd(7)}  since `;
    assert.ok(stdout.includes(line), line);
  }
});

test('keys rotate lets the next keys sign at once, also in a running server', async (t) => {
  const cli = await cliIn(t);
  await prepareLongAgo(cli);
  const server = await cli.open();
  const before = await activeKey(server.oauth, 'RS256');

  const { code, document } = await cli.json(['keys', 'rotate']);

  assert.equal(code, 0);
  assert.deepEqual(
    document.rotations.map(({ alg, outcome }: { alg: string; outcome: string }) => [alg, outcome]),
    [
      ['RS256', 'rotated'],
      ['ES256', 'rotated'],
    ],
  );
  const after = await activeKey(server.oauth, 'RS256');
  assert.equal(after.kid, document.rotations[0].kid);
  assert.notEqual(after.kid, before.kid);
  const { document: keys } = await cli.json(['keys', 'list']);
  const old = keys.find(({ kid }: { kid: string }) => kid === before.kid);
  assert.equal(old.state, 'retired');
  assert.match(old.retired_at, MOMENT);
});

test('keys rotate is logged', async (t) => {
  const cli = await cliIn(t);
  await prepareLongAgo(cli);

  const { document } = await cli.json(['keys', 'rotate']);
  await cli.run(['keys', 'rotate']);
  const log = await cli.json(['audit', 'list']);

  assert.deepEqual(
    log.document.events
      .map(({ action, subject }: AuditEvent) => `${action} ${subject.kind}:${subject.id}`)
      .toSorted(),
    document.rotations.map(({ kid }: { kid: string }) => `keys.rotate key:${kid}`).toSorted(),
  );
});

test('keys rotate --alg leaves the keys of the other algorithm alone', async (t) => {
  const cli = await cliIn(t);
  await prepareLongAgo(cli);
  const { oauth } = await cli.open();
  const before = await activeKey(oauth, 'RS256');

  const { code, document } = await cli.json(['keys', 'rotate', '--alg', 'ES256']);

  assert.equal(code, 0);
  assert.deepEqual(
    document.rotations.map(({ alg }: { alg: string }) => alg),
    ['ES256'],
  );
  assert.equal((await activeKey(oauth, 'RS256')).kid, before.kid);
});

test('keys rotate refuses while applications may not know the next key, and says when it will work', async (t) => {
  const cli = await cliIn(t);
  const { document: before } = await cli.json(['keys', 'list']);

  const { code, document } = await cli.json(['keys', 'rotate']);
  const forPeople = await cli.run(['keys', 'rotate', '--alg', 'RS256']);

  const possible = new Date(Date.parse(before[0].created_at) + 5 * MINUTE).toISOString();
  assert.equal(code, 1);
  assert.equal(document.error.code, 'too_soon');
  assert.deepEqual(
    document.rotations.map(({ outcome, possible_at }: { outcome: string; possible_at: string }) => [
      outcome,
      possible_at,
    ]),
    [
      ['too_soon', possible],
      ['too_soon', possible],
    ],
  );
  assert.equal(forPeople.code, 1);
  assert.ok(forPeople.stdout.includes(`Possible from ${possible}.`), forPeople.stdout);
  assert.deepEqual((await cli.json(['keys', 'list'])).document, before);
});

test('lost keys are reported, and never replaced silently', async (t) => {
  const cli = await cliIn(t);
  await cli.run(['keys', 'list']);
  const { oauth } = await cli.open();
  const file = new DatabaseSync(join(cli.folder, 'portico.db'));
  file.exec('DELETE FROM signing_keys');
  file.close();

  const { code, document } = await cli.json(['keys', 'rotate']);

  assert.deepEqual([code, document.error.code], [1, 'signing_keys_missing']);
  assert.match(document.error.message, /Restore a backup/);
  assert.deepEqual(await oauth.reads.signingKeys(), []);
});

// Adds the keys of a server that was started ten minutes ago.
async function prepareLongAgo(cli: Cli): Promise<void> {
  const config = readConfig({ LOG_LEVEL: 'silent', ...cli.settings });
  const portico = await compose(config, () => Date.now() - 10 * MINUTE);
  await portico.prepare();
  await portico.close();
}
