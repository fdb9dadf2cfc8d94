// The logos of applications: the owner uploads one, an operator approves it, and members see it beside the name.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import sharp from 'sharp';
import { DAY } from '../../../../src/lib/clock.ts';
import { type App, openApp } from '../../../support/app.ts';
import { Browser, formIn } from '../../../support/browser.ts';
import { browserOf, type Member, member, notebook, type RegisteredClient } from '../../../support/people.ts';
import { authorizationRequest, signInWith } from '../../../support/relying-party.ts';
import { drawPicture, uploadAppLogo } from '../picture-form.ts';

const WAITING = '/operator/applications?state=waiting';
const REVIEW = '/operator/applications/review';

let app: App;
let mallory: Member;
let alice: Member;
let olivia: Member;
let client: RegisteredClient;

beforeEach(async () => {
  app = await openApp();
  mallory = await member(app, 'mallory');
  alice = await member(app, 'alice');
  olivia = await member(app, 'olivia', { isOperator: true });
  client = await notebook(app.portico, { ownerId: mallory.id });
});
afterEach(() => app.close());

const consent = () =>
  alice.browser.read(`/oauth/authorize?${authorizationRequest(client, { prompt: 'consent' })}`);

async function logoPath(): Promise<string> {
  return `/logos/${(await app.portico.oauth.reads.findClient(client.id))?.logo}.png`;
}

async function approve(): Promise<void> {
  const answer = await olivia.browser.submit(await olivia.browser.read(WAITING), REVIEW, {
    decision: 'approve',
  });
  assert.match(answer.headers.get('location') ?? '', /done=approved/);
}

test('a logo is redrawn, and members see it beside the name once an operator has approved it', async () => {
  await signInWith(app, client, 'alice');
  const answer = await uploadAppLogo(mallory.browser, client, await drawPicture('#1010d0', 400, 200));
  assert.equal(answer.status, 303, await answer.text());
  const path = await logoPath();
  const img = `<img class="client-mark" width="48" height="48" alt="" src="${path}">`;
  const membersPages = async () => [
    await consent(),
    await alice.browser.read('/settings/apps'),
    await alice.browser.read(`/settings/apps/${client.id}`),
  ];

  for (const page of await membersPages()) assert.equal(page.includes('/logos/'), false);
  const settings = await mallory.browser.read(`/developers/apps/${client.id}/settings`);
  assert.ok(settings.includes(img));
  assert.match(settings, /once an operator has approved it/);
  assert.match(await olivia.browser.read('/operator'), /Review 1 waiting application</);
  assert.ok((await olivia.browser.read(WAITING)).includes(img));
  await approve();

  for (const page of await membersPages()) {
    assert.ok(page.includes(img));
    assert.match(page, /Notebook/);
  }
  assert.ok((await olivia.browser.read('/operator/applications')).includes(img));
  assert.match(await olivia.browser.read(WAITING), /No application waits/);
  const served = await fetch(app.url + path);
  assert.deepEqual(
    ['content-type', 'cache-control', 'x-content-type-options', 'content-security-policy'].map((name) =>
      served.headers.get(name),
    ),
    [
      'image/png',
      'public, max-age=31536000, immutable',
      'nosniff',
      "default-src 'none'; frame-ancestors 'none'; sandbox",
    ],
  );
  const { width, height, format } = await sharp(Buffer.from(await served.arrayBuffer())).metadata();
  assert.deepEqual([width, height, format], [192, 192, 'png']);
});

test('another picture, another name or another owner needs another approval', async () => {
  await uploadAppLogo(mallory.browser, client, await drawPicture());
  await approve();
  const page = `/developers/apps/${client.id}`;
  const save = async (name: string) =>
    mallory.browser.submit(await mallory.browser.read(`${page}/settings`), `${page}/settings`, { name });

  await save('Portico Support');
  assert.equal((await consent()).includes('/logos/'), false);
  await save('Notebook');
  assert.ok((await consent()).includes('/logos/'));

  await uploadAppLogo(mallory.browser, client, await drawPicture('#d01010'));
  assert.equal((await consent()).includes('/logos/'), false);
  await approve();
  await uploadAppLogo(mallory.browser, client, await drawPicture('#d01010'));
  assert.ok((await consent()).includes('/logos/'));

  const status = await mallory.browser.read(`${page}/status`);
  await mallory.browser.submit(status, `${page}/status`, { act: 'transfer', username: 'alice' });
  const offers = await alice.browser.read('/developers/apps');
  await alice.browser.submit(offers, '/developers/apps/offers', { answer: 'accept' });
  assert.equal((await app.portico.oauth.reads.findClient(client.id))?.ownerId, alice.id);
  assert.equal((await consent()).includes('/logos/'), false);
});

