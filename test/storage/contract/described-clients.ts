// Applications that describe themselves in a document.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, HOUR } from '../../../src/lib/clock.ts';
import type { Client, DescribedClient } from '../../../src/oauth/client-store.ts';
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

    test('no more are added than members allow, and an addition is recorded with its member', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, audit, alice } = fixture;
      const outcomes: string[] = [];
      for (const n of [1, 2, 3]) {
        outcomes.push(await oauth.addDocumentClient(asMember(alice), described(n), 2));
        if (n < 3) await signIn(fixture, alice, `app_${n}`);
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

    test('the oldest that nobody allows, reported or decided about makes room, and is purged', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice, bob, database } = fixture;
      const add = (n: number, more: Partial<Client> = {}) =>
        oauth.addDocumentClient(asMember(alice), { ...described(n), ...more }, 5);
      for (const n of [1, 2, 3, 5]) await add(n);
      await add(4, { status: 'deactivated', deactivation: 'approval' });
      await signIn(fixture, alice, 'app_1');
      await oauth.addClientReport(asMember(bob), { clientId: 'app_2', reason: 'other', note: '' }, 0);
      await oauth.setClientStatus(asOperator(alice), 'app_3', 'deactivated');
      const isKnown = async (n: number) =>
        (await oauth.findClient(`https://a${n}.example/client.json`)) !== undefined;
      const known = async () =>
        (await Promise.all([1, 2, 3, 4, 5, 6, 7, 8, 9].map(isKnown))).map(Number).join('');

      assert.equal(await add(1), 'exists');
      assert.equal(await known(), '111110000');
      // What operators deactivated takes no room.
      assert.equal(await add(6), 'added');
      assert.equal(await known(), '111111000');
      assert.equal(await add(7), 'added');
      assert.equal(await known(), '111011100');
      assert.equal(await add(8), 'added');
      assert.equal(await known(), '111001110');
      for (const id of ['app_6', 'app_7', 'app_8']) await signIn(fixture, alice, id);
      assert.equal(await add(9), 'too_many');
      await oauth.withdrawGrant(asMember(alice), alice, 'app_7');
      assert.equal(await add(9), 'added');
      assert.equal(await known(), '111001011');
      await signIn(fixture, alice, 'app_9');
      await oauth.closeClientReports(asOperator(alice), 'app_2');
      assert.equal(await add(10), 'added');
      assert.equal(await known(), '101001011');
      assert.equal((await oauth.findClient('app_4'))?.deactivation, 'deleted');
      while ((await purgeExpired(database, LIFETIMES, NOON, 9)) > 0);
      const rows = await Promise.all(['app_3', 'app_4', 'app_5'].map((id) => oauth.findClient(id)));
      assert.deepEqual(
        rows.map((client) => client?.id),
        ['app_3', undefined, undefined],
      );
    });

    test('a host with an application that operators deactivated or refused has no new one', async (t) => {
      const { oauth, alice } = await openFixture(open, t);
      const operator = asOperator(alice);
      const add = (n: number, path: string, host = 'a.example', more: Partial<Client> = {}) => {
        const documentUrl = `https://${host}/${path}`;
        return oauth.addDocumentClient(asMember(alice), { ...described(n, host), documentUrl, ...more }, 9);
      };
      await add(1, 'a');
      await add(2, 'b');
      await add(3, 'c', 'sub.a.example');
      await add(4, 'd', 'b.example', { status: 'deactivated', deactivation: 'approval' });
      assert.equal(await oauth.isRefusedHost('a.example'), false);

      await oauth.setClientStatus(operator, 'app_1', 'deactivated');
      assert.equal(await oauth.isRefusedHost('a.example'), true);
      assert.deepEqual([await add(5, 'e'), await oauth.findClient('app_5')], ['refused', undefined]);
      const states = ['app_1', 'app_2', 'app_3'].map(async (id) => (await oauth.findClient(id))?.status);
      assert.deepEqual(await Promise.all(states), ['deactivated', 'deactivated', 'active']);
      assert.equal(await oauth.isRefusedHost('example'), false);
      const waiting = await oauth.findClient('app_4');
      assert.ok(waiting);
      await oauth.refuseClient(operator, waiting, 'No.');
      assert.equal(await add(6, 'f', 'b.example'), 'refused');

      await oauth.setClientStatus(operator, 'app_2', 'active');
      assert.equal((await oauth.findClient('app_1'))?.status, 'active');
      assert.equal(await add(5, 'e'), 'added');
      await oauth.deleteClient(operator, 'app_4', false);
      assert.equal(await add(6, 'f', 'b.example'), 'added');
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

      assert.equal(
        await oauth.updateDocumentClient(SERVER, described(1), now, FRESH + 1, ['claimedName'], 'needed'),
        true,
      );
      const registered = newClient('notebook');
      assert.equal(await oauth.updateDocumentClient(SERVER, registered, now, FRESH + 1, [], 'kept'), false);

      assert.deepEqual(await oauth.findClient('app_1'), { ...before, ...now, documentFreshUntil: FRESH + 1 });
      assert.equal((await oauth.findClient('app_1'))?.status, 'deactivated');
      assert.equal(await purgeExpired(database, LIFETIMES, FRESH + 40 * DAY, 9), 0);
    });

    test('an update counts only for the document that it was compared with', async (t) => {
      const { oauth, alice } = await openFixture(open, t);
      await oauth.addDocumentClient(asMember(alice), described(1), 9);
      const said = async () => (await oauth.findClient('app_1')) ?? described(1);
      const update = (seen: Client, now: Partial<DescribedClient>) =>
        oauth.updateDocumentClient(
          SERVER,
          seen,
          { ...seen, claimedName: 'Butler', ...now },
          FRESH,
          [],
          'kept',
        );

      const others: Partial<DescribedClient>[] = [
        { claimedName: 'Valet' },
        { redirectUris: ['https://a1.example/new'] },
        { scopes: ['profile:read'] },
      ];
      for (const now of others) {
        const seen = await said();
        assert.equal(await update(seen, now), true, JSON.stringify(now));
        assert.equal(await update(seen, { claimedName: 'Bank' }), false, JSON.stringify(now));
      }
    });

    test('nobody registers it as theirs, and a deletion frees its address', async (t) => {
      const { oauth, alice, bob } = await openFixture(open, t);
      await oauth.addDocumentClient(asMember(alice), described(1), 9);
      const [client] = [described(1)];

      assert.equal(await oauth.setOwner(asOperator(alice), 'app_1', bob), false);
      assert.equal(await oauth.changeClient(asOperator(alice), client, client, ['name'], 'kept'), false);
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
      while ((await purgeExpired(database, LIFETIMES, due, 9)) > 0);

      assert.equal(await oauth.findClient('app_1'), undefined);
      assert.equal(await oauth.findClient('app_3'), undefined);
      assert.notEqual(await oauth.findClient('app_2'), undefined);
      assert.notEqual(await oauth.findClient('notebook'), undefined);
    });
  },
};
