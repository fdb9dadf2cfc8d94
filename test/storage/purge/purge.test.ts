// What is purged and, more important, what stays.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { DAY, HOUR, MINUTE, type Timestamp } from '../../../src/lib/clock.ts';
import { openLog } from '../../../src/lib/log.ts';
import { digestOf, timeOrderedKey } from '../../../src/lib/secrets.ts';
import type { NewTokenFamily } from '../../../src/oauth/store.ts';
import { purgeExpired, startPurging } from '../../../src/storage/purge/purge.ts';
import { openFreshPostgres, openMemory } from '../../support/databases.ts';
import { asMember, SERVER } from '../doers.ts';
import { approved, type House, type Open, openHouse, signedIn, uncached } from '../house.ts';
import { NOON, newAccessToken, newPersonalToken, newSession, SESSION_START } from '../records.ts';

const LIFETIMES = {
  accessToken: HOUR,
  family: 365 * DAY,
  sessionIdle: 14 * DAY,
  removedPost: 30 * DAY,
  notification: 90 * DAY,
  securityEvent: 90 * DAY,
};
const MANY = 1000;

const DATABASES: [name: string, open: Open, skip: string | false][] = [
  ['SQLite', uncached(openMemory), false],
  [
    'PostgreSQL',
    uncached(openFreshPostgres),
    process.env.TEST_POSTGRES_URL ? false : 'TEST_POSTGRES_URL is not set',
  ],
];

