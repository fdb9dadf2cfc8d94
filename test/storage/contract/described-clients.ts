// Applications that describe themselves in a document.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, HOUR } from '../../../src/lib/clock.ts';
import type { Client } from '../../../src/oauth/client-store.ts';
import { purgeExpired } from '../../../src/storage/purge/purge.ts';
import { asMember, asOperator, SERVER } from '../doers.ts';
import { type Open, openFixture, signIn } from '../fixture.ts';
import { LIFETIMES, NOON, newClient } from '../records.ts';

const FRESH = NOON + HOUR;

function described(n: number, host = `a${n}.example`): Client {
  return {
    ...newClient('pocket', { name: host, claimedName: 'Assistant', scopes: ['posts:read'] }),
    id: `app_${n}`,
    documentUrl: `https://${host}/client.json`,
    documentFreshUntil: FRESH,
  };
}

export const describedClients = {
  title: 'applications that describe themselves',
  registerTests(open: Open): void {
    test('of parallel additions of one address one is added, and it is found by id and by address', async (t) => {
      const { oauth, alice, bob } = await openFixture(open, t);
      const add = (n: number) =>
        oauth.addDocumentClient(asMember(n % 2 === 0 ? alice : bob), described(n, 'a.example'), 9);

      const outcomes = await Promise.all([1, 2, 3, 4].map(add));

      assert.deepEqual(outcomes.toSorted(), ['added', 'exists', 'exists', 'exists']);
      const client = await oauth.findClient('https://a.example/client.json');
      assert.deepEqual(client, { ...described(0, 'a.example'), id: client?.id });
      assert.deepEqual(await oauth.findClient(client?.id ?? ''), client);
      assert.equal(await oauth.findClient('https://a.example/client'), undefined);
    });

    test('no more are added than there can be, and an addition is recorded with its member', async (t) => {
      const { oauth, audit, alice } = await openFixture(open, t);
      const outcomes: string[] = [];
      for (const n of [1, 2, 3]) {
        outcomes.push(await oauth.addDocumentClient(asMember(alice), described(n), 2));
      }

      assert.deepEqual(outcomes, ['added', 'added', 'too_many']);
      assert.equal(await oauth.findClient('app_3'), undefined);
      const entries = await audit.auditEvents({ limit: 9 });
      assert.deepEqual(
        entries.map(({ action, actorName, subject }) => [action, actorName, subject.id]),
        [
          ['client.create', 'alice', 'app_2'],
          ['client.create', 'alice', 'app_1'],
        ],
      );
    });

    test('an update takes what the document says and keeps the rest, also a deactivation', async (t) => {
      const { oauth, alice, database } = await openFixture(open, t);
      await oauth.addDocumentClient(asMember(alice), described(1), 9);
      await oauth.setClientStatus(asOperator(alice), 'app_1', 'deactivated');
      const before = await oauth.findClient('app_1');
      const now = {
        claimedName: 'Butler',
        scopes: ['profile:read'] as const,
        redirectUris: ['https://a1.example/new'],
      };

      assert.equal(await oauth.updateDocumentClient(SERVER, 'app_1', now, FRESH + 1, ['claimedName']), true);
      assert.equal(await oauth.updateDocumentClient(SERVER, 'notebook', now, FRESH + 1, []), false);

      assert.deepEqual(await oauth.findClient('app_1'), { ...before, ...now, documentFreshUntil: FRESH + 1 });
      assert.equal((await oauth.findClient('app_1'))?.status, 'deactivated');
      assert.equal(await purgeExpired(database, LIFETIMES, FRESH + 40 * DAY, 9), 0);
    });

    test('nobody registers it as theirs, and a deletion frees its address', async (t) => {
      const { oauth, alice, bob } = await openFixture(open, t);
      await oauth.addDocumentClient(asMember(alice), described(1), 9);
      const [client] = [described(1)];

      assert.equal(await oauth.setOwner(asOperator(alice), 'app_1', bob), false);
      assert.equal(await oauth.changeClient(asOperator(alice), 'app_1', client, ['name'], 'kept'), false);
      assert.equal(await oauth.deleteClient(asOperator(alice), 'app_1', false), true);
      const again = { ...described(2), documentUrl: client.documentUrl };
      assert.equal(await oauth.addDocumentClient(asMember(alice), again, 9), 'added');
      assert.equal((await oauth.findClient(again.documentUrl ?? ''))?.id, 'app_2');
    });

    test('its tokens say that it is one', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice } = fixture;
      await oauth.addDocumentClient(asMember(alice), described(1), 9);
      const [one, other] = [await signIn(fixture, alice, 'app_1'), await signIn(fixture, alice, 'notebook')];

      const documents = [one, other].map(async ({ accessToken }) => oauth.findAccessToken(accessToken.key));
      assert.deepEqual(
        (await Promise.all(documents)).map((token) => token?.clientDocument),
        ['https://a1.example/client.json', undefined],
      );
    });

    test('one that nobody allowed is purged after thirty days, and others stay', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice, database } = fixture;
      for (const n of [1, 2]) await oauth.addDocumentClient(asMember(alice), described(n), 9);
      await signIn(fixture, alice, 'app_2');
      const waiting = { ...described(3), status: 'deactivated', deactivation: 'approval' } as const;
      await oauth.addDocumentClient(asMember(alice), waiting, 9);
      assert.notEqual(await oauth.findClient('app_1'), undefined);

      const due = FRESH + 30 * DAY;
      await purgeExpired(database, LIFETIMES, due - 1, 9);
      assert.notEqual(await oauth.findClient('app_1'), undefined);
      await purgeExpired(database, LIFETIMES, due, 9);

      assert.equal(await oauth.findClient('app_1'), undefined);
      assert.equal(await oauth.findClient('app_3'), undefined);
      assert.notEqual(await oauth.findClient('app_2'), undefined);
      assert.notEqual(await oauth.findClient('notebook'), undefined);
    });
  },
};
