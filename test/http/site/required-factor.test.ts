// Who needs a second factor: operators and moderators at first, or everyone, after a week.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byServer } from '../../../src/audit/doer.ts';
import { DAY } from '../../../src/lib/clock.ts';
import { changeSettings } from '../../../src/site/site.ts';
import { openApp } from '../../support/app.ts';
import type { Browser } from '../../support/browser.ts';
import { codeAt, STEP, withApp } from '../../support/codes.ts';
import { browserOf, member, notebook, PASSWORD, type Person, person } from '../../support/people.ts';
import { authorizationRequest } from '../../support/relying-party.ts';

const app = await openApp();
const { portico, clock } = app;
after(() => app.close());

const SECURITY = '/settings/security#second-factor';

/** Add a member with this role, who has no time left over from other tests. */
async function memberAs(username: string, role: 'operator' | 'moderator'): Promise<Person> {
  const user = await person(portico, username);
  await portico.identity.writes.setRole(byServer(clock.read), user.id, role);
  return user;
}

async function ledTo(browser: Browser, path: string): Promise<string | null> {
  const answer = await browser.open(path);
  return answer.status === 200 ? null : answer.headers.get('location');
}

test('An operator has a week to set a second factor up, and then does so before any operators’ page', async () => {
  const olivia = await memberAs('olivia', 'operator');
  const first = await browserOf(app, 'olivia');
  const welcome = await first.read('/operator');
  clock.advance(7 * DAY - 1);
  const browser = await browserOf(app, 'olivia');
  const inTime = await ledTo(browser, '/operator/members');
  clock.advance(1);

  const late = [await ledTo(browser, '/operator'), await ledTo(browser, '/operator/members')];
  const consoles = [await ledTo(browser, '/developers/apps'), await ledTo(browser, '/developers/apps/new')];
  const page = await browser.read('/settings/security');
  const others = [await ledTo(browser, '/drafts'), await ledTo(browser, '/')];
  const { secret } = await withApp(portico.identity, olivia);
  clock.advance(STEP);
  const path = (await browser.signIn('olivia', PASSWORD)).headers.get('location') ?? '';
  await browser.submit(await browser.read(path), '/login/verify', { code: codeAt(secret, clock.now) });

  assert.match(welcome, /Protect your account/);
  assert.equal(inTime, null);
  assert.deepEqual(late, [SECURITY, SECURITY]);
  assert.deepEqual(consoles, [SECURITY, SECURITY]);
  assert.match(page, /role="alert">[^<]*requires two-step verification of operators and moderators/);
  assert.deepEqual(others, [null, null]);
  assert.equal(await ledTo(browser, '/operator/members'), null);
});

test('So has a moderator; a member without a role needs none', async () => {
  await memberAs('milo', 'moderator');
  const milo = await browserOf(app, 'milo');
  const notice = await milo.read('/settings/security');
  const { browser: nina } = await member(app, 'nina');
  clock.advance(7 * DAY);

  assert.match(notice, /Set it up by <time/);
  assert.equal(await ledTo(milo, '/operator/reports'), SECURITY);
  assert.doesNotMatch(await nina.read('/settings/security'), /requires two-step/);
});

test('Operators can ask everyone for a second factor, or nobody', async () => {
  const { browser } = await member(app, 'otto');
  const query = authorizationRequest(await notebook(portico));
  const request = `/oauth/authorize?${query}`;
  const asked = await browser.read(request);
  await changeSettings(byServer(clock.read), portico.site, { secondFactor: 'everyone' });
  const before = await ledTo(browser, '/drafts');
  clock.advance(7 * DAY);

  const led = [await ledTo(browser, '/drafts'), await ledTo(browser, '/'), await ledTo(browser, request)];
  const posted = await browser.post('/oauth/authorize', query);
  const allowed = await browser.submit(asked, '/oauth/consent', { decision: 'allow' });
  const open = [await ledTo(browser, '/settings/security'), await ledTo(browser, '/docs')];
  await changeSettings(byServer(clock.read), portico.site, { secondFactor: 'nobody' });
  const milo = await browserOf(app, 'milo');

  assert.equal(before, null);
  assert.deepEqual(led, [SECURITY, SECURITY, SECURITY]);
  assert.deepEqual(
    [posted, allowed].map(({ headers }) => headers.get('location')),
    [SECURITY, SECURITY],
  );
  assert.deepEqual(open, [null, null]);
  assert.equal(await ledTo(browser, '/drafts'), null);
  assert.equal(await ledTo(milo, '/operator/reports'), null);
});
