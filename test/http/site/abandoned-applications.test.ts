// Access of applications that stay deactivated is removed, and the member reads about it.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byServer } from '../../../src/audit/doer.ts';
import { DAY } from '../../../src/lib/clock.ts';
import { withdrawAbandonedGrants } from '../../../src/oauth/abandoned-grant.ts';
import { activateClient, deactivateClient } from '../../../src/oauth/client-status.ts';
import { openApp } from '../../support/app.ts';
import { browserOf, notebook, person } from '../../support/people.ts';
import { callApi, signInWith } from '../../support/relying-party.ts';

const app = await openApp();
after(() => app.close());

test('access of an application that stays deactivated for 30 days is removed, and the member is told', async () => {
  await person(app.portico, 'alice');
  const client = await notebook(app.portico, { name: 'Diary' });
  const path = `/settings/apps/${client.id}`;
  let browser = await browserOf(app, 'alice');
  const text = async (at: string) =>
    (await browser.read(at)).replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
  const { access_token } = await signInWith(app, client, 'alice');
  const { oauth } = app.portico;
  await deactivateClient(byServer(oauth.clock), oauth, client.id);
  app.clock.advance(30 * DAY - 1000);
  await withdrawAbandonedGrants(oauth);
  browser = await browserOf(app, 'alice');
  const before = await text('/settings/apps');
  // Deactivating it again doesn't start the time anew.
  await deactivateClient(byServer(oauth.clock), oauth, client.id);
  app.clock.advance(1000);

  await withdrawAbandonedGrants(oauth);
  await activateClient(byServer(oauth.clock), oauth, client.id);

  const list = await text('/settings/apps');
  assert.match(before, /Diary .*Deactivated/);
  assert.doesNotMatch(before, /stayed deactivated/);
  assert.match(
    list,
    /No applications are connected.*Removed because it stayed deactivated.*Diary , \d+ [A-Z][a-z]+ \d{4}/,
  );
  assert.match(
    await text('/settings/security-log'),
    /Application’s access removed Diary, the application had been deactivated for 30 days, by the server/,
  );
  assert.match(await text(path), /Access stopped at/);
  assert.equal((await callApi(app, '/me', access_token)).status, 401);
  await signInWith(app, client, 'alice');
  assert.doesNotMatch(await text('/settings/apps'), /stayed deactivated/);
});
