// The first steps of a new community.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { PASSWORD } from '../../support/people.ts';
import { startSmtpServer } from '../../support/smtp-server.ts';

const server = await startSmtpServer({ after });
const app = await openApp({ SMTP_URL: server.url });
after(() => app.close());

const olivia = new Browser(app.url);
const PATH = '/operator/first-steps';

async function press(act: string): Promise<Response> {
  return olivia.submit(await olivia.read('/operator'), PATH, { do: act });
}

describe('A new community', () => {
  test('offers a stranger nothing but the way to set it up', async () => {
    const stranger = new Browser(app.url);
    for (const path of ['/signup', '/login', '/popular', '/u/olivia', '/write', '/feed.atom']) {
      const answer = await stranger.open(path);
      assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/'], path);
    }
    assert.match(await stranger.read('/'), /This community is not set up yet/);
    assert.equal((await stranger.open('/healthz')).status, 200);
    const body = new URLSearchParams({ username: 'mallory', password: PASSWORD });
    assert.equal((await stranger.post('/signup', body)).headers.get('location'), '/');
    assert.equal(await app.portico.identity.reads.findUserByName('mallory'), undefined);
  });

  test('the first operator comes from the set-up link to a list of first steps, not to an empty feed', async () => {
    const page = await (await olivia.follow(`/setup?token=${await app.portico.setupToken()}`)).text();
    const answer = await olivia.submit(page, '/setup', { username: 'olivia', password: PASSWORD });

    assert.equal(answer.headers.get('location'), '/operator');
    const overview = await olivia.read('/operator');
    for (const step of [
      'Name your community',
      'Test the mail',
      'Add the first category',
      'Invite',
      'backups',
      'Protect your account',
    ]) {
      assert.match(overview, new RegExp(`<h2>First steps</h2>[\\s\\S]*${step}`));
    }
    assert.doesNotMatch(overview, /badge">Done/);
  });

  test('the operator knows that mail works before a member needs it', async () => {
    const overview = await olivia.read('/operator');
    const answer = await olivia.submit(overview, PATH, { do: 'mail', to: 'olivia@home.example' });

    assert.equal(server.mails.at(-1)?.subject, 'Test mail from Portico');
    assert.match(
      await answer.text(),
      /took a mail to olivia@home\.example[\s\S]*Test the mail <span class="badge">Done/,
    );
  });

  test('the list goes when everything is done', async () => {
    const settings = await olivia.read('/operator/settings');
    // She asks nobody for a second factor, or she would set hers up first.
    await olivia.submit(settings, '/operator/settings', { name: 'Agora', secondFactor: 'nobody' });
    await olivia.submit(await olivia.read('/operator/categories'), '/operator/categories', {
      name: 'Crafts',
      slug: '',
    });
    await olivia.submit(await olivia.read('/operator/invitations'), '/operator/invitations', { days: '7' });
    assert.match(await olivia.read('/operator'), /First steps/);

    assert.equal((await press('backup')).status, 303);

    assert.doesNotMatch(await olivia.read('/operator'), /First steps/);
  });
});

test('an operator reads why the mail server took no mail, and can hide the list', async (t) => {
  const other = await openApp({ SMTP_URL: 'smtp://127.0.0.1:1' });
  t.after(() => other.close());
  const browser = new Browser(other.url);
  const page = await (await browser.follow(`/setup?token=${await other.portico.setupToken()}`)).text();
  await browser.submit(page, '/setup', {
    username: 'olivia',
    password: PASSWORD,
    email: 'olivia@home.example',
  });

  const answer = await browser.submit(await browser.read('/operator'), PATH, {
    do: 'mail',
    to: 'olivia@home.example',
  });
  assert.match(await answer.text(), /didn’t take the mail: cannot connect to /);
  const wrong = await browser.submit(await browser.read('/operator'), PATH, { do: 'mail', to: 'olivia' });
  assert.match(await wrong.text(), /Enter an email address/);
  await browser.submit(await browser.read('/operator'), PATH, { do: 'dismiss' });

  assert.doesNotMatch(await browser.read('/operator'), /First steps/);
});
