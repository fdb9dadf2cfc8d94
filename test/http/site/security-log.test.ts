// The member's security log.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byOperator } from '../../../src/audit/doer.ts';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { browserOf, member, notebook, PASSWORD, person } from '../../support/people.ts';

const PATH = '/settings/security-log';

const app = await openApp();
const { portico } = app;
after(() => app.close());

/** The entries as plain text, newest first. */
function entries(page: string): string[] {
  return [...page.matchAll(/<tr>\s*<td data-label[\s\S]*?<\/tr>/g)].map(([row]) =>
    row
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
}

test('A member reads what happened to the account, newest first, with time and network', async () => {
  await person(portico, 'uma');
  await new Browser(app.url).signIn('uma', 'wrong password');
  const browser = await browserOf(app, 'uma');
  const client = await notebook(portico);
  await portico.oauth.writes.recordEvent({
    event: 'refresh_token_reused',
    at: portico.clock(),
    userId: (await portico.identity.reads.findUserByName('uma'))?.id ?? 0,
    clientId: client.id,
    address: '198.51.100.7',
    subject: 'key',
  });

  const page = await browser.read(PATH);
  const list = entries(page);

  assert.match(page, /deleted after 90 days/);
  assert.equal(list.length, 4);
  assert.match(list[0] ?? '', /\d\d:\d\d:\d\d Old refresh token used Notebook 198\.51\.100\.7$/);
  assert.match(list[1] ?? '', /New browser signed in node 127\.0\.0\.1$/);
  assert.match(list[2] ?? '', /Signed in with the password 127\.0\.0\.1$/);
  assert.match(list[3] ?? '', /Failed sign-in wrong password 127\.0\.0\.1$/);
});

test('The log is in Chinese for a member who reads Chinese', async () => {
  const { browser } = await member(app, 'wei', { language: 'zh-CN' });

  const page = await browser.read(PATH);

  assert.match(page, /条目保留 90 天/);
  assert.match(entries(page).join('\n'), /新浏览器登录 node[\s\S]*登录 使用密码/);
});

test('Acts of operators are in the log without a name and a network', async () => {
  const account = await person(portico, 'vera');
  const olivia = await person(portico, 'olivia');
  for (const status of ['suspended', 'active'] as const) {
    await portico.identity.writes.setStatus(byOperator(olivia, portico.clock), account.id, status);
  }
  const browser = await browserOf(app, 'vera');

  const page = await browser.read(PATH);

  assert.match(entries(page).join('\n'), /Account status changed suspended, by the operators –/);
  assert.doesNotMatch(page, /olivia/);
});

test('A member sees no event of another member', async () => {
  await person(portico, 'xena');
  await new Browser(app.url).signIn('xena', PASSWORD);
  const { browser } = await member(app, 'yuri');

  assert.equal(entries(await browser.read(PATH)).length, 2);
});

test('A long log has pages', async () => {
  const { browser, id } = await member(app, 'zoe');
  for (let count = 0; count < 60; count += 1) {
    await portico.identity.writes.recordEvent({
      event: 'sign_in_failed',
      at: portico.clock(),
      userId: id,
      address: undefined,
      detail: 'wrong_password',
    });
  }

  const first = await browser.read(PATH);
  const next = /rel="next" href="([^"]*)"/.exec(first)?.[1] ?? '';
  const second = await browser.read(next);

  assert.equal(entries(first).length, 50);
  assert.equal(entries(second).length, 12);
  assert.match(second, /Back to the start/);
});
