// What applications look like: the look-alikes that are found, and how looks follow the settings.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE } from '../../../src/lib/clock.ts';
import type { Client } from '../../../src/oauth/client-store.ts';
import { asMember, SERVER } from '../doers.ts';
import { type Fixture, type Open, openFixture } from '../fixture.ts';
import { NOON, newClient, newCode } from '../records.ts';

const LATER = NOON + MINUTE;
const LOOKS = [
  { look: 'name notebook', host: '' },
  { look: 'host notebook.example', host: 'notebook.example' },
  { look: 'near notebok.example', host: 'notebook.example' },
];

async function withLooks({ oauth }: Fixture, id: string): Promise<void> {
  const client = (await oauth.clientsWithoutLooks(1, 9)).find((one) => one.id === id);
  assert.ok(client);
  assert.equal(await oauth.setLooks(client, 1, LOOKS), true);
}

export const clientLooks = {
  title: 'what applications look like',
  registerTests(open: Open): void {
    test('only other owners’ active applications with more members are found, each host once', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice, bob } = fixture;
      await withLooks(fixture, 'notebook');
      const fake = { id: 'fake', name: 'Fake', ownerId: alice, documentUrl: undefined };
      const looks = LOOKS.map(({ look }) => look);
      const found = async (more: object = {}, of: Partial<Client> = {}) => {
        const comparison = {
          looks,
          ownHosts: ['fake.example'],
          members: 0,
          registeredBefore: undefined,
          now: LATER,
          ...more,
        };
        return (await oauth.clientsLike({ ...fake, ...of }, comparison, 9)).map(
          ({ id, host }) => `${id} ${host}`,
        );
      };
      assert.deepEqual(await found(), []);

      await oauth.approve(asMember(alice), undefined, ['profile:read'], newCode(alice, 'notebook'));
      assert.deepEqual(await found(), ['notebook ', 'notebook notebook.example']);
      assert.deepEqual(await found({}, { ownerId: undefined }), await found());
      assert.deepEqual(await found({ registeredBefore: NOON + 1 }), await found());
      assert.deepEqual(await found({ looks: ['name notebook', 'name other'] }), ['notebook ']);
      assert.deepEqual(await found({ ownHosts: ['notebook.example'] }), ['notebook ']);
      assert.deepEqual(await found({ ownHosts: [] }), ['notebook ', 'notebook notebook.example']);
      assert.equal((await oauth.clientsLike(fake, comparisonOf(looks), 1)).length, 1);

      for (const none of [
        { members: 1 },
        { registeredBefore: NOON },
        { looks: [] },
        { looks: ['name other'] },
      ]) {
        assert.deepEqual(await found(none), [], JSON.stringify(none));
      }
      assert.deepEqual(await found({}, { ownerId: bob }), []);
      assert.deepEqual(await found({}, { id: 'notebook' }), []);
      await oauth.setClientStatus(SERVER, 'notebook', 'deactivated');
      assert.deepEqual(await found(), []);
    });

    test('looks are stored once for the settings, and again after a change; those of a deleted one go', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice } = fixture;
      await oauth.approve(asMember(alice), undefined, ['profile:read'], newCode(alice, 'notebook'));
      const before = await oauth.clientsWithoutLooks(1, 9);
      assert.deepEqual(before.map(({ id }) => id).toSorted(), ['notebook', 'pocket']);
      await withLooks(fixture, 'notebook');
      assert.deepEqual(
        (await oauth.clientsWithoutLooks(1, 9)).map(({ id }) => id),
        ['pocket'],
      );
      const [old] = before.filter(({ id }) => id === 'notebook');
      assert.ok(old);
      assert.equal(await oauth.setLooks(old, 1, LOOKS), false);
      assert.equal((await oauth.clientsWithoutLooks(2, 9)).length, 2);

      const settings = newClient('notebook', { name: 'Papyrus', homePage: 'https://paper.example/' });
      await oauth.changeClient(SERVER, newClient('notebook'), settings, ['name'], 'kept');
      // What was read before the change doesn't count.
      assert.equal(await oauth.setLooks(old, 1, LOOKS), false);
      const changed = (await oauth.clientsWithoutLooks(1, 9)).find(({ id }) => id === 'notebook');
      assert.deepEqual([changed?.name, changed?.homePage], ['Papyrus', 'https://paper.example/']);
      assert.ok(changed);
      assert.equal(await oauth.setLooks(changed, 1, [{ look: 'name papyrus', host: '' }]), true);
      const find = async () =>
        (
          await oauth.clientsLike(
            { id: 'fake', name: 'Fake', ownerId: alice, documentUrl: undefined },
            comparisonOf(['name notebook', 'name papyrus']),
            9,
          )
        ).map(({ name }) => name);
      assert.deepEqual(await find(), ['Papyrus']);

      await oauth.deleteClient(SERVER, 'notebook', false);
      await oauth.setClientStatus(SERVER, 'notebook', 'active');
      assert.deepEqual(await find(), []);
    });
  },
};

function comparisonOf(looks: string[]) {
  return { looks, ownHosts: [], members: 0, registeredBefore: undefined, now: LATER };
}
