// The lines of the request inspector: equal requests of a minute are one line, an application has so many lines and no
// more, and none outlives its application or the 30 days.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, MINUTE } from '../../../src/lib/clock.ts';
import type { LineKind, RequestLine } from '../../../src/oauth/request-inspector-store.ts';
import { purgeExpired } from '../../../src/storage/purge/purge.ts';
import { atOnce, type Fixture, type Open, openFixture } from '../fixture.ts';
import { LIFETIMES, NOON } from '../records.ts';

const REFUSED = {
  endpoint: 'authorize',
  outcome: 'refused',
  status: 400,
  error: 'redirect_uri_unregistered',
  broken: [{ rule: 'redirect_uri_unregistered', came: 'https://x.example/"\\', expected: [] }],
} as const;

function lineOf(id: string, more: Partial<RequestLine> = {}): RequestLine {
  return {
    clientId: 'notebook',
    minute: NOON,
    id,
    kind: 'anyone',
    facts: REFUSED,
    network: '192.0.2.0/24',
    program: 'curl',
    requests: 1,
    firstAt: NOON + 5,
    lastAt: NOON + 5,
    ...more,
  };
}

function some(kind: LineKind, count: number, from: number): RequestLine[] {
  return Array.from({ length: count }, (_, n) =>
    lineOf(`${kind}${n}`, { kind, minute: from + n, firstAt: from + n, lastAt: from + n }),
  );
}

function read({ oauth }: Fixture, clientId = 'notebook'): Promise<RequestLine[]> {
  return oauth.requestLines(clientId, 1000);
}

export const requestLines = {
  title: 'the request inspector',
  registerTests(open: Open): void {
    test('the numbers of equal lines are added, also when several processes write at once', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth } = fixture;
      const later = { requests: 2, firstAt: NOON + 7, lastAt: NOON + 9 };
      const before = await oauth.requestsVersion('notebook');

      await oauth.addRequestLines('notebook', [lineOf('a'), lineOf('b')]);
      await atOnce(8, () => oauth.addRequestLines('notebook', [lineOf('a', later)]));
      await oauth.addRequestLines('pocket', [lineOf('a', { clientId: 'pocket' })]);

      assert.deepEqual(await read(fixture), [lineOf('a', { requests: 17, lastAt: NOON + 9 }), lineOf('b')]);
      assert.equal((await read(fixture, 'pocket')).length, 1);
      assert.notEqual(await oauth.requestsVersion('notebook'), before);
    });

    test('the oldest lines beyond the most go, but the newest of each kind stay', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth } = fixture;
      await oauth.addRequestLines('notebook', some('refused', 5, NOON));
      await oauth.addRequestLines('notebook', some('anyone', 30, NOON + MINUTE));

      await oauth.addRequestLines('notebook', some('done', 1, NOON), { most: 10, keep: 3 });

      const kinds = (await read(fixture)).map(({ kind, id }) => (kind === 'anyone' ? kind : id));
      assert.deepEqual(kinds, [...Array(6).fill('anyone'), 'refused4', 'refused3', 'refused2', 'done0']);
    });

    test('an application that is gone has none, and gets none', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth } = fixture;
      const client = await oauth.findClient('notebook');
      assert(client !== undefined);
      await oauth.addTemporaryClient({ ...client, id: 'probe', ownerId: undefined });
      await oauth.addRequestLines('probe', [lineOf('a', { clientId: 'probe' })]);

      await oauth.deleteTemporaryClient('probe');
      await oauth.addRequestLines('probe', [lineOf('b', { clientId: 'probe' })]);

      assert.deepEqual(await read(fixture, 'probe'), []);
    });

    test('an application that its owner deletes has none, and gets none', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth } = fixture;
      await oauth.addRequestLines('notebook', [lineOf('a')]);

      assert.equal(await oauth.deleteClient({ kind: 'server', at: NOON }, 'notebook', false), true);
      await oauth.addRequestLines('notebook', [lineOf('b')]);

      assert.deepEqual(await read(fixture), []);
    });

    test('lines go after 30 days', async (t) => {
      const fixture = await openFixture(open, t);
      const old = { minute: NOON - 30 * DAY - MINUTE };
      await fixture.oauth.addRequestLines('notebook', [lineOf('old', old), lineOf('new')]);

      await purgeExpired(fixture.database, LIFETIMES, NOON, 100);

      assert.deepEqual(
        (await read(fixture)).map(({ id }) => id),
        ['new'],
      );
    });
  },
};
