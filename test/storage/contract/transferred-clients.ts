// What goes with the former owner of an application.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { digestOf } from '../../../src/lib/secrets.ts';
import { asMember } from '../doers.ts';
import { acceptSeen, type Open, openFixture } from '../fixture.ts';
import { NOON, newClient } from '../records.ts';

const LATER = NOON + MINUTE;

export const transferredClients = {
  title: 'applications with another owner',
  registerTests(open: Open): void {
    test('accepting ends the earlier secret and the endpoints that the former owner set', async (t) => {
      const { oauth, alice, bob } = await openFixture(open, t);
      const by = asMember(bob, NOON);
      const endpoint = { clientId: 'notebook', url: 'https://bob.example/hook', secret: 'whsec_bob' };
      await oauth.replaceClientSecret(
        by,
        'notebook',
        { digest: digestOf('new'), ending: 'wxyz' },
        LATER + HOUR,
      );
      await oauth.setEventEndpoint(by, { ...endpoint, kind: 'webhook' });
      await oauth.setEventEndpoint(by, { ...endpoint, kind: 'logout', secret: undefined });
      await oauth.offerClient(by, 'notebook', alice, LATER + HOUR);

      assert.equal(await acceptSeen(oauth, asMember(alice, LATER), 'notebook', 9), true);

      const client = await oauth.findClient('notebook');
      assert.deepEqual(
        [client?.previousSecretDigest, client?.previousSecretEnding, client?.previousSecretUntil],
        [undefined, undefined, undefined],
      );
      assert.deepEqual(await oauth.endpointStates('notebook'), []);
    });

    test('so does an owner that operators set, if it is another member', async (t) => {
      const { oauth, alice, bob } = await openFixture(open, t);
      const [by, operator] = [asMember(bob, NOON), { kind: 'command-line', at: LATER } as const];
      const secret = { digest: digestOf('new'), ending: 'wxyz' };
      await oauth.replaceClientSecret(by, 'notebook', secret, LATER + HOUR);
      const endpoint = { clientId: 'notebook', url: 'https://bob.example/hook' };
      await oauth.setEventEndpoint(by, { ...endpoint, kind: 'webhook', secret: 'whsec_bob' });
      await oauth.setEventEndpoint(by, { ...endpoint, kind: 'logout', secret: undefined });
      const facts = async () => {
        const { previousSecretDigest, previousSecretEnding, previousSecretUntil } =
          (await oauth.findClient('notebook')) ?? {};
        const states = await oauth.endpointStates('notebook');
        return [previousSecretDigest, previousSecretEnding, previousSecretUntil, states.length];
      };
      const before = await facts();

      assert.equal(await oauth.setOwner(operator, 'notebook', bob), false);
      assert.deepEqual(await facts(), before);
      assert.equal(await oauth.setOwner(operator, 'notebook', alice), true);
      assert.deepEqual(await facts(), [undefined, undefined, undefined, 0]);
    });

    test('an application is accepted only as it was seen', async (t) => {
      const { oauth, alice, bob } = await openFixture(open, t);
      const [by, to] = [asMember(bob, NOON), asMember(alice, LATER)];
      await oauth.offerClient(by, 'notebook', alice, LATER + HOUR);
      const [offer] = await oauth.clientsOfferedTo(alice, LATER);
      const seen = offer?.client ?? newClient('atlas');
      await oauth.changeClient(by, seen, { ...seen, name: 'Town Bank' }, ['name'], 'kept');

      assert.equal(await oauth.acceptClient(to, seen, 9), false);
      assert.equal(await acceptSeen(oauth, to, 'notebook', 9), true);
    });

    test('a planned deletion goes with the owner who planned it', async (t) => {
      const { oauth, alice, bob } = await openFixture(open, t);
      const [former, operator] = [asMember(bob), { kind: 'command-line', at: NOON } as const];
      const planned = async () => (await oauth.findClient('notebook'))?.deleteAt;
      await oauth.planDeletion(former, 'notebook', LATER);
      await oauth.offerClient(former, 'notebook', alice, LATER + HOUR);
      assert.equal(await planned(), LATER);

      assert.equal(await acceptSeen(oauth, asMember(alice), 'notebook', 9), true);
      assert.equal(await planned(), undefined);
      assert.deepEqual(await oauth.clientsToDelete(LATER, 9), []);

      await oauth.planDeletion(asMember(alice), 'notebook', LATER);
      assert.equal(await oauth.setOwner(operator, 'notebook', bob), true);
      assert.equal(await planned(), undefined);
    });
  },
};
