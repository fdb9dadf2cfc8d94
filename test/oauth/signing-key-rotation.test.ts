// Signing keys: their rotation, by hand and with time (contract §6).

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { beforeEach, describe, test } from 'node:test';
import { byServer } from '../../src/audit/doer.ts';
import { DAY, MINUTE } from '../../src/lib/clock.ts';
import type { AuthorizationServer } from '../../src/oauth/authorization-server.ts';
import type { Client } from '../../src/oauth/client-store.ts';
import { readIdTokenHint, signIdToken } from '../../src/oauth/id-token.ts';
import { publishedKeys } from '../../src/oauth/jwks.ts';
import {
  activeKey,
  maintainSigningKeys,
  prepareSigningKeys,
  replaceCompromisedKeys,
  replaceLostKeys,
  rotateSigningKey,
} from '../../src/oauth/signing-key.ts';
import { temporaryFolder } from '../support/databases.ts';
import { NEW_YEAR } from './provider.ts';
import {
  keyOf,
  preparedServer,
  publishedKids,
  serverOn,
  startAtNewYear,
  time,
} from './signing-key-fixture.ts';

beforeEach(startAtNewYear);

describe('A rotation', () => {
  test('activates the next key, retires the active one and creates a new next one, in one step', async (t) => {
    const server = await preparedServer(t);
    const [active, next] = [await keyOf(server, 'RS256', 'active'), await keyOf(server, 'RS256', 'next')];
    time.now += 5 * MINUTE;

    assert.equal(await rotateSigningKey(byServer(server.clock), server, 'RS256'), 'rotated');

    const following = await keyOf(server, 'RS256', 'next');
    assert.equal((await keyOf(server, 'RS256', 'active')).kid, next.kid);
    assert.equal((await keyOf(server, 'RS256', 'retired')).kid, active.kid);
    assert.equal((await activeKey(server, 'RS256')).kid, next.kid);
    assert.equal((await keyOf(server, 'RS256', 'active')).activatedAt, time.now);
    assert.equal((await keyOf(server, 'RS256', 'retired')).retiredAt, time.now);
    assert.equal(following.createdAt, time.now);
    assert.ok(![active.kid, next.kid].includes(following.kid));
  });

  test('leaves all three published', async (t) => {
    const server = await preparedServer(t);
    const before = await publishedKids(server);
    time.now += 5 * MINUTE;

    await rotateSigningKey(byServer(server.clock), server, 'RS256');
    const after = await publishedKids(server);

    for (const kid of before) assert.ok(after.includes(kid));
    assert.equal(after.length, 5);
  });

  test('is refused while applications may not know the next key', async (t) => {
    const server = await preparedServer(t);
    const before = await server.reads.signingKeys();
    time.now += 5 * MINUTE - 1;

    assert.equal(await rotateSigningKey(byServer(server.clock), server, 'RS256'), 'too_soon');

    assert.deepEqual(await server.reads.signingKeys(), before);
  });

  test('is refused right after another one', async (t) => {
    const server = await preparedServer(t);
    time.now += 5 * MINUTE;
    await rotateSigningKey(byServer(server.clock), server, 'RS256');
    time.now += 5 * MINUTE - 1;

    const soon = await rotateSigningKey(byServer(server.clock), server, 'RS256');
    time.now += 1;
    const then = await rotateSigningKey(byServer(server.clock), server, 'RS256');

    assert.deepEqual([soon, then], ['too_soon', 'rotated']);
  });

  test('happens once when several servers rotate at once', async (t) => {
    const path = join(await temporaryFolder(t), 'portico.db');
    const servers = await Promise.all([serverOn(t, path), serverOn(t, path)]);
    for (const server of servers) await prepareSigningKeys(server);
    time.now += 5 * MINUTE;

    const answers = await Promise.all(
      [...servers, ...servers].map((server) => rotateSigningKey(byServer(server.clock), server, 'ES256')),
    );

    assert.deepEqual(answers.sort(), [
      'rotated',
      'rotated_by_another',
      'rotated_by_another',
      'rotated_by_another',
    ]);
    assert.equal((await publishedKeys(servers[0] ?? assert.fail())).keys.length, 5);
  });

  test('takes effect in another server at its next signature', async (t) => {
    const path = join(await temporaryFolder(t), 'portico.db');
    const [one, other] = [await serverOn(t, path), await serverOn(t, path)];
    await prepareSigningKeys(one);
    const before = await activeKey(other, 'RS256');
    time.now += 5 * MINUTE;

    await rotateSigningKey(byServer(one.clock), one, 'RS256');
    const after = await activeKey(other, 'RS256');

    assert.notEqual(after.kid, before.kid);
    assert.equal(after.kid, (await activeKey(one, 'RS256')).kid);
  });

  test('of one algorithm leaves the other alone', async (t) => {
    const server = await preparedServer(t);
    const before = [await keyOf(server, 'RS256', 'active'), await keyOf(server, 'RS256', 'next')];
    time.now += 5 * MINUTE;

    await rotateSigningKey(byServer(server.clock), server, 'ES256');

    assert.deepEqual([await keyOf(server, 'RS256', 'active'), await keyOf(server, 'RS256', 'next')], before);
  });
});

