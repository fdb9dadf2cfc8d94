// PostgreSQL fails under load, and its standby takes over at the same address. Nothing acknowledged is lost, and
// no revoked token is accepted. `FAULTS=5` repeats the first test five times, with more load.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { compose } from '../../src/compose.ts';
import { readConfig } from '../../src/config.ts';
import { Caller } from '../support/caller.ts';
import type { TestScope } from '../support/databases.ts';
import { openMovingAddress } from '../support/moving-address.ts';
import { notebook } from '../support/people.ts';
import { untilTrue } from '../support/program.ts';
import { addMember, addSignIn } from '../support/seeding.ts';
import { startWithStandby } from '../support/standby.ts';
import { AWHILE_MS, LOAD, onPostgres, PROFILE, ROUNDS, underLoad, without } from './fault-load.ts';
import { openNode, scopeOf } from './fault-nodes.ts';

// Each test starts two servers and a service, and some wait for an answer that never comes.
const options = { ...onPostgres, timeout: 2 * onPostgres.timeout };
const REVOKE = '/api/oauth/revoke';

describe('A failover', { concurrency: 2 }, () => {
  for (let round = 1; round <= ROUNDS; round += 1) {
    test(`to a synchronous standby loses nothing, and needs no restart (${round})`, options, async (t) => {
      const scope = scopeOf(t);
      const { servers, address, node } = await openPair(scope, true);
      const pid = node.pid();
      const traffic = await underLoad(
        t,
        node.settings,
        [node.url],
        async () => {
          await servers.killPrimary();
          const [ready, healthy] = await Promise.all(
            ['readyz', 'healthz'].map((path) => fetch(`${node.url}/${path}`)),
          );
          // The address moves before the standby is promoted. It answers reads, with what it has received.
          address.moveTo(servers.standby);
          await pause(AWHILE_MS);
          const early = await fetch(`${node.url}/readyz`);
          await servers.promote();
          await untilTrue(async () => (await fetch(`${node.url}/readyz`)).ok);

          for (const answer of [ready, early]) {
            assert.equal(answer?.status, 503);
            assert.ok(Number(answer?.headers.get('retry-after')) > 0);
          }
          assert.equal(healthy?.status, 200);
        },
        { rounds: 1, load: { ...LOAD, spare: 0 } },
      );

      assert.equal(node.pid(), pid);
      assert.deepEqual(without(traffic.tally.failures, '503'), {});
      assert.ok((traffic.tally.failures['503'] ?? 0) > 0);
    });
  }

  test('from a primary that no longer answers takes as long as a request waits', options, async (t) => {
    const scope = scopeOf(t);
    const { servers, address, node } = await openPair(scope, true);
    const traffic = await underLoad(
      t,
      node.settings,
      [node.url],
      async () => {
        // Its machine loses power: nobody closes its connections.
        address.moveTo(servers.standby, { isSilent: true });
        await servers.killPrimary();
        await servers.promote();
        await untilTrue(async () => (await fetch(`${node.url}/readyz`)).ok);
      },
      { rounds: 1, load: { callers: 8, each: 8, spare: 0 } },
    );

    assert.deepEqual(without(traffic.tally.failures, '503'), {});
    assert.ok(traffic.tally.longestSilence < 12_000, `${traffic.tally.longestSilence} ms`);
  });

  test('is only safe with a standby that is synchronous', options, async (t) => {
    const { servers, address, node, tokens, revoke, statusOf } = await openPair(scopeOf(t), false);
    const [known = '', lost = ''] = tokens;
    assert.equal(await revoke(known), 200);
    await untilTrue(() => servers.hasAll());
    servers.link.cut();
    assert.equal(await revoke(lost), 200);
    assert.equal(await statusOf(lost), 401);
    await servers.killPrimary();
    await servers.promote();
    address.moveTo(servers.standby);
    await untilTrue(async () => (await fetch(`${node.url}/readyz`)).ok);

    assert.equal(await statusOf(known), 401);
    // What docs/deploying.md warns of: the server acknowledged the revocation, and it is gone.
    assert.equal(await statusOf(lost), 200);
  });

  test(
    'with the only synchronous standby lost, nothing is acknowledged until it is back',
    onPostgres,
    async (t) => {
      const { servers, tokens, revoke, statusOf } = await openPair(scopeOf(t), true);
      const [token = '', other = ''] = tokens;
      servers.link.cut();
      const revoked = revoke(token);
      assert.equal(await statusOf(token), 200);
      assert.equal(await revoked, 503);
      assert.equal(await statusOf(other), 200);
      servers.link.moveTo(servers.primary);
      await untilTrue(async () => (await statusOf(token)) === 401);

      assert.equal(await revoke(other), 200);
    },
  );
});

async function openPair(scope: TestScope, isSynchronous: boolean) {
  const servers = await startWithStandby(scope, isSynchronous);
  const address = await openMovingAddress(scope, servers.primary);
  const node = await openNode(scope, { DATABASE_URL: address.url });
  const portico = await compose(readConfig({ ...node.settings, LOG_LEVEL: 'silent' }));
  const client = await notebook(portico);
  const alice = await addMember(portico, 'alice');
  const signIns = [await addSignIn(portico, client, alice), await addSignIn(portico, client, alice)];
  await portico.close();
  const caller = new Caller(node.url);
  scope.after(() => caller.close());
  const credentials = { client_id: client.id, client_secret: client.secret };
  return {
    servers,
    address,
    node,
    tokens: signIns.map(({ access }) => access),
    revoke: async (token: string) => (await caller.post(REVOKE, { ...credentials, token })).status,
    statusOf: async (token: string) => (await caller.get(PROFILE, token)).status,
  };
}
