// The time zone of pages and mails.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openApp } from '../../support/app.ts';
import { member } from '../../support/people.ts';
import { startSmtpServer } from '../../support/smtp-server.ts';

const server = await startSmtpServer({ after });
const app = await openApp({ SMTP_URL: server.url, TIME_ZONE: 'asia/kolkata' });
app.clock.now = Date.UTC(2026, 6, 15, 22, 30);
after(() => app.close());

const olivia = await member(app, 'olivia', { isOperator: true });
const alice = await member(app, 'alice');

async function setTimeZone(timeZone: string): Promise<Response> {
  const page = await olivia.browser.read('/operator/settings');
  return olivia.browser.submit(page, '/operator/settings', { timeZone });
}

async function lastMail(): Promise<string> {
  while ((await app.portico.sendMails()) > 0);
  return server.mails.at(-1)?.text ?? '';
}

test('a community in India reads its own time on pages, without any setting on a page', async () => {
  assert.match(
    await olivia.browser.read('/u/alice'),
    /title="16 July 2026 at 04:00 \(UTC\+5:30\)">16 Jul 2026</,
  );
});

test('an operator in Berlin chooses the time zone, and every page and mail has it', async () => {
  assert.equal((await setTimeZone('Europe/Berlin')).status, 303);

  assert.match(
    await olivia.browser.read('/u/alice'),
    /title="16 July 2026 at 00:30 \(UTC\+2\)">16 Jul 2026</,
  );
  assert.match(await olivia.browser.read('/operator/audit'), /time zone Europe\/Berlin/);
  const page = await alice.browser.read('/settings/security');
  await alice.browser.submit(page, '/settings/security/email', {
    email: 'alice@home.example',
    email_password: 'a long walk in the rain',
    do: 'change',
  });
  assert.match(await lastMail(), /valid until 17 Jul 2026, 00:30:00 \(UTC\+2\)/);
});

test('a membership ends with its last day in the time zone of the site', async () => {
  const path = `/operator/members/${alice.id}`;
  const page = await olivia.browser.read(path);
  assert.match(page, /end of that day in the time zone Europe\/Berlin/);

  await olivia.browser.submit(page, `${path}/membership`, { membership: 'day', until: '2027-01-31' });

  const user = await app.portico.identity.reads.findUser(alice.id);
  assert.equal(user?.memberUntil, Date.UTC(2027, 0, 31, 23));
  assert.match(await olivia.browser.read(path), /value="2027-01-31"/);
});

test('a time zone that does not exist is refused', async () => {
  for (const timeZone of ['Mars/Olympus', '+08:00', '']) {
    assert.equal((await setTimeZone(timeZone)).status, 400);
  }
});