describe('After a private key leaked', () => {
  test('all keys of its algorithm are replaced at once, and none of the old ones is published', async (t) => {
    const server = await preparedServer(t);
    const old = (await server.reads.signingKeys()).filter(({ alg }) => alg === 'RS256');
    const other = await keyOf(server, 'ES256', 'active');

    await replaceCompromisedKeys(byServer(server.clock), server, 'RS256');

    const kids = await publishedKids(server);
    for (const { kid } of old) assert.ok(!kids.includes(kid));
    assert.equal(kids.length, 4);
    assert.deepEqual(await keyOf(server, 'ES256', 'active'), other);
    assert.equal((await keyOf(server, 'RS256', 'active')).activatedAt, time.now);
  });

  test('retired keys of its algorithm are no longer published either', async (t) => {
    const server = await preparedServer(t);
    time.now += 5 * MINUTE;
    await rotateSigningKey(byServer(server.clock), server, 'RS256');
    const retired = await keyOf(server, 'RS256', 'retired');

    await replaceCompromisedKeys(byServer(server.clock), server, 'RS256');

    assert.ok(!(await publishedKids(server)).includes(retired.kid));
  });

  test('id_tokens of the old keys are no hints any more, in any server on the database', async (t) => {
    const path = join(await temporaryFolder(t), 'portico.db');
    const [one, other] = [await serverOn(t, path), await serverOn(t, path)];
    await prepareSigningKeys(one);
    const hint = await hintOf(other);

    const before = await readIdTokenHint(other, hint);
    await replaceCompromisedKeys(byServer(one.clock), one, 'RS256');

    assert.deepEqual(before, { userId: 7, clientId: 'notebook', authTime: Math.floor(time.now / 1000) });
    assert.equal(await readIdTokenHint(other, hint), undefined);
    assert.deepEqual(await readIdTokenHint(one, await hintOf(other)), before);
  });

  test('rotations at the same time leave none of the old keys', async (t) => {
    const path = join(await temporaryFolder(t), 'portico.db');
    const [one, other] = [await serverOn(t, path), await serverOn(t, path)];
    await prepareSigningKeys(one);
    const { kid } = await keyOf(one, 'ES256', 'active');
    time.now += 5 * MINUTE;

    await Promise.all([
      rotateSigningKey(byServer(other.clock), other, 'ES256').catch(() => {}),
      replaceCompromisedKeys(byServer(one.clock), one, 'ES256'),
      rotateSigningKey(byServer(other.clock), other, 'ES256').catch(() => {}),
    ]);

    assert.ok(!(await publishedKids(one)).includes(kid));
    await keyOf(one, 'ES256', 'active');
    await keyOf(one, 'ES256', 'next');
  });
});

function hintOf(server: AuthorizationServer): Promise<string> {
  const subject = { userId: 7, authenticatedAt: time.now, nonce: undefined };
  const client = { id: 'notebook', idTokenAlg: 'RS256' } as Client;
  return signIdToken(server, client, subject, 'svco_token');
}

