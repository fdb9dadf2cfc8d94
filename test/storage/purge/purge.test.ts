// Which rows are purged and, more important, which stay.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { DAY, HOUR, MINUTE, type Timestamp } from '../../../src/lib/clock.ts';
import { openLog } from '../../../src/lib/log.ts';
import { digestOf, timeOrderedKey } from '../../../src/lib/secrets.ts';
import type { NewTokenFamily } from '../../../src/oauth/store.ts';
import { sql } from '../../../src/storage/engine/sql.ts';
import { purgeExpired, startPurging } from '../../../src/storage/purge/purge.ts';
import { openFreshPostgres, openMemory } from '../../support/databases.ts';
import { add, newComment, postWith } from '../contract/comment-fixture.ts';
import { asMember, SERVER } from '../doers.ts';
import { approve, type Fixture, type Open, openFixture, signIn, uncached } from '../fixture.ts';
import {
  LIFETIMES,
  NOON,
  newAccessToken,
  newPersonalToken,
  newPost,
  newSession,
  SESSION_START,
} from '../records.ts';

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
  test(`on ${name}, an expired access token is deleted, and its sign-in stays`, { skip }, async (t) => {
    const fixture = await openFixture(open, t);
    const { family, accessToken } = await signIn(fixture, fixture.alice, 'notebook');

    const before = await purge(fixture, NOON + HOUR);
    const after = await purge(fixture, NOON + HOUR + 6 * MINUTE);

    assert.deepEqual([before, after], [0, 1]);
    assert.equal(await fixture.oauth.findAccessToken(accessToken.key), undefined);
    assert.notEqual(await fixture.oauth.findTokenFamily(family.key), undefined);
  });

  test(`on ${name}, a code that was never redeemed is deleted after a day`, { skip }, async (t) => {
    const fixture = await openFixture(open, t);
    const { key } = await approve(fixture, fixture.alice, 'notebook');

    const before = await purge(fixture, NOON + DAY);
    const stays = await fixture.oauth.findAuthorizationCode(key);
    const after = await purge(fixture, NOON + DAY + 1);

    assert.deepEqual([before, stays?.key, after], [0, key, 1]);
    assert.equal(await fixture.oauth.findAuthorizationCode(key), undefined);
  });

  test(`on ${name}, a redeemed code is kept as long as a token from it can be valid`, { skip }, async (t) => {
    const fixture = await openFixture(open, t);
    const { code, family } = await signIn(fixture, fixture.alice, 'notebook');

    await purge(fixture, NOON + 300 * DAY);
    const after300Days = await fixture.oauth.findAuthorizationCode(code.key);
    await purge(fixture, NOON + 366 * DAY);
    const after366Days = await fixture.oauth.findAuthorizationCode(code.key);
    await purge(fixture, NOON + 366 * DAY + 1);

    assert.equal(after300Days?.redeemedAt, NOON);
    assert.equal(after366Days?.redeemedAt, NOON);
    assert.equal(await fixture.oauth.findAuthorizationCode(code.key), undefined);
    assert.equal(await fixture.oauth.findTokenFamily(family.key), undefined);
  });

  test(`on ${name}, a revoked sign-in is deleted after a day, once it has no token left`, {
    skip,
  }, async (t) => {
    const fixture = await openFixture(open, t);
    const { family } = await signIn(fixture, fixture.alice, 'notebook');
    const { family: other } = await signIn(fixture, fixture.bob, 'pocket');
    // Machines' clocks can differ: here the machine that refreshed is far ahead of the one that revoked.
    await refreshAt(fixture, family, NOON + DAY);
    await fixture.oauth.revokeFamily(family.key, NOON);
    const { family: bare } = await signIn(fixture, fixture.bob, 'notebook');
    await fixture.oauth.revokeFamily(bare.key, NOON);

    await purge(fixture, NOON + DAY - 1);
    const early = await fixture.oauth.findTokenFamily(bare.key);
    await purge(fixture, NOON + DAY);
    const withToken = await fixture.oauth.findTokenFamily(family.key);
    const withoutToken = await fixture.oauth.findTokenFamily(bare.key);
    await purge(fixture, NOON + DAY + 2 * HOUR);

    assert.equal(early?.key, bare.key);
    assert.equal(withoutToken, undefined);
    assert.equal(withToken?.key, family.key);
    assert.equal(await fixture.oauth.findTokenFamily(family.key), undefined);
    assert.notEqual(await fixture.oauth.findTokenFamily(other.key), undefined);
  });

  test(`on ${name}, a sign-in is deleted a day after its refresh token expired`, { skip }, async (t) => {
    const fixture = await openFixture(open, t);
    const { family } = await signIn(fixture, fixture.alice, 'notebook');

    await purge(fixture, NOON + 31 * DAY - 1);
    const before = await fixture.oauth.findTokenFamily(family.key);
    await purge(fixture, NOON + 31 * DAY);

    assert.equal(before?.key, family.key);
    assert.equal(await fixture.oauth.findTokenFamily(family.key), undefined);
  });

  test(`on ${name}, a removed post is deleted after 30 days with its open reports`, { skip }, async (t) => {
    const fixture = await openFixture(open, t);
    const { community, alice, bob } = fixture;
    const post = await community.addPost(asMember(bob), newPost(bob));
    const report = { postId: post, commentId: undefined, reason: 'spam', note: '' } as const;
    await community.addReport(asMember(alice), report);
    await community.removePost(asMember(bob), post, 10);

    await purge(fixture, NOON + 30 * DAY);
    const before = await community.countOpenReports(10);
    await purge(fixture, NOON + 30 * DAY + HOUR);

    assert.deepEqual([before, await community.countOpenReports(10)], [1, 0]);
    assert.equal(await community.findPost(post), undefined);
  });

  test(`on ${name}, the comments on a removed post are deleted in steps, replies first, and then the post`, {
    skip,
  }, async (t) => {
    const fixture = await openFixture(open, t);
    const { community, alice, bob } = fixture;
    const { postId, ids } = await postWith(fixture, 2);
    const reply = newComment(postId, { id: ids[0] ?? 0, userId: alice });
    for (let count = 0; count < 3; count += 1) ids.push(await add(fixture, reply));
    await community.removePost(asMember(bob), postId, 10);
    const left = async () => (await fixture.database.rows(selectComments())).map(({ id }) => id);

    for (const count of [3, 1, 0]) {
      await purge(fixture, NOON + 31 * DAY, 2);
      assert.deepEqual(await left(), ids.slice(0, count));
    }
    await purge(fixture, NOON + 31 * DAY, 2);
    assert.deepEqual(await community.removedPostsOf(bob, 0), []);
  });

  test(`on ${name}, a session is deleted if it has expired or was not used, and no other`, {
    skip,
  }, async (t) => {
    const fixture = await openFixture(open, t);
    const idle = newSession(fixture.alice);
    const used = newSession(fixture.alice, { lastSeenAt: NOON + 10 * DAY });
    const over = newSession(fixture.bob, { lastSeenAt: NOON + 10 * DAY, expiresAt: NOON + 12 * DAY });
    for (const session of [idle, used, over]) await fixture.identity.addSession(session, SESSION_START);

    const deleted = await purge(fixture, NOON + 14 * DAY + HOUR);

    assert.equal(deleted, 2);
    assert.equal(await fixture.identity.findSession(idle.key), undefined);
    assert.equal(await fixture.identity.findSession(over.key), undefined);
    assert.equal((await fixture.identity.findSession(used.key))?.session.key, used.key);
  });

  test(`on ${name}, a window of attempts is deleted after it has closed`, { skip }, async (t) => {
    const fixture = await openFixture(open, t);
    await fixture.identity.countAttempt('closed', 10, NOON, NOON + 15 * MINUTE);
    await fixture.identity.countAttempt('open', 10, NOON, NOON + HOUR);

    const deleted = await purge(fixture, NOON + 30 * MINUTE);

    assert.equal(deleted, 1);
    assert.equal((await fixture.identity.findAttempts('closed'))?.closesAt, undefined);
    assert.equal((await fixture.identity.findAttempts('open'))?.closesAt, NOON + HOUR);
  });

  test(`on ${name}, a personal token is deleted 30 days after it ended, a replaced one at its end`, {
    skip,
  }, async (t) => {
    const fixture = await openFixture(open, t);
    const revoked = newPersonalToken(fixture.alice);
    const live = newPersonalToken(fixture.alice);
    const expired = newPersonalToken(fixture.alice, { expiresAt: NOON });
    await fixture.oauth.addPersonalToken(asMember(expired.userId), expired, 50);
    const id = (await fixture.oauth.addPersonalToken(asMember(revoked.userId), revoked, 50)) ?? 0;
    await fixture.oauth.addPersonalToken(asMember(live.userId), live, 50);
    await fixture.oauth.revokePersonalToken(SERVER, id);
    const replaced = newPersonalToken(fixture.alice);
    const old = (await fixture.oauth.addPersonalToken(asMember(replaced.userId), replaced, 50)) ?? 0;
    const replacement = { ...newPersonalToken(fixture.alice), oldEndsAt: NOON + HOUR, language: 'en' };
    await fixture.oauth.replacePersonalToken(asMember(replaced.userId), old, replacement);

    await purge(fixture, NOON + 30 * DAY - 1);
    assert.equal(await fixture.oauth.findPersonalToken(replaced.key), undefined);
    const before = await fixture.oauth.findPersonalToken(revoked.key);
    const expiredBefore = await fixture.oauth.findPersonalToken(expired.key);
    await purge(fixture, NOON + 30 * DAY);

    assert.equal(before?.id, id);
    assert.equal(expiredBefore?.expiresAt, NOON);
    assert.equal(await fixture.oauth.findPersonalToken(expired.key), undefined);
    assert.equal(await fixture.oauth.findPersonalToken(revoked.key), undefined);
    assert.notEqual(await fixture.oauth.findPersonalToken(live.key), undefined);
  });

  test(`on ${name}, an expired link of a mail is deleted, and an unsent mail three days after its last attempt`, {
    skip,
  }, async (t) => {
    const fixture = await openFixture(open, t);
    const key = timeOrderedKey(NOON);
    const base = { userId: fixture.alice, email: 'alice@x.example', purpose: 'reset' } as const;
    await fixture.identity.addMailToken({ ...base, key, digest: digestOf(key), expiresAt: NOON + HOUR });
    const limit = { subject: 'mail', most: 1, now: NOON, closesAt: NOON };
    await fixture.identity.addMailWithin(limit, { ...base, language: 'en', createdAt: NOON });

    await purge(fixture, NOON + HOUR);
    const link = await fixture.identity.findMailToken(key);
    await purge(fixture, NOON + HOUR + 5 * MINUTE);
    const noLink = await fixture.identity.findMailToken(key);
    await purge(fixture, NOON + 4 * DAY);
    const [untried] = await fixture.identity.mailsDue(NOON, 10);
    assert.ok(untried !== undefined);
    await fixture.identity.claimMail(untried, NOON + 4 * DAY);
    await purge(fixture, NOON + 7 * DAY - 1);
    const mails = await fixture.identity.mailsDue(NOON + 7 * DAY, 10);
    await purge(fixture, NOON + 7 * DAY);

    assert.deepEqual([link?.key, noLink, mails.length], [key, undefined, 1]);
    assert.deepEqual(await fixture.identity.mailsDue(NOON + 7 * DAY, 10), []);
  });

  test(`on ${name}, an invitation is deleted 30 days after it expired`, { skip }, async (t) => {
    const fixture = await openFixture(open, t);
    const keys = [NOON, NOON + 1, NOON + 2].map(timeOrderedKey);
    for (const [index, key] of keys.entries()) {
      const base = { key, digest: digestOf(key), note: '' };
      await fixture.identity.addInvitation(SERVER, { ...base, expiresAt: NOON + (index + 1) * DAY });
    }

    await purge(fixture, NOON + 31 * DAY - 1);
    const before = await fixture.identity.invitationsBefore('~', 10);
    await purge(fixture, NOON + 32 * DAY);

    assert.equal(before.length, 3);
    assert.deepEqual(
      (await fixture.identity.invitationsBefore('~', 10)).map(({ key }) => key),
      keys.slice(2),
    );
  });

  test(`on ${name}, a step deletes at most the given number of rows of a table`, { skip }, async (t) => {
    const fixture = await openFixture(open, t);
    for (let index = 0; index < 5; index += 1)
      await fixture.identity.addSession(newSession(fixture.alice), SESSION_START);

    const steps = [];
    for (let index = 0; index < 4; index += 1) steps.push(await purge(fixture, NOON + 91 * DAY, 2));

    // The first step deletes two sessions that expired, two that were idle, and two of the five sign-in events.
    assert.deepEqual(steps, [6, 3, 1, 0]);
  });
}

test('purging goes on until it is stopped', async () => {
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

const selectComments = sql<void, { id: number }>`SELECT id FROM comments ORDER BY id`;

function purge({ database }: Fixture, now: Timestamp, most = MANY): Promise<number> {
  return purgeExpired(database, LIFETIMES, now, most);
}

/** Refresh a sign-in, so that it has an access token issued at this time. */
async function refreshAt({ oauth }: Fixture, family: NewTokenFamily, at: Timestamp): Promise<void> {
  const rotation = {
    familyKey: family.key,
    presentedDigest: family.refreshDigest,
    nextDigest: digestOf('next'),
    refreshExpiresAt: at + 30 * DAY,
    at,
    raceSince: undefined,
  };
  const key = timeOrderedKey(at);
  await oauth.rotate(rotation, newAccessToken(family.key, { key, expiresAt: at + HOUR }));
}
