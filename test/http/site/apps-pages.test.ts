// The list of a member who has many connected applications.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApp } from '../../support/app.ts';
import { member, notebook } from '../../support/people.ts';
import { addSignIn } from '../../support/seeding.ts';

test('A hundred connected applications are on a page, and the links lead on in the same search', async (t) => {
  const app = await openApp();
  t.after(() => app.close());
  const alice = await member(app, 'alice');
  for (let n = 100; n < 201; n += 1) {
    await addSignIn(app.portico, await notebook(app.portico, { name: `Paper ${n}` }), alice.id);
  }
  const search = `/settings/apps?q=paper&order=name`;
  const namesAt = async (at: string) => (await alice.browser.read(at)).match(/>Paper \d+<\/a>/g) ?? [];

  const first = await namesAt(search);
  const second = await namesAt(`${search}&page=2`);

  assert.deepEqual([first.length, first[0], second], [100, '>Paper 100</a>', ['>Paper 200</a>']]);
  assert.match(
    await alice.browser.read(search),
    /rel="next" href="\/settings\/apps\?q=paper&amp;order=name&amp;page=2"/,
  );
  assert.doesNotMatch(await alice.browser.read(`${search}&page=2`), /rel="next"/);
});
