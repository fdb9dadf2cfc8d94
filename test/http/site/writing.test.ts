// Writing: previews, drafts that are saved automatically, edits in two places at once, and limits.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { HOUR, SECOND } from '../../../src/lib/clock.ts';
import { openApp } from '../../support/app.ts';
import { Browser, formIn } from '../../support/browser.ts';
import { PASSWORD, person } from '../../support/people.ts';

const app = await openApp();
after(() => app.close());
const { community } = app.portico;

/** Sign a new member in. Each member has limits of their own. */
async function newcomer(username: string, language = 'en'): Promise<Browser> {
  await person(app.portico, username);
  const browser = new Browser(app.url, language);
  await browser.signIn(username, PASSWORD);
  return browser;
}

async function formOf(browser: Browser, path: string, action = path): Promise<URLSearchParams> {
  const page = await (await browser.open(path)).text();
  return new URLSearchParams(formIn(page, action));
}

function withFields(form: URLSearchParams, fields: Record<string, string>): URLSearchParams {
  const body = new URLSearchParams(form);
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  return body;
}

interface AutosaveAnswer {
  id: number;
  version: number;
  edit: string;
  autosave: string;
  message: string;
}

async function bodyOf(answer: Response): Promise<AutosaveAnswer> {
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  return (await answer.json()) as AutosaveAnswer;
}

test('A preview shows the rendered text, keeps the form, and saves nothing', async () => {
  const bob = await newcomer('bob');
  const form = await formOf(bob, '/write');
  const body = '# Paste\n\nFlour <script>alert(1)</script> and **water**';

  const answer = await bob.post('/write', withFields(form, { title: 'A <b>', body, action: 'preview' }));

  const page = await answer.text();
  assert.equal(answer.status, 200);
  assert.match(page, /<section id="preview"[\s\S]*<h2>A &lt;b&gt;<\/h2>[\s\S]*<h2>Paste<\/h2>/);
  assert.match(page, /Flour .*and <strong>water<\/strong>/);
  assert.doesNotMatch(page, /<script>/);
  assert.ok(page.includes('# Paste\n\nFlour &lt;script&gt;'));
  assert.doesNotMatch(await (await bob.open('/drafts')).text(), /A &lt;b&gt;/);
});

test('A preview that the script asks for comes without the rest of the page, and a refusal with it', async () => {
  const bob = await newcomer('bob4');
  const form = await formOf(bob, '/write');
  const fields = { title: 'A <b>', body: '**Flour** <script>', action: 'preview', part: 'preview' };

  const answer = await bob.post('/write', withFields(form, fields));
  const refused = await bob.post('/write', withFields(form, { ...fields, title: 'x'.repeat(121) }));

  const part = await answer.text();
  assert.equal(answer.status, 200);
  assert.match(part.trim(), /^<section id="preview"[\s\S]*<h2>A &lt;b&gt;<\/h2>[\s\S]*<\/section>$/);
  assert.match(part, /<strong>Flour<\/strong> &lt;script&gt;/);
  assert.equal(answer.headers.get('content-type'), 'text/html; charset=UTF-8');
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  assert.match(answer.headers.get('content-security-policy') ?? '', /^default-src 'none'; frame-ancestors/);
  assert.equal(refused.status, 400);
  assert.match(await refused.text(), /<form id="editor"/);
});

test('A preview of an edit leaves the published post as it is', async () => {
  const bob = await newcomer('bob2');
  const publishing = await bob.post('/write', withFields(await formOf(bob, '/write'), publication('Stays')));
  const path = (publishing.headers.get('location') ?? '').replace('/stays', '');
  const form = await formOf(bob, `${path}/edit`);

  const answer = await bob.post(`${path}/edit`, withFields(form, { title: 'Changed', action: 'preview' }));

  assert.match(await answer.text(), /<section id="preview"[\s\S]*<h2>Changed<\/h2>/);
  assert.match(await (await bob.open(path)).text(), /<h1>Stays<\/h1>/);
});

function publication(title: string): Record<string, string> {
  return { title, body: 'Some words.', action: 'publish' };
}

