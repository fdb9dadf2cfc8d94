// Where members reach the operators.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { member, PASSWORD, person, setStatus } from '../../support/people.ts';
import { startSmtpServer } from '../../support/smtp-server.ts';

const server = await startSmtpServer({ after });
const app = await openApp({ SMTP_URL: server.url });
after(() => app.close());

const PATH = '/operator/settings';
const olivia = await member(app, 'olivia', { isOperator: true });
const visitor = new Browser(app.url);

async function setContact(contact: string): Promise<Response> {
  const page = await olivia.browser.read(PATH);
  return olivia.browser.submit(page, PATH, { contact });
}

describe('A contact that the operators set', () => {
  const link = /href="mailto:hello@agora\.example"/;

  test('a suspended member learns where to write to the operators', async () => {
    const alice = await person(app.portico, 'alice');
    await setStatus(app.portico.identity, alice.id, 'suspended');
    const before = await (await visitor.signIn('alice', PASSWORD)).text();
    assert.doesNotMatch(before, /mailto:/);

    assert.equal((await setContact('hello@agora.example')).status, 303);

    const after = await (await visitor.signIn('alice', PASSWORD)).text();
    assert.match(after, new RegExp(`Contact the operators: <a ${link.source}`));
  });

  test('a member who gets no mail learns it too, and so does everyone from the footer', async () => {
    assert.match(await visitor.read('/forgot-password/sent'), new RegExp(`operators: <a ${link.source}`));
    assert.match(await visitor.read('/'), /<footer[\s\S]*href="mailto:hello@agora\.example">Contact</);
    assert.match(await visitor.read('/docs'), new RegExp(`operators: <a ${link.source}`));
  });

  test('is in the signature of every mail', async () => {
    const page = await olivia.browser.read('/settings/security');
    await olivia.browser.submit(page, '/settings/security/email', {
      email: 'olivia@home.example',
      email_password: PASSWORD,
      do: 'change',
    });
    while ((await app.portico.sendMails()) > 0);

    assert.match(server.mails.at(-1)?.text ?? '', /\nhello@agora\.example\n?$/);
  });

  test('can be a page of the site', async () => {
    await setContact('/docs');

    assert.match(await visitor.read('/'), new RegExp(`href="${app.url}/docs">Contact<`));
  });

  for (const contact of [
    'javascript:alert(1)',
    'http://a.example',
    '//a.example',
    'call us',
    'a@b',
    '/\\a',
  ]) {
    test(`can't be ${contact}`, async () => {
      const answer = await setContact(contact);

      assert.equal(answer.status, 400);
      assert.match(await answer.text(), /Enter an email address, an address that begins with https:/);
    });
  }
});
