// Members report applications; operators close the reports or deactivate the application.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byServer } from '../../../src/audit/doer.ts';
import { DAY, MINUTE } from '../../../src/lib/clock.ts';
import { openApp } from '../../support/app.ts';
import type { Browser } from '../../support/browser.ts';
import { member, notebook, person } from '../../support/people.ts';

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

test('A member can report an application again a week after the operators have decided', async () => {
  const early = await reportIt(alice, { reason: 'unexpected', note: 'Again.' });

  assert.equal(early.status, 400);
  assert.match(await early.text(), /decided on your earlier report[\s\S]*You can report[\s\S]*Again\./);
  assert.equal(await portico.oauth.reads.countOpenClientReports(9), 0);

  app.clock.advance(7 * DAY);
  await reportIt(alice, { reason: 'unexpected', note: '' });

  const [open] = await portico.oauth.reads.openClientReports(undefined, {
    clients: 10,
    reportsOfEach: 10,
    counted: 9,
  });

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

test('A member can send 20 reports of applications a day, and loses no text', async () => {
  const { browser: mallory } = await member(app, 'mallory');
  const report = async (n: number) => {
    const { id } = await notebook(portico, { name: `Flood ${n}` });
    const page = await mallory.read(`/report/application?client_id=${id}`);
    return mallory.submit(page, '/report/application', { reason: 'other', note: `Flood ${n}!` });
  };
  app.clock.advance(MINUTE);
  for (let n = 1; n <= 20; n += 1) assert.equal((await report(n)).status, 200);

  const refused = await report(21);

  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  assert.match(await refused.text(), /up to 20 reports a day[\s\S]*Flood 21!/);
});

test('Operators see the newest reported applications first, and page to all of them', async () => {
  app.clock.advance(MINUTE);
  const zoe = await person(portico, 'zoe');
  const by = { kind: 'member', userId: zoe.id, at: app.clock.now } as const;
  await portico.oauth.writes.addClientReport(by, { clientId: client.id, reason: 'misuse', note: 'Mine.' }, 0);
  const names: string[] = [];
  let path: string | undefined = '/operator/reports';

  for (; path !== undefined; path = nextIn(names.at(-1) ?? '')) names.push(await operator.read(path));

  const shown = names.map((page) => [...page.matchAll(/<h2>([^<]+)<\/h2>/g)].map(([, name]) => name));
  const floods = Array.from({ length: 20 }, (_, n) => `Flood ${20 - n}`);
  assert.deepEqual(
    shown.map(({ length }) => length),
    [10, 10, 1],
  );
  assert.deepEqual(shown.flat().slice(0, 1), ['Nice &lt;b&gt;']);
  assert.deepEqual(shown.flat().slice(1).toSorted(), floods.toSorted());
  assert.match(names[0] ?? '', /2 reports<[\s\S]*Mine\./);
});

function nextIn(page: string): string | undefined {
  return /rel="next" href="([^"]+)"/.exec(page)?.[1];
}
