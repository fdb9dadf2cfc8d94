// Members' reports of applications: one of each member, in lists that many reports of one application can't fill.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, MINUTE } from '../../../src/lib/clock.ts';
import { asMember, SERVER } from '../doers.ts';
import { type Fixture, type Open, openFixture } from '../fixture.ts';
import { NOON, newClient } from '../records.ts';

const NEVER_CLOSED = 0;
const report = (clientId: string, note = '') => ({ clientId, reason: 'other', note }) as const;

export const clientReports = {
  title: 'reports of applications',
  registerTests(open: Open): void {
    test('a member has one report of an application, which a later one replaces after a decision', async (t) => {
      const { oauth, alice, bob } = await openFixture(open, t);
      const operator = { kind: 'operator', userId: bob, at: NOON } as const;
      const again = (at: number, closedBefore: number) =>
        oauth.addClientReport(asMember(alice, at), report('notebook', 'Again.'), closedBefore);
      assert.equal(await again(NOON, NEVER_CLOSED), true);
      assert.equal(await again(NOON, NOON + DAY), false);
      assert.equal(await oauth.closeClientReports(operator, 'notebook'), true);

      assert.equal(await again(NOON + 1, NOON - 1), false);
      assert.equal((await oauth.findClientReport(alice, 'notebook'))?.closedAt, NOON);
      assert.equal(await again(NOON + 1, NOON), true);
      assert.equal((await oauth.findClientReport(alice, 'notebook'))?.closedAt, undefined);
      assert.equal(await oauth.findClientReport(bob, 'notebook'), undefined);
    });

    test('reported applications come at their newest report, each once, with the newest reports', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice, bob } = fixture;
      await addReports(fixture);
      const placesOf = async (before?: { newestAt: number; clientId: string }, most = 9) =>
        (await oauth.openClientReports(before, { clients: most, reportsOfEach: 1, counted: 9 })).map(
          ({ clientId, newestAt, count, reports }) =>
            `${clientId} ${newestAt - NOON} ${count} ${reports[0]?.note}`,
        );
      assert.deepEqual(await placesOf(), ['pocket 2 2 C', 'notebook 1 1 B', 'atlas 1 1 D']);
      assert.deepEqual(await placesOf(undefined, 1), ['pocket 2 2 C']);
      assert.deepEqual(await placesOf({ newestAt: NOON + 2, clientId: 'pocket' }), [
        'notebook 1 1 B',
        'atlas 1 1 D',
      ]);
      assert.deepEqual(await placesOf({ newestAt: NOON + 1, clientId: 'notebook' }), ['atlas 1 1 D']);
      const [first] = await oauth.openClientReports(undefined, { clients: 1, reportsOfEach: 9, counted: 9 });
      assert.deepEqual(
        first?.reports.map(({ reporterName, note }) => [reporterName, note]),
        [
          ['bob', 'C'],
          ['alice', 'A'],
        ],
      );
      const operator = { kind: 'operator', userId: alice, at: NOON + MINUTE } as const;
      await oauth.closeClientReports(operator, 'pocket');
      assert.deepEqual(await placesOf(), ['notebook 1 1 B', 'atlas 1 1 D']);
      assert.equal((await oauth.clientReportsBy(bob, 9)).length, 2);
    });
  },
};

async function addReports({ oauth, alice, bob }: Fixture): Promise<void> {
  await oauth.addClient(SERVER, newClient('atlas'));
  for (const [who, at, clientId, note] of [
    [alice, NOON, 'pocket', 'A'],
    [alice, NOON + 1, 'notebook', 'B'],
    [bob, NOON + 2, 'pocket', 'C'],
    [bob, NOON + 1, 'atlas', 'D'],
  ] as const) {
    assert.equal(await oauth.addClientReport(asMember(who, at), report(clientId, note), NEVER_CLOSED), true);
  }
}