test('a logo that was changed after the operator opened the page is not approved', async () => {
  await uploadAppLogo(mallory.browser, client, await drawPicture());
  const page = await olivia.browser.read(WAITING);
  await uploadAppLogo(mallory.browser, client, await drawPicture('#d01010'));

  const answer = await olivia.browser.submit(page, REVIEW, { decision: 'approve' });

  assert.match(answer.headers.get('location') ?? '', /done=changed/);
  assert.equal((await consent()).includes('/logos/'), false);
});

test('an operator removes a logo with a reason, which the owner reads, and the application still works', async () => {
  await uploadAppLogo(mallory.browser, client, await drawPicture());
  const path = await logoPath();
  const page = await olivia.browser.read(WAITING);
  const reason = { [`reason-${client.id}`]: 'This is the logo of a bank.' };

  const missing = await olivia.browser.submit(page, REVIEW, { decision: 'refuse' });
  assert.equal(missing.status, 400);
  await olivia.browser.submit(page, REVIEW, { decision: 'refuse', ...reason });

  assert.equal((await fetch(app.url + path)).status, 404);
  const news = await mallory.browser.read('/notifications');
  assert.match(news, /removed the logo of your application “Notebook”[\s\S]*This is the logo of a bank\./);
  await signInWith(app, client, 'alice');
});

test('the owner removes the logo, and with the application its picture is deleted', async () => {
  await uploadAppLogo(mallory.browser, client, await drawPicture());
  const first = await logoPath();
  const page = `/developers/apps/${client.id}`;
  await mallory.browser.submit(await mallory.browser.read(`${page}/settings`), `${page}/logo/remove`);
  assert.equal((await fetch(app.url + first)).status, 404);

  await uploadAppLogo(mallory.browser, client, await drawPicture());
  assert.equal((await fetch(app.url + first)).status, 200);
  await mallory.browser.submit(await mallory.browser.read(`${page}/status`), `${page}/status`, {
    act: 'delete',
  });
  app.clock.advance(7 * DAY);
  await app.portico.purge();
  assert.equal((await fetch(app.url + first)).status, 404);
});

test('files that are no pictures are refused as for members’ pictures, and count among the same uploads', async () => {
  const upload = (file: Uint8Array) => uploadAppLogo(mallory.browser, client, file);
  const svg = await upload(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'));
  assert.equal(svg.status, 400);
  assert.match(await svg.text(), /can’t be read as a picture/);
  assert.match(await (await upload(Buffer.alloc(0))).text(), /Choose a file first/);
  const bomb = await upload(await drawPicture('#d01010', 8000, 8000));
  assert.match(await bomb.text(), /at most 51 million pixels/);

  for (let n = 0; n < 8; n += 1) assert.equal((await upload(await drawPicture())).status, 303);
  const answer = await upload(await drawPicture());
  assert.equal(answer.status, 429);
  assert.equal(answer.headers.get('retry-after'), '3600');
  assert.match(await answer.text(), /uploaded many pictures/);
});

test('nobody but the owner changes a logo, and only with the form of the page', async () => {
  const form = new FormData();
  form.append('logo', new Blob([new Uint8Array(await drawPicture())]), 'logo.png');
  const path = `/developers/apps/${client.id}/logo`;
  const own = new FormData();
  for (const [name, value] of formIn(await alice.browser.read('/settings/profile'), '/settings/profile')) {
    own.append(name, value);
  }
  own.append('logo', new Blob([new Uint8Array(await drawPicture())]), 'logo.png');
  const answers = [
    await alice.browser.open(path, { method: 'POST', body: own }),
    await mallory.browser.open(path, { method: 'POST', body: form }),
    await new Browser(app.url).open(path, { method: 'POST', body: form }),
  ];

  assert.deepEqual(
    answers.map(({ status }) => status),
    [404, 403, 303],
  );
  assert.equal(await logoPath(), '/logos/undefined.png');
});

test('the logo of an operator’s own application is shown at once', async () => {
  client = await notebook(app.portico, { ownerId: olivia.id });
  await uploadAppLogo(olivia.browser, client, await drawPicture());

  assert.ok((await consent()).includes('/logos/'));
  const chinese = await browserOf(app, 'olivia', 'zh-CN');
  assert.match(await chinese.read(`/developers/apps/${client.id}/settings`), /成员可以看到此徽标/);
});
