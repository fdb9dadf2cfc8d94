// What all pages have that a member sees: a way out, and fields for passwords that password managers can fill in.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DAY } from '../../../src/lib/clock.ts';
import { type App, openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { browserOf, PASSWORD } from '../../support/people.ts';
import { type PageVisit, seedEveryPage } from '../../support/tour.ts';

let app: App;
const pages: (PageVisit & { html: string })[] = [];

before(async () => {
  app = await openApp();
  const visits = await seedEveryPage(app.portico);
  const browsers = {
    nobody: new Browser(app.url),
    alice: await browserOf(app, 'alice'),
    bob: await browserOf(app, 'bob'),
    olivia: await browserOf(app, 'olivia'),
  };
  for (const visit of visits) {
    const answer = await browsers[visit.who].open(visit.path);
    if (answer.status === 200) pages.push({ ...visit, html: await answer.text() });
  }
});
after(() => app.close());

test('Every page of a member has a button to sign out, except the one that asks for consent', () => {
  const isConsent = (path: string) => path.startsWith('/oauth/authorize');
  const ofMembers = pages.filter(({ who, path }) => who !== 'nobody' && !isConsent(path));

  assert.ok(ofMembers.length > 30);
  for (const { who, path, html } of ofMembers) {
    assert.ok(/<form [^>]*method="post" action="\/logout">[\s\S]*?<button/.test(html), `${who} ${path}`);
  }
});

test('Every field for a password hides it, names itself to password managers, and takes what is pasted', () => {
  const fields = pages.flatMap(({ html }) =>
    [...html.matchAll(/<input\b[^>]*\bname="[^"]*password[^"]*"[^>]*>/g)].map(([tag]) => tag),
  );

  assert.ok(fields.length >= 5);
  for (const tag of fields) {
    assert.match(tag, / type="password"/);
    assert.match(tag, / autocomplete="(?:current|new)-password"/);
    assert.doesNotMatch(tag, /onpaste|readonly|maxlength="(?:\d|\d\d)"/);
  }
});

test('A password is as good ten years later', async () => {
  app.clock.advance(3653 * DAY);

  assert.equal((await new Browser(app.url).signIn('bob', PASSWORD)).status, 303);
});
