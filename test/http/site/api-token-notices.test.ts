// Notices of API tokens that end or are not used: on the site, and by mail.

import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { byMember, byServer } from '../../../src/audit/doer.ts';
import { currentSite } from '../../../src/http/pages/visitor.ts';
import { letterOf } from '../../../src/http/site/joining/letters.ts';
import { DAY, HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { createPersonalToken } from '../../../src/oauth/personal-token.ts';
import { editPersonalToken } from '../../../src/oauth/personal-token-changes.ts';
import { tellOfTokens } from '../../../src/oauth/token-notices.ts';
import { type App, openApp } from '../../support/app.ts';
import { browserOf, PASSWORD_HASH } from '../../support/people.ts';
import { addMember } from '../../support/seeding.ts';

const app = await openApp();
after(() => app.close());
const { oauth, identity, community, audit } = app.portico;
let members = 0;

interface Owner {
  id: number;
  username: string;
  tokenId: number;
  text: string;
}

/** Add a member with a confirmed address and a token of so many days, or one without an end. */
async function owner(days: number | undefined, { portico }: App = app): Promise<Owner> {
  members += 1;
  const username = `alice${members}`;
  const email = `${username}@x.example`;
  const id = await addMember(portico, username, { passwordHash: PASSWORD_HASH, email });
  const token = await createPersonalToken(byServer(portico.clock), portico.oauth, {
    userId: id,
    name: 'nas.backup',
    scopes: ['profile:read'],
    days,
  });
  assert('text' in token);
  return { id, username, tokenId: token.id, text: token.text };
}

/** Let the background work look at all tokens, as it does each minute. */
async function tell(): Promise<void> {
  while ((await tellOfTokens(oauth)) > 0);
}

async function toldTo({ id }: Owner): Promise<string[]> {
  const notifications = await community.reads.notificationsOf(id, Number.MAX_SAFE_INTEGER, 50);
  return notifications.map(({ about }) => about.token?.notice ?? '').toReversed();
}

/** Let days pass, hour by hour, with the background work in between. Returns each new notice with its day. */
async function passDays(alice: Owner, days: number, step = HOUR): Promise<string[]> {
  const start = app.clock.now;
  const seen = await toldTo(alice);
  const news: string[] = [];
  while (app.clock.now < start + days * DAY) {
    app.clock.advance(step);
    await tell();
    const told = await toldTo(alice);
    for (const notice of told.slice(seen.length)) {
      news.push(`${notice} on day ${((app.clock.now - start) / DAY).toFixed(1)}`);
      seen.push(notice);
    }
  }
  return news;
}

async function isHonoured({ text }: Owner): Promise<boolean> {
  const headers = { Authorization: `Bearer ${text}` };
  return (await fetch(`${app.url}/api/open/v1/`, { headers })).status === 200;
}

test('A member is told 7 days and 1 day before a token ends and at its end, once each', async () => {
  const alice = await owner(30);

  assert.deepEqual(await passDays(alice, 40, 6 * HOUR), [
    'ends_in_7_days on day 23.0',
    'ends_in_1_day on day 29.0',
    'ended on day 30.0',
  ]);
});

test('A token that was made for a few days has only the notices that make sense', async () => {
  const [week, day] = [await owner(7), await owner(1)];

  assert.deepEqual(await passDays(week, 8), ['ends_in_1_day on day 6.0', 'ended on day 7.0']);
  assert.deepEqual(await toldTo(day), ['ended']);
});

test('The notice is on the site and in a mail, in the member’s language, and names the token', async () => {
  const alice = await owner(30);
  app.clock.advance(23 * DAY);
  await tell();
  await tell();

  const browser = await browserOf(app, alice.username);
  const page = await browser.read('/notifications');
  const mails = (await identity.reads.mailsDue(app.clock.now, 100)).filter(
    ({ userId, purpose }) => userId === alice.id && purpose === 'api_token',
  );

  assert.match(page, /href="\/settings\/tokens">Your API token “nas.backup” expires within 7 days, on/);
  assert.deepEqual(
    mails.map(({ purpose, email }) => [purpose, email]),
    [['api_token', `${alice.username}@x.example`]],
  );
  const [mail] = mails;
  assert.ok(mail);
  const site = await currentSite(app.portico.site);
  for (const [language, words] of [
    ['en', /expires within 7 days/],
    ['zh', /将在 7 天内到期/],
  ] as const) {
    const letter = letterOf(site, { kind: mail.purpose, ...mail, username: alice.username, language });
    assert.match(letter.text, words);
    assert.match(letter.text, /nas\.\u2060backup/);
    assert.ok(letter.text.includes(`${app.url}/settings/tokens`));
  }
});

test('A token without an end that nobody uses for a year is revoked after two notices', async () => {
  const alice = await owner(undefined);

  const news = await passDays(alice, 364, 12 * HOUR);
  const before = await isStored(alice);
  const last = await passDays(alice, 2, 12 * HOUR);

  assert.deepEqual(news, ['unused_30_days on day 335.0', 'unused_7_days on day 358.0']);
  assert.equal(before, true);
  assert.deepEqual(last, ['unused on day 1.0']);
  assert.equal(await isHonoured(alice), false);
  const [event] = await audit.reads.securityEvents({ userId: alice.id, limit: 1 });
  assert.deepEqual(
    [event?.event, event?.by, event?.detail, event?.subject],
    ['api_token_revoked', 'server', 'unused', String(alice.tokenId)],
  );
});

async function isStored({ id }: Owner): Promise<boolean> {
  return (await oauth.reads.personalTokensOf(id)).length === 1;
}

test('A token that is used after the first notice stays, and its year begins again', async () => {
  const alice = await owner(undefined);
  await passDays(alice, 340, DAY);
  assert.equal(await isHonoured(alice), true);

  const news = await passDays(alice, 334, DAY);

  assert.deepEqual(news, []);
  assert.deepEqual(await toldTo(alice), ['unused_30_days']);
  assert.deepEqual(await passDays(alice, 2, DAY), ['unused_30_days on day 1.0']);
});

test('After an outage of months the member still has 30 and 7 days', async () => {
  const alice = await owner(undefined);
  app.clock.advance(500 * DAY);
  await tell();
  assert.deepEqual(await toldTo(alice), ['unused_30_days']);
  app.clock.advance(100 * DAY);
  await tell();
  assert.deepEqual(await toldTo(alice), ['unused_30_days', 'unused_7_days']);

  assert.deepEqual(await passDays(alice, 8, 12 * HOUR), ['unused on day 7.0']);
});

test('A token with another end has notices of the new end', async () => {
  const alice = await owner(30);
  app.clock.advance(23 * DAY);
  await tell();
  const [token] = await oauth.reads.personalTokensOf(alice.id);
  assert.ok(token);
  await editPersonalToken(byMember(alice, app.clock.read), oauth, token, { ...token, days: 90 }, true);

  assert.deepEqual(await passDays(alice, 91, 12 * HOUR), [
    'ends_in_7_days on day 83.0',
    'ends_in_1_day on day 89.0',
    'ended on day 90.0',
  ]);
});

test('However the end of a token is edited, a member has each notice of it once a day', async () => {
  const alice = await owner(90);
  app.clock.advance(10 * DAY);
  const by = byMember(alice, app.clock.read);
  for (let minutes = 0; minutes < 20; minutes += 1) {
    for (const days of [1, 7, 90]) {
      const [token] = await oauth.reads.personalTokensOf(alice.id);
      assert.ok(token);
      assert.equal(await editPersonalToken(by, oauth, token, { ...token, days }, true), undefined);
      await tell();
    }
    app.clock.advance(MINUTE);
  }
  const mails = await identity.reads.mailsDue(app.clock.now, 1000);

  assert.deepEqual(await toldTo(alice), ['ends_in_1_day', 'ends_in_7_days']);
  const own = mails.filter(({ userId, purpose }) => userId === alice.id && purpose === 'api_token');
  assert.equal(own.length, 2);
});

test('Several processes that look at once tell a notice once, and a restart tells it no second time', async (t) => {
  const database = join(mkdtempSync(join(tmpdir(), 'notices-')), 'portico.db');
  const first = await openApp({ DATABASE_URL: `file:${database}` });
  const second = await openApp({ DATABASE_URL: `file:${database}` });
  const alice = await owner(30, first);
  for (const { clock } of [first, second]) clock.advance(23 * DAY + MINUTE);

  await Promise.all([first, second, first, second].map(({ portico }) => tellOfTokens(portico.oauth)));
  await first.close();
  await second.close();
  const third = await openApp({ DATABASE_URL: `file:${database}` });
  t.after(() => third.close());
  third.clock.advance(23 * DAY + HOUR);
  await tellOfTokens(third.portico.oauth);

  const { reads } = third.portico.community;
  assert.equal((await reads.notificationsOf(alice.id, Number.MAX_SAFE_INTEGER, 50)).length, 1);
  const mails = await third.portico.identity.reads.mailsDue(third.clock.now, 50);
  assert.equal(mails.filter(({ purpose }) => purpose === 'api_token').length, 1);
});

test('A token that was replaced, and one that expired long ago, are told of no more', async () => {
  const alice = await owner(30);
  await oauth.writes.replacePersonalToken(byMember(alice, app.clock.read), alice.tokenId, {
    key: 'k'.repeat(22),
    digest: 'd'.repeat(43),
    ending: 'x',
    expiresAt: undefined,
    oldEndsAt: app.clock.now + DAY,
    language: 'en',
  });
  const bob = await owner(1);
  app.clock.advance(20 * DAY);

  await tell();

  assert.deepEqual([await toldTo(alice), await toldTo(bob)], [[], []]);
});