test('The page with the editor can run its script and connect to this site, and no other', async () => {
  const bob = await newcomer('bob3');
  const answer = await bob.open('/write');

  const policy = answer.headers.get('content-security-policy') ?? '';
  const script = /<script src="(\/editor\.[0-9a-f]{12}\.js)" defer><\/script>/.exec(await answer.text())?.[1];
  const served = await bob.open(script ?? '');

  assert.match(policy, /default-src 'none'.*connect-src 'self'; script-src 'self'/);
  assert.doesNotMatch(policy, /unsafe/);
  assert.equal(served.headers.get('content-type'), 'text/javascript; charset=utf-8');
  assert.match((await bob.open('/')).headers.get('content-security-policy') ?? '', /^(?!.*connect-src)/);
});

test('A draft is saved automatically from its first words on, even without a title', async () => {
  const carol = await newcomer('carol');
  const form = await formOf(carol, '/write');

  const first = await bodyOf(await carol.post('/write/autosave', withFields(form, { body: 'First words' })));
  const second = await bodyOf(
    await carol.post(first.autosave, withFields(form, { body: 'More words', version: `${first.version}` })),
  );

  assert.equal(second.id, first.id);
  assert.match(first.message, /^Saved at \d\d:\d\d$/);
  assert.notEqual(second.version, first.version);
  const drafts = await (await carol.open('/drafts')).text();
  assert.match(drafts, /Untitled draft[\s\S]*More words/);
  assert.doesNotMatch(drafts, /First words/);
  const page = await (await carol.open(`/posts/${first.id}`)).text();
  assert.match(page, /<h1>Untitled draft<\/h1>/);
  assert.match(page, /Continue writing/);
  assert.ok(!page.includes(`/posts/${first.id}/publish`));
});

test('A draft that was saved in another place is not overwritten silently', async () => {
  const dora = await newcomer('dora');
  const form = await formOf(dora, '/write');
  const draft = await bodyOf(await dora.post('/write/autosave', withFields(form, { title: 'One' })));
  const here = await formOf(dora, draft.edit);
  await dora.post(draft.autosave, withFields(here, { title: 'There' }));

  const auto = await dora.post(draft.autosave, withFields(here, { title: 'Here' }));
  const byButton = await dora.post(draft.edit, withFields(here, { title: 'Here', action: 'draft' }));

  assert.equal(auto.status, 409);
  assert.match((await bodyOf(auto)).message, /somewhere else/);
  assert.equal(byButton.status, 409);
  const page = await byButton.text();
  assert.match(page, /saved somewhere else[\s\S]*value="Here"/);
  assert.match(await (await dora.open(`/posts/${draft.id}`)).text(), /<h1>There<\/h1>/);
  const again = new URLSearchParams(formIn(page, draft.edit));
  assert.equal((await dora.post(draft.edit, again)).status, 303);
  assert.match(await (await dora.open(`/posts/${draft.id}`)).text(), /<h1>Here<\/h1>/);
});

test('Saving automatically never changes a published post', async () => {
  const erin = await newcomer('erin');
  const form = await formOf(erin, '/write');
  const draft = await bodyOf(await erin.post('/write/autosave', withFields(form, publication('Out'))));
  const open = await formOf(erin, draft.edit);
  await erin.post(draft.edit, withFields(open, { action: 'publish' }));

  const answer = await erin.post(draft.autosave, withFields(open, { title: 'Changed', version: '' }));

  assert.equal(answer.status, 409);
  assert.match(await (await erin.open(`/posts/${draft.id}`)).text(), /<h1>Out<\/h1>/);
});

test('A save that fails is reported in the language of the page', async () => {
  const fay = await newcomer('fay', 'zh-CN');
  const form = await formOf(fay, '/write');

  const answer = await fay.post('/write/autosave', withFields(form, { title: 'x'.repeat(121) }));

  assert.equal(answer.status, 400);
  assert.match((await bodyOf(answer)).message, /未保存/);
});

test('A draft without a title or text is not published, and the page says what is missing', async () => {
  const gus = await newcomer('gus');
  const form = await formOf(gus, '/write');
  const draft = await bodyOf(await gus.post('/write/autosave', withFields(form, { title: 'Only a title' })));

  const path = `/posts/${draft.id}`;
  const byForm = await gus.post(
    `${path}/edit`,
    withFields(await formOf(gus, draft.edit), { action: 'publish' }),
  );
  const byPage = await gus.post(`${path}/publish`, form);

  for (const answer of [byForm, byPage]) {
    assert.equal(answer.status, 400);
    assert.match(await answer.text(), /Write some text/);
  }
  assert.equal((await community.reads.findPost(draft.id))?.status, 'draft');
});

