// Changes that are small, and that a member could make without end.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '../../../src/storage/engine/sql.ts';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, person } from '../../support/people.ts';

const app = await openApp();
after(() => app.close());
const mallory = await person(app.portico, 'mallory');
const browser = new Browser(app.url);
await browser.signIn('mallory', PASSWORD);
const page = await (await browser.open('/settings/profile')).text();
const { reads } = app.portico.identity;

test('A member can change the bio 60 times an hour', async () => {
  for (let time = 1; time <= 60; time += 1) {
    const answer = await browser.submit(page, '/settings/profile', { bio: `Number ${time}` });
    assert.equal(answer.status, 303);
  }

  const refused = await browser.submit(page, '/settings/profile', { bio: 'Number 61' });

  assert.equal(refused.status, 429);
  assert.equal((await reads.findUser(mallory.id))?.bio, 'Number 60');
});

test('A choice of the language beyond 60 an hour is for this browser only', async () => {
  const choose = (language: string) => browser.submit(page, '/language', { language });
  for (let time = 1; time <= 60; time += 1) await choose(time % 2 === 0 ? 'en' : 'zh');

  const answer = await choose('zh');

  assert.equal(answer.status, 303);
  assert.match(await (await browser.open('/')).text(), /<html lang="zh/);
  const [row] = await app.portico.database.rows(selectLanguage({ id: mallory.id }));
  assert.equal(row?.language, 'en');
});

const selectLanguage = sql<{ id: number }, { language: string }>`SELECT language FROM users WHERE id = :id`;
