// Logos, and the decisions of operators on applications and logos.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE } from '../../../src/lib/clock.ts';
import type { Client } from '../../../src/oauth/client-store.ts';
import { asMember, asOperator, SERVER } from '../doers.ts';
import { atOnce, type Open, openFixture } from '../fixture.ts';
import { NOON, newClient } from '../records.ts';

const LATER = NOON + MINUTE;
const RED = { digest: 'd'.repeat(32), image: new Uint8Array([1]) };
const BLUE = { digest: 'b'.repeat(32), image: new Uint8Array([2]) };

export const clientReviews = {
  title: 'logos and reviews of applications',
  registerTests(open: Open): void {
    test('a logo waits, is approved as it was seen, and is erased with its application', async (t) => {
      const { oauth, alice, bob } = await openFixture(open, t);
      const operator = { kind: 'operator', userId: alice, at: LATER } as const;
      const owner = asMember(bob, LATER);
      assert.equal(await oauth.setClientLogo(asMember(alice), 'notebook', RED, false), false);
      assert.equal(await oauth.setClientLogo(owner, 'notebook', RED, false), true);
      const [waiting] = await oauth.waitingClients(9);
      assert.deepEqual([waiting?.client.id, waiting?.ownerName, waiting?.since], ['notebook', 'bob', LATER]);
      const seen = waiting?.client ?? newClient('notebook');

      await oauth.setClientLogo(owner, 'notebook', BLUE, false);
      assert.equal(await oauth.findClientLogo(RED.digest), undefined);
      assert.equal(await oauth.approveClient(operator, seen), false);
      assert.equal(await oauth.refuseClient(operator, seen, 'No.'), false);
      const now = (await oauth.findClient('notebook')) ?? seen;
      assert.equal(await oauth.approveClient(operator, now), true);
      assert.equal((await oauth.findClient('notebook'))?.isLogoApproved, true);
      assert.equal(await oauth.countWaitingClients(9), 0);

      await oauth.changeClient(owner, now, { ...now, name: 'Another' }, ['name'], 'kept');
      assert.equal((await oauth.findClient('notebook'))?.isLogoApproved, false);
      assert.equal(await oauth.countWaitingClients(9), 1);
      await oauth.deleteClient({ kind: 'server', at: LATER }, 'notebook', false);
      assert.equal(await oauth.findClientLogo(BLUE.digest), undefined);
      assert.equal(await oauth.countWaitingClients(9), 0);
      assert.equal(await oauth.setClientLogo(owner, 'notebook', RED, false), false);
    });

    test('of parallel decisions on an application one counts, and its owner is told once', async (t) => {
      const { oauth, community, alice, bob } = await openFixture(open, t);
      const waiting = { status: 'deactivated', deactivation: 'approval' } as const;
      const client = { ...newClient('atlas', { ownerId: bob }), ...waiting };
      await oauth.addOwnClient(asMember(bob), client, 9);
      const operator = { kind: 'operator', userId: alice, at: LATER } as const;
      assert.equal(await oauth.countWaitingClients(9), 1);

      const refused = await atOnce(3, () => oauth.refuseClient(operator, client, 'Not yet.'));
      assert.deepEqual(refused.toSorted(), [false, false, true]);
      const after = await oauth.findClient('atlas');
      assert.deepEqual([after?.deactivation, after?.reviewNote], ['refused', 'Not yet.']);
      assert.equal(await oauth.setClientStatus(asMember(bob), 'atlas', 'active'), false);
      const asked = await atOnce(2, () => oauth.askForApproval(asMember(bob, LATER), 'atlas'));
      assert.deepEqual(asked.toSorted(), [false, true]);
      const again = await oauth.waitingClients(9);
      assert.deepEqual(
        again.map(({ since }) => since),
        [LATER],
      );

      const approved = await atOnce(3, () => oauth.approveClient(operator, again[0]?.client ?? client));
      assert.deepEqual(approved.toSorted(), [false, false, true]);
      assert.equal(await oauth.askForApproval(asMember(bob, LATER), 'atlas'), false);
      const active = await oauth.findClient('atlas');
      assert.deepEqual(
        [active?.status, active?.deactivation, active?.reviewNote],
        ['active', undefined, undefined],
      );
      // What operators deactivated, the owner can't bring among what waits.
      await oauth.setClientStatus(operator, 'atlas', 'deactivated');
      assert.equal(await oauth.askForApproval(asMember(bob, LATER), 'atlas'), false);
      const news = await community.notificationsOf(bob, Number.MAX_SAFE_INTEGER, 9);
      assert.deepEqual(
        news.map(({ kind, reason, about }) => [kind, reason, about.review?.isApproved]),
        [
          ['application', undefined, true],
          ['application', 'Not yet.', false],
        ],
      );
    });

    test('a change and an activation are stored only over what they were judged against', async (t) => {
      const { oauth, alice, bob } = await openFixture(open, t);
      const [owner, operator] = [asMember(bob, LATER), asOperator(alice)];
      const read = async () => (await oauth.findClient('notebook')) ?? newClient('notebook');
      const both = ['https://notebook.example/cb', 'https://evil.example/cb'];
      const change = async (seen: Client, settings: Partial<Client>) =>
        oauth.changeClient(owner, seen, { ...seen, ...settings }, ['redirectUris'], 'kept');
      await change(await read(), { redirectUris: both });
      const withEvil = await read();

      const others: Partial<Client>[] = [
        { redirectUris: both.slice(0, 1) },
        { postLogoutRedirectUris: ['https://notebook.example/bye'] },
        { name: 'Diary' },
        { description: 'A diary.' },
        { homePage: 'https://notebook.example/' },
        { scopes: ['openid'] },
        { requiredScopes: ['openid'] },
        { scopeReasons: { openid: { en: 'To know you.' } } },
      ];
      for (const settings of others) {
        const seen = await read();
        assert.equal(await change(seen, settings), true, JSON.stringify(settings));
        assert.equal(await change(seen, { redirectUris: both }), false, JSON.stringify(settings));
      }
      assert.deepEqual((await read()).redirectUris, both.slice(0, 1));

      await oauth.setClientStatus(operator, 'notebook', 'deactivated');
      const seen = await read();
      assert.equal(await oauth.setClientStatus(operator, 'notebook', 'active', withEvil), false);
      await change(seen, { redirectUris: both });
      assert.equal(await oauth.setClientStatus(operator, 'notebook', 'active', seen), false);
      assert.equal((await read()).status, 'deactivated');
      assert.equal(await oauth.setClientStatus(operator, 'notebook', 'active', await read()), true);
    });

    test('an application that is approved while its owner is suspended works when the suspension ends', async (t) => {
      const { identity, oauth, alice, bob } = await openFixture(open, t);
      const waiting = { status: 'deactivated', deactivation: 'approval' } as const;
      const client = { ...newClient('atlas', { ownerId: bob }), ...waiting };
      await oauth.addOwnClient(asMember(bob), client, 9);
      await oauth.setClientLogo(asMember(bob), 'notebook', RED, false);
      await identity.setStatus(SERVER, bob, 'suspended');
      await oauth.setClientStatus(SERVER, 'notebook', 'active');
      const operator = { kind: 'operator', userId: alice, at: LATER } as const;
      const stateOf = async (id: string) => {
        const found = await oauth.findClient(id);
        return [found?.status, found?.deactivation];
      };

      assert.equal(await oauth.approveClient(operator, client), true);
      assert.deepEqual(await stateOf('atlas'), ['deactivated', 'suspension']);
      // An operator activated this one in spite of the suspension.
      const notebook = (await oauth.findClient('notebook')) ?? client;
      assert.equal(await oauth.approveClient(operator, notebook), true);
      assert.deepEqual(await stateOf('notebook'), ['active', undefined]);

      await identity.setStatus(SERVER, bob, 'active');
      assert.deepEqual(await stateOf('atlas'), ['active', undefined]);
    });
  },
};