test('The eleventh post in an hour is not published; the page keeps its text and says when to try again', async () => {
  const hal = await newcomer('hal');
  const form = await formOf(hal, '/write');
  for (let count = 1; count <= 10; count += 1) {
    assert.equal((await hal.post('/write', withFields(form, publication(`Post ${count}`)))).status, 303);
  }
  app.clock.advance(600 * SECOND);

  const byForm = await hal.post('/write', withFields(form, publication('One more')));
  const asDraft = await hal.post('/write', withFields(form, { ...publication('One more'), action: 'draft' }));
  const path = asDraft.headers.get('location') ?? '';
  const byPage = await hal.post(`${path}/publish`, form);

  for (const answer of [byForm, byPage]) {
    assert.equal(answer.status, 429);
    assert.equal(answer.headers.get('retry-after'), '3000');
    assert.match(await answer.text(), /again in 50 minutes[\s\S]*value="One more"/);
  }
  app.clock.advance(HOUR);
  assert.equal((await hal.post(`${path}/publish`, form)).headers.get('location'), `${path}/one-more`);
});

test('A draft that was changed elsewhere is not published, and does not count towards the limit', async () => {
  const ina = await newcomer('ina');
  const draft = withFields(await formOf(ina, '/write'), { ...publication('Slow'), action: 'draft' });
  const path = (await ina.post('/write', draft)).headers.get('location') ?? '';
  const stale = await formOf(ina, `${path}/edit`);
  await ina.post(`${path}/edit`, withFields(stale, { ...publication('Slower'), action: 'draft' }));

  for (let count = 1; count <= 11; count += 1) {
    const answer = await ina.post(`${path}/edit`, withFields(stale, publication('Slowest')));
    assert.equal(answer.status, 409, `attempt ${count}`);
  }
  const known = await formOf(ina, `${path}/edit`);

  assert.equal((await ina.post(`${path}/edit`, withFields(known, publication('Done')))).status, 303);
});

test('The text of a post that was sent after the session ended is shown, so that it can be copied', async () => {
  const jon = await newcomer('jon');
  const publishing = await jon.post('/write', withFields(await formOf(jon, '/write'), publication('Before')));
  const path = /^\/posts\/\d+/.exec(publishing.headers.get('location') ?? '')?.[0] ?? '';
  const forms = [
    { action: '/write', form: await formOf(jon, '/write') },
    { action: `${path}/edit`, form: await formOf(jon, `${path}/edit`) },
  ];
  await jon.post('/logout', await formOf(jon, '/', '/logout'));

  for (const { action, form } of forms) {
    const text = { title: 'All evening', body: 'It took me <long>.', action: 'draft' };
    const answer = await jon.post(action, withFields(form, text));

    assert.equal(answer.status, 403, action);
    const page = await answer.text();
    assert.match(page, /<pre[^>]*>All evening<\/pre>[\s\S]*<pre[^>]*>It took me &lt;long&gt;\.<\/pre>/);
  }
});

test('A member can begin at most 60 drafts an hour, by button or by script', async () => {
  const ida = await newcomer('ida');
  const form = await formOf(ida, '/write');
  const draft = { title: 'Again', action: 'draft' };
  for (let count = 1; count <= 60; count += 1) {
    const path = count % 2 === 0 ? '/write' : '/write/autosave';
    assert.ok([200, 303].includes((await ida.post(path, withFields(form, draft))).status));
  }

  assert.equal((await ida.post('/write', withFields(form, draft))).status, 429);
  const byScript = await ida.post('/write/autosave', withFields(form, draft));
  assert.equal(byScript.status, 429);
  assert.match((await bodyOf(byScript)).message, /start another/);
  const first = await (await ida.open('/drafts')).text();
  const [, next] = /rel="next" href="([^"]+)"/.exec(first) ?? [];
  const second = await (await ida.open(next ?? '')).text();
  assert.equal(first.match(/<article/g)?.length, 30);
  assert.equal(second.match(/<article/g)?.length, 30);
});
