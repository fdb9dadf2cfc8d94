// A member's answer counts only for the application as the consent page showed it.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { byServer } from '../../../src/audit/doer.ts';
import { MINUTE } from '../../../src/lib/clock.ts';
import { changeClient } from '../../../src/oauth/client-change.ts';
import { setClientOwner } from '../../../src/oauth/client-transfer.ts';
import { openApp } from '../../support/app.ts';
import { member, notebook, PASSWORD, person, type RegisteredClient } from '../../support/people.ts';
import { authorizationRequest } from '../../support/relying-party.ts';

const app = await openApp();
after(() => app.close());
const { portico } = app;
const mallory = await person(portico, 'mallory');
const bob = await person(portico, 'bob');
const alice = await member(app, 'alice');

type Settings = Parameters<typeof changeClient>[3];

function change(settings: Settings): (client: RegisteredClient) => Promise<unknown> {
  return ({ id }) => changeClient(byServer(portico.clock), portico.oauth, id, settings);
}

const CHANGES: Record<string, (client: RegisteredClient) => Promise<unknown>> = {
  name: change({ name: 'Casino' }),
  description: change({ description: 'Sells what it reads.' }),
  'home page': change({ homePage: 'https://casino.example/' }),
  reason: change({ scopeReasons: { 'posts:read': { en: 'To sell them.' } } }),
  owner: ({ id }) => setClientOwner(byServer(portico.clock), portico.oauth, id, bob.id),
};

describe('The consent page is shown again, and nothing is allowed, if the application has meanwhile another', () => {
  for (const [what, carryOut] of Object.entries(CHANGES)) {
    test(what, async () => {
      const client = await notebook(portico, { ownerId: mallory.id });
      const page = await alice.browser.read(`/oauth/authorize?${authorizationRequest(client)}`);
      await carryOut(client);

      const again = await alice.browser.submit(page, '/oauth/consent', { decision: 'allow' });

      assert.equal(again.status, 400);
      const changed = await again.text();
      assert.match(changed, /The application changed while this page was open/);
      const grant = () => portico.oauth.reads.findGrant(alice.id, client.id, portico.clock());
      assert.equal(await grant(), undefined);
      // Who sees the application as it is now can allow it.
      const answer = await alice.browser.submit(changed, '/oauth/consent', { decision: 'allow' });
      assert.match(answer.headers.get('location') ?? '', /[?&]code=/);
      assert.deepEqual((await grant())?.scopes, ['profile:read', 'posts:read']);
    });
  }
});

test('An application that changes while the password is checked is not allowed, and the page has to be asked for again', async (t) => {
  const client = await notebook(portico, { ownerId: mallory.id });
  app.clock.advance(11 * MINUTE);
  const page = await alice.browser.read(`/oauth/authorize?${authorizationRequest(client)}`);
  const { writes } = portico.identity;
  const countAttempt = writes.countAttempt.bind(writes);
  t.mock.method(writes, 'countAttempt', async (...attempt: Parameters<typeof countAttempt>) => {
    await change({ name: 'Casino' })(client);
    return countAttempt(...attempt);
  });

  const answer = await alice.browser.submit(page, '/oauth/consent', {
    decision: 'allow',
    password: PASSWORD,
  });

  assert.match(answer.headers.get('location') ?? '', /^\/oauth\/authorize\?/);
  assert.equal(await portico.oauth.reads.findGrant(alice.id, client.id, portico.clock()), undefined);
});
