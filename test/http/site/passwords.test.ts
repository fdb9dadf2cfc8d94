// Common passwords, and those that are only a name, are refused wherever a password is chosen.

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, test } from 'node:test';
import { byCommandLine } from '../../../src/audit/doer.ts';
import { invitationPath, invite } from '../../../src/identity/invitation.ts';
import { HOUR } from '../../../src/lib/clock.ts';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, PASSWORD_HASH } from '../../support/people.ts';
import { addMember } from '../../support/seeding.ts';
import { text } from './mail-fixture.ts';

const BREACHED = 'walks of a breached site';
const service = createServer((request, response) => {
  const digest = hash('sha1', BREACHED, 'hex').toUpperCase();
  response.end(request.url === `/${digest.slice(0, 5)}` ? `${digest.slice(5)}:7` : '');
}).listen(0, '127.0.0.1');
await new Promise((resolve) => service.once('listening', resolve));
after(() => service.close());

const app = await openApp({
  SITE_NAME: 'Agora',
  BREACHED_PASSWORDS_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}/`,
});
const { portico } = app;
after(() => app.close());

const refused: [password: string, words: RegExp][] = [
  ['password', /Many people use this password/],
  ['Password123', /Many people use this password/],
  ['agora2026', /just a name that is easy to guess/],
  ['nina.home!', /just a name that is easy to guess/],
  [BREACHED, /became public in a data breach/],
];

const places: Record<string, (password: string) => Promise<Response>> = {
  async 'the set-up'(password) {
    const browser = new Browser(app.url);
    const page = await text(browser.follow(`/setup?token=${await portico.setupToken()}`));
    return browser.submit(page, '/setup', { username: 'nina_home', password });
  },
  async 'the sign-up'(password) {
    const browser = new Browser(app.url);
    const fields = { username: 'nina_2', email: 'nina.home@x.example', password };
    return browser.submit(await text(browser.open('/signup')), '/signup', fields);
  },
  async 'an invitation'(password) {
    const invitation = await invite(byCommandLine(portico.clock), portico.identity, {});
    assert.ok('text' in invitation);
    const browser = new Browser(app.url);
    const page = await text(browser.follow(invitationPath(invitation.text)));
    return browser.submit(page, '/signup', { username: 'nina-home', password });
  },
  async 'a change'(password) {
    const browser = new Browser(app.url);
    await browser.signIn('nina', PASSWORD);
    const fields = { current: PASSWORD, new_password: password };
    return browser.submit(
      await text(browser.open('/settings/security')),
      '/settings/security/password',
      fields,
    );
  },
  async 'a reset'(password) {
    app.clock.advance(HOUR);
    const browser = new Browser(app.url);
    await browser.submit(await text(browser.open('/forgot-password')), '/forgot-password', {
      account: 'nina',
    });
    const [mail] = await portico.identity.reads.mailsDue(app.clock.read(), 1);
    assert.ok(mail);
    const token = `${'0'.repeat(21)}${refused.findIndex(([one]) => one === password)}${'x'.repeat(32)}`;
    await portico.identity.writes.addMailToken(
      {
        ...mail,
        purpose: 'reset',
        key: token.slice(0, 22),
        digest: hash('sha256', token, 'base64url'),
        expiresAt: app.clock.read() + HOUR,
      },
      mail.id,
    );
    return browser.submit(await text(browser.follow(`/reset-password?token=${token}`)), '/reset-password', {
      password,
    });
  },
};

await addMember(portico, 'nina', { passwordHash: PASSWORD_HASH, email: 'home@x.example' });

for (const [place, choose] of Object.entries(places)) {
  describe(`A new password at ${place}`, () => {
    for (const [password, words] of refused) {
      test(`${JSON.stringify(password)} is refused`, async () => {
        const answer = await choose(password);

        assert.equal(answer.status, 400);
        assert.match(await answer.text(), words);
      });
    }
  });
}
