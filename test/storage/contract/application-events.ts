// Events for applications that were given up.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR, MINUTE } from '../../../src/lib/clock.ts';
import type { EventEndpoint, FailedDelivery } from '../../../src/oauth/event-store.ts';
import { NO_ENTRY } from '../../../src/storage/audit/audit-trail.ts';
import { addConsentEvent } from '../../../src/storage/oauth/event-additions.ts';
import { SERVER } from '../doers.ts';
import { approve, type Fixture, type Open, openFixture } from '../fixture.ts';
import { NOON } from '../records.ts';

const ENDPOINT = { clientId: 'notebook', kind: 'webhook', url: 'https://x.example/', secret: 's' } as const;

/** Add so many events of alice, in one transaction. */
async function addEvents({ database, alice }: Fixture, count: number): Promise<void> {
  const event = { userId: alice, clientId: 'notebook', type: 'access.paused', at: NOON } as const;
  const [guard, ...effects] = Array.from({ length: count }, () => addConsentEvent(event));
  assert.ok(guard);
  await database.atomically({ audit: NO_ENTRY, guard, effects });
}

async function oldestFailure({ oauth }: Fixture): Promise<FailedDelivery> {
  const endpoint = (await oauth.eventEndpoint('notebook', 'webhook')) as EventEndpoint;
  const [event] = await oauth.eventsDue(endpoint, NOON, 1);
  assert.ok(event);
  return { event, at: NOON, problem: 'status 500' };
}

export const applicationEvents = {
  title: 'events for applications',
  registerTests(open: Open): void {
    test('hundreds that wait for the first one of their member keep no other member’s from being sent', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, database, alice, bob } = fixture;
      for (const member of [alice, bob]) await approve(fixture, member, 'notebook');
      await oauth.setEventEndpoint(SERVER, ENDPOINT);
      await addEvents(fixture, 300);
      const event = { userId: bob, clientId: 'notebook', type: 'access.ended', at: NOON + MINUTE } as const;
      await database.atomically({ audit: NO_ENTRY, guard: addConsentEvent(event) });
      const endpoint = (await oauth.eventEndpoint('notebook', 'webhook')) as EventEndpoint;
      const due = async (at: number) =>
        (await oauth.eventsDue(endpoint, at, 4)).map(({ userId, type }) => [userId, type]);

      assert.deepEqual(await due(NOON + 2 * MINUTE), [
        [alice, 'access.paused'],
        [bob, 'access.ended'],
      ]);
      await oauth.postponeEvent(await oldestFailure(fixture), NOON + HOUR);
      assert.deepEqual(await due(NOON + 2 * MINUTE), [[bob, 'access.ended']]);
      assert.deepEqual(await due(NOON + HOUR), [
        [bob, 'access.ended'],
        [alice, 'access.paused'],
      ]);
    });

    test('of those that were given up, the newest 1,000 of an endpoint are kept', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth } = fixture;
      const counts = async () =>
        (await oauth.endpointStates('notebook')).map(({ waiting, givenUp }) => [waiting, givenUp]);
      await approve(fixture, fixture.alice, 'notebook');
      await oauth.setEventEndpoint(SERVER, ENDPOINT);
      await addEvents(fixture, 1004);
      await oauth.giveUpEvent(await oldestFailure(fixture));
      assert.deepEqual(await counts(), [[1003, 1]]);

      await oauth.disableEndpoint(await oldestFailure(fixture));
      assert.deepEqual(await counts(), [[0, 1000]]);

      await oauth.setEventEndpoint(SERVER, ENDPOINT);
      await addEvents(fixture, 2);
      await oauth.giveUpEvent(await oldestFailure(fixture));
      assert.deepEqual(await counts(), [[1, 1000]]);
    });
  },
};
