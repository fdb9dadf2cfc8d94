// The page of a connected application says under which name the member allowed it.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byServer } from '../../../src/audit/doer.ts';
import { DAY, MINUTE } from '../../../src/lib/clock.ts';
import { changeClient } from '../../../src/oauth/client-change.ts';
import { openApp } from '../../support/app.ts';
import { browserOf, notebook, person, type RegisteredClient } from '../../support/people.ts';
import { addSignIn } from '../../support/seeding.ts';

const app = await openApp();
const { portico } = app;
after(() => app.close());
const alice = await person(portico, 'alice');
const bob = await person(portico, 'bob');

async function rename({ id }: RegisteredClient, name: string): Promise<void> {
  app.clock.advance(MINUTE);
  await changeClient(byServer(portico.clock), portico.oauth, id, { name });
}

function noteOf(page: string): string | undefined {
  return /It was called (\w+) when you allowed it/.exec(page)?.[1];
}

test('The page names the application as each member knew it, also after a second renaming and years later', async () => {
  const client = await notebook(portico, { name: 'First' });
  await addSignIn(portico, client, alice.id);
  const path = `/settings/apps/${client.id}`;
  // No session lasts for the whole test.
  const noteFor = async ({ username }: typeof alice) =>
    noteOf(await (await browserOf(app, username)).read(path));

  await rename(client, 'Second');
  await addSignIn(portico, client, bob.id);
  assert.deepEqual([await noteFor(alice), await noteFor(bob)], ['First', undefined]);
  await rename(client, 'Third');
  assert.deepEqual([await noteFor(alice), await noteFor(bob)], ['First', 'Second']);
  app.clock.advance(31 * DAY);
  await rename(client, 'Fourth');
  assert.deepEqual([await noteFor(alice), await noteFor(bob)], ['First', 'Second']);
  await rename(client, 'First');
  assert.deepEqual([await noteFor(alice), await noteFor(bob)], [undefined, 'Second']);
  // Whoever allows it again knows its present name.
  await addSignIn(portico, client, bob.id);
  assert.equal(await noteFor(bob), undefined);
});
