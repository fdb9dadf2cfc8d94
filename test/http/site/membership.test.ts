// The form in which an operator sets a member's membership, and the audit log about it.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byCommandLine } from '../../../src/audit/doer.ts';
import { write } from '../../../src/community/writing.ts';
import { openApp } from '../../support/app.ts';
import { member, person } from '../../support/people.ts';

const app = await openApp();
const { portico } = app;
after(() => app.close());
const { browser: operator } = await member(app, 'olivia', { isOperator: true });

test('An operator sets a membership: to the end of a day in UTC+8, without end, or none', async () => {
  const { id } = await person(portico, 'grace');
  const path = `/operator/members/${id}`;
  const set = async (fields: Record<string, string>) => {
    const answer = await operator.submit(await operator.read(path), `${path}/membership`, fields);
    return [answer.status, (await portico.identity.reads.findUser(id))?.memberUntil];
  };

  const day = await set({ membership: 'day', until: '2099-01-31' });
  const page = await operator.read(path);
  const noDay = await set({ membership: 'day', until: '2099-02-29' });
  const never = await set({ membership: 'never', until: '' });
  const none = await set({ membership: 'none', until: '' });

  assert.deepEqual(day, [303, Date.parse('2099-02-01T00:00:00+08:00')]);
  assert.match(page, /<option value="day" selected>[\s\S]*type="date"[^>]*value="2099-01-31"/);
  assert.deepEqual(noDay, [400, Date.parse('2099-02-01T00:00:00+08:00')]);
  assert.deepEqual(never, [303, Date.UTC(9999, 11, 31)]);
  assert.deepEqual(none, [303, undefined]);
  const [event] = await portico.audit.reads.auditEvents({ limit: 1 });
  assert.deepEqual([event?.actorName, event?.action], ['olivia', 'user.set_membership']);
});

test('A mistyped year gives no membership that is over already, except after a tick, and the day stays', async () => {
  const { id } = await person(portico, 'greta');
  const path = `/operator/members/${id}`;
  const fields = { membership: 'day', until: '2020-01-01' };
  const end = async () => (await portico.identity.reads.findUser(id))?.memberUntil;

  const refused = await operator.submit(await operator.read(path), `${path}/membership`, fields);
  const page = await refused.text();
  const untouched = await end();
  const meant = await operator.submit(page, `${path}/membership`, { past: 'yes' });

  assert.equal(refused.status, 400);
  assert.match(page, /This day is in the past[\s\S]*type="date"[^>]*value="2020-01-01"[\s\S]*name="past"/);
  assert.equal(untouched, undefined);
  assert.deepEqual([meant.status, await end()], [303, Date.parse('2020-01-02T00:00:00+08:00')]);
  assert.ok(!(await operator.read(path)).includes('name="past"'));
});

test('The audit log names members, posts and days, with links to their pages', async () => {
  const { id } = await person(portico, 'nina');
  await portico.identity.writes.setMemberUntil(byCommandLine(app.clock.read), id, Date.UTC(2090, 0, 31, 16));
  const text = { title: 'On <arches>', body: 'Some words.', categoryId: 1 };
  const by = byCommandLine(app.clock.read);
  const post = await write(by, portico.community, { authorId: id, text, status: 'published' });

  const page = await operator.read('/operator/audit');

  assert.match(page, /changed the membership of[\s\S]*last day: 2090-01-31/);
  assert.ok(page.includes(`<a href="/operator/members/${id}">nina</a>`));
  assert.ok('id' in post && page.includes(`<a href="/posts/${post.id}">On &lt;arches&gt;</a>`));
});
