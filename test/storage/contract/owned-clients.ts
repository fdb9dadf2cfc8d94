// What members do with their applications, and the numbers of applications.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { digestOf } from '../../../src/lib/secrets.ts';
import { asMember, SERVER } from '../doers.ts';
import { acceptSeen, atOnce, type Open, openFixture, signIn } from '../fixture.ts';
import { NOON, newClient } from '../records.ts';

const LATER = NOON + MINUTE;

export const ownedClients = {
  title: 'applications of members',
  registerTests(open: Open): void {
    test('of parallel registrations no more are added than a member can have', async (t) => {
      const { oauth, alice } = await openFixture(open, t);
      const add = (n: number) =>
        oauth.addOwnClient(asMember(alice), { ...newClient('atlas'), id: `app_${n}` }, 3);

      const outcomes = await Promise.all(Array.from({ length: 6 }, (_, n) => add(n)));

      assert.deepEqual(outcomes.toSorted(), [...Array(3).fill('added'), ...Array(3).fill('too_many')]);
      const clients = await oauth.clientsOf(alice);
      assert.equal(clients.length, 3);
      assert.equal(await oauth.addOwnClient(asMember(alice), clients[0] ?? newClient('atlas'), 9), 'exists');
    });

    test('a member changes only their own application, and nobody a deleted one', async (t) => {
      const { oauth, alice, bob } = await openFixture(open, t);
      const [own, other] = [asMember(bob, LATER), asMember(alice, LATER)];
      const client = newClient('notebook', { name: 'Changed' });
      const secret = { digest: digestOf('new'), ending: 'wxyz' };
      const acts: ((by: typeof own) => Promise<boolean>)[] = [
        (by) => oauth.changeClient(by, newClient('notebook'), client, ['name'], 'kept'),
        (by) => oauth.replaceClientSecret(by, 'notebook', secret, LATER + HOUR),
        (by) => oauth.endPreviousSecret(by, 'notebook'),
        (by) => oauth.setClientStatus(by, 'notebook', 'deactivated'),
        (by) => oauth.planDeletion(by, 'notebook', LATER),
        (by) => oauth.offerClient(by, 'notebook', alice, LATER + HOUR),
      ];

      for (const act of acts) assert.equal(await act(other), false);
      for (const act of acts) assert.equal(await act(own), true);
      assert.deepEqual(await oauth.clientsToDelete(LATER - 1, 9), []);
      assert.deepEqual(await oauth.clientsToDelete(LATER, 9), ['notebook']);
      assert.equal(await oauth.deleteClient({ kind: 'server', at: LATER - 1 }, 'notebook', true), false);
      const by = { kind: 'server', at: LATER } as const;
      const deleted = await atOnce(3, () => oauth.deleteClient(by, 'notebook', true));
      assert.deepEqual(deleted.toSorted(), [false, false, true]);
      for (const act of acts) assert.equal(await act(own), false);
      assert.equal(await acceptSeen(oauth, other, 'notebook', 9), false);
      const left = await oauth.findClient('notebook');
      assert.deepEqual(
        [left?.status, left?.deactivation, left?.redirectUris],
        ['deactivated', 'deleted', []],
      );
      assert.deepEqual(await oauth.clientsToDelete(LATER + HOUR, 9), []);
    });

    test('a suspension takes back the offers of the member’s applications, and tells the owner', async (t) => {
      const { identity, oauth, audit, alice, bob } = await openFixture(open, t);
      await oauth.addOwnClient(asMember(bob), newClient('atlas'), 9);
      await oauth.setClientStatus(asMember(bob), 'atlas', 'deactivated');
      for (const id of ['notebook', 'atlas']) await oauth.offerClient(asMember(bob), id, alice, NOON + DAY);
      assert.equal((await oauth.clientsOfferedTo(alice, NOON)).length, 2);

      await identity.setStatus(SERVER, bob, 'suspended');

      assert.deepEqual(await oauth.clientsOfferedTo(alice, NOON), []);
      assert.equal(await acceptSeen(oauth, asMember(alice), 'atlas', 9), false);
      const events = await audit.securityEvents({ userId: bob, limit: 9 });
      assert.equal(events.filter(({ detail }) => detail === 'transfer_cancelled').length, 2);
    });

    test('who declines an offer leaves no network address in the owner’s security log', async (t) => {
      const { oauth, audit, alice, bob } = await openFixture(open, t);
      await oauth.offerClient({ ...asMember(bob), address: '198.51.100.7' }, 'notebook', alice, NOON + DAY);

      await oauth.declineClient({ ...asMember(alice), address: '203.0.113.77' }, 'notebook');

      const [declined, offered] = await audit.securityEvents({ userId: bob, limit: 2 });
      assert.deepEqual([declined?.detail, declined?.address], ['transfer_declined', undefined]);
      assert.deepEqual([offered?.detail, offered?.address], ['transfer_offered', '198.51.100.7']);
    });

    test('applications of a suspended member are refused until the suspension ends, unless operators decided', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, oauth, alice, bob } = fixture;
      for (const n of [1, 2, 3]) {
        await oauth.addOwnClient(asMember(bob), { ...newClient('atlas'), id: `app_${n}` }, 9);
      }
      await oauth.setClientStatus(asMember(bob), 'app_1', 'deactivated');
      const { accessToken } = await signIn(fixture, alice, 'notebook');
      const states = async () => {
        const clients = ['notebook', 'app_1', 'app_2', 'app_3'].map((id) => oauth.findClient(id));
        return (await Promise.all(clients)).map((client) => client?.deactivation ?? client?.status);
      };
      await oauth.findAccessToken(accessToken.key);
      await states();

      await identity.setStatus(SERVER, bob, 'suspended');
      const during = await states();
      const refused = (await oauth.findAccessToken(accessToken.key))?.clientStatus;
      assert.equal(await oauth.setClientStatus(asMember(bob), 'notebook', 'active'), false);
      await oauth.setClientStatus(SERVER, 'app_2', 'active');
      await oauth.setClientStatus(SERVER, 'app_3', 'deactivated');
      await identity.setStatus(SERVER, bob, 'active');

      assert.deepEqual(during, ['suspension', 'owner', 'suspension', 'suspension']);
      assert.equal(refused, 'deactivated');
      assert.deepEqual(await states(), ['active', 'owner', 'active', 'operators']);
      assert.equal((await oauth.findAccessToken(accessToken.key))?.clientStatus, 'active');
    });

    test('applications of a closed account are deactivated and keep their owner, without its addresses', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, oauth, alice, bob } = fixture;
      const waiting = { status: 'deactivated', deactivation: 'approval' } as const;
      await oauth.addOwnClient(asMember(bob), { ...newClient('atlas'), id: 'app_1', ...waiting }, 9);
      await oauth.offerClient(asMember(bob), 'notebook', alice, LATER + HOUR);
      await oauth.findClient('notebook');
      await identity.setStatus(SERVER, bob, 'suspended');

      await identity.closeAccount({ ...SERVER, at: LATER }, bob);

      const [notebook, other] = [await oauth.findClient('notebook'), await oauth.findClient('app_1')];
      assert.deepEqual(
        [notebook?.ownerId, notebook?.status, notebook?.deactivation, notebook?.transferTo],
        [bob, 'deactivated', 'operators', undefined],
      );
      assert.deepEqual([other?.ownerId, other?.deactivation], [bob, 'approval']);
      assert.equal(await acceptSeen(oauth, asMember(alice, LATER), 'notebook', 9), false);
    });

    test('of parallel acceptances one takes over, in time and within what a member can have', async (t) => {
      const { oauth, alice, bob } = await openFixture(open, t);
      await oauth.offerClient(asMember(bob, NOON), 'notebook', alice, LATER);
      assert.deepEqual(
        (await oauth.clientsOfferedTo(alice, NOON)).map(({ ownerName }) => ownerName),
        ['bob'],
      );
      assert.deepEqual(await oauth.clientsOfferedTo(alice, LATER), []);

      assert.equal(await acceptSeen(oauth, asMember(alice, LATER), 'notebook', 9), false);
      assert.equal(await acceptSeen(oauth, asMember(alice, NOON), 'notebook', 0), false);
      assert.equal(await acceptSeen(oauth, asMember(bob, NOON), 'notebook', 9), false);
      const accepted = await atOnce(3, () => acceptSeen(oauth, asMember(alice, NOON), 'notebook', 9));
      assert.deepEqual(accepted.toSorted(), [false, false, true]);
      assert.equal((await oauth.findClient('notebook'))?.ownerId, alice);
    });

    test('of parallel acceptances no more succeed than a member can have', async (t) => {
      const { oauth, alice, bob } = await openFixture(open, t);
      const ids = Array.from({ length: 6 }, (_, n) => `app_${n}`);
      for (const id of ids) {
        await oauth.addOwnClient(asMember(bob, NOON), { ...newClient('atlas'), id }, 20);
        await oauth.offerClient(asMember(bob, NOON), id, alice, LATER);
      }

      const accepted = await Promise.all(ids.map((id) => acceptSeen(oauth, asMember(alice, NOON), id, 3)));

      assert.equal(accepted.filter(Boolean).length, 3);
      assert.equal((await oauth.clientsOf(alice)).length, 3);
    });

    test('only the owner changes the endpoints, and nobody those of a deleted application', async (t) => {
      const { oauth, alice, bob } = await openFixture(open, t);
      const endpoint = {
        clientId: 'notebook',
        kind: 'webhook',
        url: 'https://x.example/',
        secret: 's',
      } as const;
      const [own, other] = [asMember(bob, LATER), asMember(alice, LATER)];
      const acts: ((by: typeof own) => Promise<boolean>)[] = [
        (by) => oauth.setEventEndpoint(by, endpoint),
        (by) => oauth.replaceWebhookSecret(by, 'notebook', 't', LATER + HOUR),
        (by) => oauth.removeEventEndpoint(by, 'notebook', 'webhook'),
      ];

      for (const act of acts) assert.equal(await act(own), true);
      await oauth.setEventEndpoint(own, endpoint);
      for (const act of acts) assert.equal(await act(other), false);
      const [state] = await oauth.endpointStates('notebook');
      assert.deepEqual([state?.url, state?.secret], ['https://x.example/', 's']);
      await oauth.deleteClient({ kind: 'server', at: LATER }, 'notebook', false);
      for (const act of acts) assert.equal(await act(own), false);
      assert.deepEqual(await oauth.endpointStates('notebook'), []);
    });

    test('a renamed application keeps the name that members knew, and tells since when its owner has it', async (t) => {
      const { oauth, alice, bob } = await openFixture(open, t);
      const rename = async (name: string, at: number) => {
        const seen = (await oauth.findClient('notebook')) ?? newClient('notebook');
        await oauth.changeClient(asMember(bob, at), seen, { ...seen, name }, ['name'], 'kept');
      };
      const names = async () => {
        const client = await oauth.findClient('notebook');
        return [client?.formerName, client?.renamedAt, client?.ownerSince];
      };
      assert.deepEqual(await names(), [undefined, undefined, undefined]);

      await rename('Second', NOON);
      await rename('Second', NOON + 1);
      await rename('Third', NOON + 2);
      assert.deepEqual(await names(), ['The notebook', NOON + 2, undefined]);
      await rename('Fourth', NOON + 31 * DAY);
      assert.deepEqual(await names(), ['Third', NOON + 31 * DAY, undefined]);

      await oauth.setOwner({ kind: 'server', at: LATER }, 'notebook', bob);
      assert.equal((await names())[2], undefined);
      await oauth.setOwner({ kind: 'server', at: LATER }, 'notebook', alice);
      assert.equal((await names())[2], LATER);
    });

    test('the last use of each callback and secret is one row, which goes with it', async (t) => {
      const { oauth } = await openFixture(open, t);
      const use = (name: string, lastHour: number) => ({ clientId: 'notebook', name, lastHour });
      await oauth.setClientUses([use('callback a', NOON), use('callback b', NOON), use('secret c', NOON)]);
      await atOnce(5, () =>
        oauth.setClientUses([use('callback a', NOON + HOUR), use('secret c', NOON - HOUR)]),
      );
      await oauth.setClientUses([{ ...use('callback b', NOON), clientId: 'pocket' }]);

      await oauth.keepClientUses('notebook', ['callback a', 'secret c', 'callback new']);

      const byName = (uses: { name: string; lastHour: number }[]) =>
        uses.map(({ name, lastHour }) => `${name} ${lastHour}`).toSorted();
      assert.deepEqual(byName(await oauth.clientUses('notebook')), [
        `callback a ${NOON + HOUR}`,
        `secret c ${NOON}`,
      ]);
      assert.equal((await oauth.clientUses('pocket')).length, 1);
      await oauth.deleteClient({ kind: 'server', at: LATER }, 'notebook', false);
      assert.deepEqual(await oauth.clientUses('notebook'), []);
    });

    test('numbers of the same hour are added, also by writers at once', async (t) => {
      const { oauth } = await openFixture(open, t);
      const line = (what: string, hour = NOON) => ({ clientId: 'notebook', hour, what, times: 2 });

      await atOnce(5, () => oauth.addClientHours([line('api'), line('401'), line('api', NOON + HOUR)]));

      const rows = await oauth.clientHours('notebook', NOON);
      assert.deepEqual(rows.map(({ what, times }) => `${what} ${times}`).toSorted(), [
        '401 10',
        'api 10',
        'api 10',
      ]);
      assert.equal((await oauth.clientHours('notebook', NOON + HOUR)).length, 1);
      assert.equal(await oauth.countReplays('notebook', NOON), 0);
    });
  },
};
