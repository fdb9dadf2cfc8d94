// Members report applications; operators close the reports or deactivate the application.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byServer } from '../../../src/audit/doer.ts';
import { openApp } from '../../support/app.ts';
import type { Browser } from '../../support/browser.ts';
import { member, notebook } from '../../support/people.ts';

const app = await openApp();
const { portico } = app;
after(() => app.close());

const { browser: operator } = await member(app, 'olivia', { isOperator: true });
const { browser: alice } = await member(app, 'alice');
const { browser: moderator, id: moderatorId } = await member(app, 'bob');
await portico.identity.writes.setRole(byServer(portico.clock), moderatorId, 'moderator');
const client = await notebook(portico, { name: 'Nice <b>' });

async function reportIt(browser: Browser, fields: Record<string, string>): Promise<Response> {
  const page = await browser.read(`/report/application?client_id=${client.id}`);
  return browser.submit(page, '/report/application', fields);
}

test('A report of an application is for operators, who see it in the header and close it', async () => {
  const answer = await reportIt(alice, { reason: 'misuse', note: ' It <i>sells</i> them. ' });
  await reportIt(alice, { reason: 'other', note: 'Again.' });

  assert.equal(answer.status, 200);
  assert.match(await answer.text(), /Report sent/);
  const queue = await operator.read('/operator/reports');
  assert.match(
    queue,
    /Nice &lt;b&gt;[\s\S]*1 report<[\s\S]*misuses[\s\S]*It &lt;i&gt;sells&lt;\/i&gt; them\./,
  );
  assert.match(queue, /<span class="count" aria-hidden="true">1<\/span>/);
  assert.match(await operator.read('/operator'), /Review 1 open report/);
  assert.doesNotMatch(await moderator.read('/operator/reports'), /Nice|class="count"/);

  const form = { client_id: client.id };
  const refused = await moderator.submit(queue, '/operator/reports/applications', form);
  const closed = await operator.submit(queue, '/operator/reports/applications', form);

  assert.equal(refused.status, 404);
  assert.equal(closed.headers.get('location'), '/operator/reports?done=closed');
  assert.match(await operator.read('/operator/reports'), /No open reports/);
  const [event] = await portico.audit.reads.auditEvents({ limit: 1 });
  assert.deepEqual([event?.action, event?.subject.id], ['client.close_reports', client.id]);
});

test('A member can report an application again after the operators have decided', async () => {
  await reportIt(alice, { reason: 'unexpected', note: '' });

  const [open] = await portico.oauth.reads.openClientReports();

  assert.deepEqual(
    open?.reports.map(({ reason, note }) => [reason, note]),
    [['unexpected', '']],
  );
});

test('A report without a reason or with a long note is shown again with its text', async () => {
  const withoutReason = await reportIt(alice, { reason: '', note: 'Look.' });
  const tooLong = await reportIt(alice, { reason: 'other', note: 'x'.repeat(1001) });
  const unknown = await alice.open('/report/application?client_id=app_none');

  assert.deepEqual([withoutReason.status, tooLong.status, unknown.status], [400, 400, 404]);
  assert.match(await withoutReason.text(), /Choose a reason\.[\s\S]*Look\./);
  assert.match(await tooLong.text(), /at most 1,000 characters/);
});