describe('Lost keys', () => {
  test('are created anew, and those that are there stay', async (t) => {
    const server = await preparedServer(t);
    const [active, next] = [await keyOf(server, 'RS256', 'active'), await keyOf(server, 'RS256', 'next')];
    const damaged = { ...active, privateJwk: { kty: 'RSA' } };
    await server.writes.replaceLostSigningKeys(byServer(server.clock), [damaged]);

    const count = await replaceLostKeys(byServer(server.clock), server);
    const again = await replaceLostKeys(byServer(server.clock), server);

    assert.deepEqual([count, again], [1, 0]);
    assert.notEqual((await keyOf(server, 'RS256', 'active')).kid, active.kid);
    assert.deepEqual(await keyOf(server, 'RS256', 'next'), next);
    assert.ok(await hintOf(server));
  });
});

for (const rsaKeyBits of [2048, 3072]) {
  test(`new RSA keys have ${rsaKeyBits} bits if the setting says so`, async (t) => {
    const server = { ...(await serverOn(t, ':memory:')), rsaKeyBits };
    await prepareSigningKeys(server);
    time.now += 5 * MINUTE;
    await rotateSigningKey(byServer(server.clock), server, 'RS256');

    const keys = (await server.reads.signingKeys()).filter(({ alg }) => alg === 'RS256');
    const bits = keys.map(({ publicJwk }) => Buffer.from(publicJwk.n ?? '', 'base64url').length * 8);

    assert.deepEqual(bits, [rsaKeyBits, rsaKeyBits, rsaKeyBits]);
  });
}

describe('With time', () => {
  test('a key signs for 90 days, then the next takes over by itself', async (t) => {
    const server = await preparedServer(t);
    const [active, next] = [await keyOf(server, 'RS256', 'active'), await keyOf(server, 'RS256', 'next')];

    time.now = NEW_YEAR + 90 * DAY - 1;
    await maintainSigningKeys(server);
    const before = (await activeKey(server, 'RS256')).kid;
    time.now += 1;
    await maintainSigningKeys(server);
    const after = (await activeKey(server, 'RS256')).kid;

    assert.equal(before, active.kid);
    assert.equal(after, next.kid);
    assert.equal((await keyOf(server, 'ES256', 'retired')).retiredAt, time.now);
  });

  test('the 90 days of a key start with its first signature', async (t) => {
    const server = await preparedServer(t);
    time.now = NEW_YEAR + 80 * DAY;
    await rotateSigningKey(byServer(server.clock), server, 'RS256');
    const { kid } = await activeKey(server, 'RS256');

    time.now = NEW_YEAR + 170 * DAY - 1;
    await maintainSigningKeys(server);
    const before = (await activeKey(server, 'RS256')).kid;
    time.now += 1;
    await maintainSigningKeys(server);

    assert.equal(before, kid);
    assert.notEqual((await activeKey(server, 'RS256')).kid, kid);
  });

  test('after a long pause one rotation happens, not one for each 90 days', async (t) => {
    const server = await preparedServer(t);
    time.now = NEW_YEAR + 1000 * DAY;

    await maintainSigningKeys(server);
    await maintainSigningKeys(server);

    assert.equal((await server.reads.signingKeys()).length, 6);
  });

  test('a retired key is published for 25 hours, until its last id_token has expired, and then deleted', async (t) => {
    const server = await preparedServer(t);
    const { kid } = await activeKey(server, 'RS256');
    time.now += 5 * MINUTE;
    await rotateSigningKey(byServer(server.clock), server, 'RS256');
    const retiredAt = time.now;

    time.now = retiredAt + 25 * 60 * MINUTE;
    await maintainSigningKeys(server);
    const before = await publishedKids(server);
    time.now += 1;
    await maintainSigningKeys(server);
    const after = await publishedKids(server);

    assert.ok(before.includes(kid));
    assert.ok(!after.includes(kid));
    assert.equal(after.length, 4);
  });
});