for (const [name, open, skip] of DATABASES) {
  test(`on ${name}, an access token goes when it has expired, and its sign-in stays`, { skip }, async (t) => {
    const house = await openHouse(open, t);
    const { family, accessToken } = await signedIn(house, house.alice, 'notebook');

    const before = await purge(house, NOON + HOUR);
    const after = await purge(house, NOON + HOUR + 6 * MINUTE);

    assert.deepEqual([before, after], [0, 1]);
    assert.equal(await house.oauth.findAccessToken(accessToken.key), undefined);
    assert.notEqual(await house.oauth.findTokenFamily(family.key), undefined);
  });

  test(`on ${name}, a code that nobody redeemed goes after a day`, { skip }, async (t) => {
    const house = await openHouse(open, t);
    const { key } = await approved(house, house.alice, 'notebook');

    const before = await purge(house, NOON + DAY);
    const stays = await house.oauth.findAuthorizationCode(key);
    const after = await purge(house, NOON + DAY + 1);

    assert.deepEqual([before, stays?.key, after], [0, key, 1]);
    assert.equal(await house.oauth.findAuthorizationCode(key), undefined);
  });

  test(`on ${name}, a redeemed code is recognised as long as a token of it can live`, { skip }, async (t) => {
    const house = await openHouse(open, t);
    const { code, family } = await signedIn(house, house.alice, 'notebook');

    await purge(house, NOON + 300 * DAY);
    const after300Days = await house.oauth.findAuthorizationCode(code.key);
    await purge(house, NOON + 366 * DAY);
    const after366Days = await house.oauth.findAuthorizationCode(code.key);
    await purge(house, NOON + 366 * DAY + 1);

    assert.equal(after300Days?.redeemedAt, NOON);
    assert.equal(after366Days?.redeemedAt, NOON);
    assert.equal(await house.oauth.findAuthorizationCode(code.key), undefined);
    assert.equal(await house.oauth.findTokenFamily(family.key), undefined);
  });

  test(`on ${name}, a sign-in that was revoked goes after a day, when no token is left`, {
    skip,
  }, async (t) => {
    const house = await openHouse(open, t);
    const { family } = await signedIn(house, house.alice, 'notebook');
    const { family: other } = await signedIn(house, house.bob, 'pocket');
    // Machines' clocks differ: here the one that refreshed is far ahead of the one that revoked.
    await refreshed(house, family, NOON + DAY);
    await house.oauth.revokeFamily(family.key, NOON);
    const { family: bare } = await signedIn(house, house.bob, 'notebook');
    await house.oauth.revokeFamily(bare.key, NOON);

    await purge(house, NOON + DAY - 1);
    const early = await house.oauth.findTokenFamily(bare.key);
    await purge(house, NOON + DAY);
    const withToken = await house.oauth.findTokenFamily(family.key);
    const withoutToken = await house.oauth.findTokenFamily(bare.key);
    await purge(house, NOON + DAY + 2 * HOUR);

    assert.equal(early?.key, bare.key);
    assert.equal(withoutToken, undefined);
    assert.equal(withToken?.key, family.key);
    assert.equal(await house.oauth.findTokenFamily(family.key), undefined);
    assert.notEqual(await house.oauth.findTokenFamily(other.key), undefined);
  });

  test(`on ${name}, a sign-in whose refresh token expired goes a day later`, { skip }, async (t) => {
    const house = await openHouse(open, t);
    const { family } = await signedIn(house, house.alice, 'notebook');

    await purge(house, NOON + 31 * DAY - 1);
    const before = await house.oauth.findTokenFamily(family.key);
    await purge(house, NOON + 31 * DAY);

    assert.equal(before?.key, family.key);
    assert.equal(await house.oauth.findTokenFamily(family.key), undefined);
  });

  test(`on ${name}, a session goes when it is over or was not used, no other does`, { skip }, async (t) => {
    const house = await openHouse(open, t);
    const idle = newSession(house.alice);
    const used = newSession(house.alice, { lastSeenAt: NOON + 10 * DAY });
    const over = newSession(house.bob, { lastSeenAt: NOON + 10 * DAY, expiresAt: NOON + 12 * DAY });
    for (const session of [idle, used, over]) await house.identity.addSession(session, SESSION_START);

    const deleted = await purge(house, NOON + 14 * DAY + HOUR);

    assert.equal(deleted, 2);
    assert.equal(await house.identity.findSession(idle.key), undefined);
    assert.equal(await house.identity.findSession(over.key), undefined);
    assert.equal((await house.identity.findSession(used.key))?.session.key, used.key);
  });

  test(`on ${name}, a window of attempts goes when it has closed`, { skip }, async (t) => {
    const house = await openHouse(open, t);
    await house.identity.countAttempt('closed', 10, NOON, NOON + 15 * MINUTE);
    await house.identity.countAttempt('open', 10, NOON, NOON + HOUR);

    const deleted = await purge(house, NOON + 30 * MINUTE);

    assert.equal(deleted, 1);
    assert.equal(await house.identity.attemptsCloseAt('closed'), undefined);
    assert.equal(await house.identity.attemptsCloseAt('open'), NOON + HOUR);
  });

  test(`on ${name}, a personal token goes 30 days after it was revoked`, { skip }, async (t) => {
    const house = await openHouse(open, t);
    const revoked = newPersonalToken(house.alice);
    const live = newPersonalToken(house.alice);
    const id = (await house.oauth.addPersonalToken(asMember(revoked.userId), revoked, 50)) ?? 0;
    await house.oauth.addPersonalToken(asMember(live.userId), live, 50);
    await house.oauth.revokePersonalToken(SERVER, id);

    await purge(house, NOON + 30 * DAY - 1);
    const before = await house.oauth.findPersonalToken(revoked.key);
    await purge(house, NOON + 30 * DAY);

    assert.equal(before?.id, id);
    assert.equal(await house.oauth.findPersonalToken(revoked.key), undefined);
    assert.notEqual(await house.oauth.findPersonalToken(live.key), undefined);
  });

  test(`on ${name}, a link of a mail goes when it has expired, a mail that nobody sends after three days`, {
    skip,
  }, async (t) => {
    const house = await openHouse(open, t);
    const key = timeOrderedKey(NOON);
    const base = { userId: house.alice, email: 'alice@x.example', purpose: 'reset' } as const;
    await house.identity.addMailToken({ ...base, key, digest: digestOf(key), expiresAt: NOON + HOUR });
    const limit = { subject: 'mail', most: 1, now: NOON, closesAt: NOON };
    await house.identity.addMailWithin(limit, { ...base, language: 'en', createdAt: NOON });

    await purge(house, NOON + HOUR);
    const link = await house.identity.findMailToken(key);
    await purge(house, NOON + HOUR + 5 * MINUTE);
    const noLink = await house.identity.findMailToken(key);
    await purge(house, NOON + 3 * DAY - 1);
    const mails = await house.identity.mailsDue(NOON, 10);
    await purge(house, NOON + 3 * DAY);

    assert.deepEqual([link?.key, noLink, mails.length], [key, undefined, 1]);
    assert.deepEqual(await house.identity.mailsDue(NOON, 10), []);
  });

  test(`on ${name}, an invitation goes 30 days after it expired`, { skip }, async (t) => {
    const house = await openHouse(open, t);
    const keys = [NOON, NOON + 1, NOON + 2].map(timeOrderedKey);
    for (const [index, key] of keys.entries()) {
      const base = { key, digest: digestOf(key), note: '' };
      await house.identity.addInvitation(SERVER, { ...base, expiresAt: NOON + (index + 1) * DAY });
    }

    await purge(house, NOON + 31 * DAY - 1);
    const before = await house.identity.invitationsBefore('~', 10);
    await purge(house, NOON + 32 * DAY);

    assert.equal(before.length, 3);
    assert.deepEqual(
      (await house.identity.invitationsBefore('~', 10)).map(({ key }) => key),
      keys.slice(2),
    );
  });

  test(`on ${name}, a step deletes no more than it is told`, { skip }, async (t) => {
    const house = await openHouse(open, t);
    for (let index = 0; index < 5; index += 1)
      await house.identity.addSession(newSession(house.alice), SESSION_START);

    const steps = [];
    for (let index = 0; index < 4; index += 1) steps.push(await purge(house, NOON + 91 * DAY, 2));

    // Five sessions, by two indexes, and the events of their beginnings.
    assert.deepEqual(steps, [6, 3, 1, 0]);
  });
}

test('purging goes on by itself and stops when told', async () => {
  let calls = 0;
  const purging = startPurging(async () => {
    calls += 1;
    return 1;
  }, openLog('silent'));

  while (calls < 2) await pause(10);
  await purging.stop();
  const stoppedAt = calls;
  await pause(250);

  assert.equal(calls, stoppedAt);
});

function purge({ database }: House, now: Timestamp, most = MANY): Promise<number> {
  return purgeExpired(database, LIFETIMES, now, most);
}

/** Refreshes a sign-in, so that it has an access token issued at this moment. */
async function refreshed({ oauth }: House, family: NewTokenFamily, at: Timestamp): Promise<void> {
  const rotation = {
    ...{ familyKey: family.key, presentedDigest: family.refreshDigest, nextDigest: digestOf('next') },
    ...{ refreshExpiresAt: at + 30 * DAY, at, raceSince: undefined },
  };
  const key = timeOrderedKey(at);
  await oauth.rotate(rotation, newAccessToken(family.key, { key, expiresAt: at + HOUR }));
}
