// What a developer sees of the mistakes that are made most often: the line of the request inspector and the page of the
// documentation that it leads to name the cause and the fix.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openApp } from '../support/app.ts';
import { member, PASSWORD } from '../support/people.ts';
import { secretsIn } from '../support/secrets.ts';
import { API_MISTAKES } from './api-mistakes.ts';
import { AUTHORIZATION_MISTAKES } from './authorization-mistakes.ts';
import type { Mistake, World } from './mistake.ts';
import { TOKEN_MISTAKES } from './token-mistakes.ts';

const MISTAKES = [...AUTHORIZATION_MISTAKES, ...TOKEN_MISTAKES, ...API_MISTAKES];

let world: World;

before(async () => {
  const app = await openApp();
  world = { app, alice: await member(app, 'alice'), nina: await member(app, 'nina') };
});
after(() => world.app.close());

/** Make the mistake. Returns the owner's page with the application's requests. */
async function inspected({ make }: Mistake): Promise<string> {
  const { id } = await make(world);
  await world.app.portico.inspector.flush();
  // The clock may have been set far ahead, and the session has ended.
  await world.nina.browser.signIn('nina', PASSWORD);
  return world.nina.browser.read(`/developers/apps/${id}/requests`);
}

describe('The developer of an application sees the cause and the fix of', () => {
  for (const mistake of MISTAKES) {
    test(mistake.name, async () => {
      const { cause, fix, shows = [], page, explained } = mistake;
      const requests = await inspected(mistake);
      const line = requests.split('<li ').find((text) => text.includes(cause)) ?? '';
      assert.ok(line.includes(cause), requests);
      assert.ok(line.includes(fix), line);
      for (const text of shows) assert.ok(line.includes(text), `${text} is not in ${line}`);
      assert.deepEqual(secretsIn(requests, [PASSWORD]), []);
      assert.doesNotMatch(requests, /alice/);

      if (page === '') return;
      assert.match(line, new RegExp(`href="/docs/errors/${page}"`));
      const documentation = await world.nina.browser.read(`/docs/errors/${page}`);
      const text = documentation.replaceAll(/\s+/g, ' ').replaceAll("'", '’');
      assert.ok(text.includes(explained), text);
    });
  }

  test('more than twenty mistakes', () => {
    assert.ok(MISTAKES.length > 20);
  });
});
