// What programs look for at a site: whom to tell about a weakness, and where a password is changed.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { DAY } from '../../../src/lib/clock.ts';
import { openApp } from '../../support/app.ts';

const app = await openApp({ SECURITY_CONTACT: 'mailto:security@community.example' });
const silent = await openApp();
after(() => Promise.all([app.close(), silent.close()]));

const PATH = '/.well-known/security.txt';

function open(url: string): Promise<Response> {
  return fetch(url, { redirect: 'manual' });
}

test('security.txt has the fields of RFC 9116, and is valid for half a year', async () => {
  const answer = await open(app.url + PATH);
  const lines = (await answer.text()).split('\n');
  const expires = Date.parse(lines.find((line) => line.startsWith('Expires: '))?.slice(9) ?? '');

  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'text/plain; charset=UTF-8');
  assert.deepEqual(
    lines.map((line) => line.replace(/^(Expires:) .*Z$/, '$1')),
    [
      'Contact: mailto:security@community.example',
      'Expires:',
      'Preferred-Languages: en, zh',
      `Canonical: ${app.url}${PATH}`,
      `Policy: ${app.url}/docs/security`,
      `# Found a token of this site? Have it revoked: ${app.url}/credentials/revoke`,
      '',
    ],
  );
  assert.ok(Math.abs(expires - app.clock.now - 180 * DAY) <= DAY);
});

test('security.txt is not there as long as the operators name no contact', async () => {
  assert.equal((await open(silent.url + PATH)).status, 404);
});

test('The policy that security.txt names is a page', async () => {
  const page = await (await open(`${silent.url}/docs/security`)).text();

  assert.match(page, /<h1>Report a vulnerability<\/h1>/);
  assert.ok(page.includes(`${silent.url}/.well-known/security.txt`));
});

test('Password managers find the page where a password is changed', async () => {
  const answer = await open(`${app.url}/.well-known/change-password`);

  assert.equal(answer.status, 303);
  assert.equal(answer.headers.get('location'), '/settings/security');
});

test('A path that must not exist is 404, so password managers can trust other answers under /.well-known', async () => {
  const path = '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200';

  assert.equal((await open(app.url + path)).status, 404);
});
