// Members whom an import gave another username.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { byCommandLine } from '../../../src/audit/doer.ts';
import { createResetLink, resetPassword } from '../../../src/identity/password-reset.ts';
import { openImportFile } from '../../../src/import/formats/import-file.ts';
import { importAll } from '../../../src/import/import-all.ts';
import { openReport } from '../../../src/import/report.ts';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { temporaryFolder } from '../../support/databases.ts';
import { PASSWORD, person } from '../../support/people.ts';

const app = await openApp();
const { portico } = app;
after(() => app.close());

async function importDiscourse(folder: string, users: readonly object[]): Promise<void> {
  const path = join(folder, 'discourse.json');
  await writeFile(path, JSON.stringify({ users, categories: [], topics: [] }));
  const file = await openImportFile(path, 'discourse');
  await importAll(
    portico.imports,
    file,
    {
      by: byCommandLine(portico.clock),
      source: 'forum',
      format: 'discourse',
      existingMembers: new Map(),
      report: openReport(undefined),
    },
    () => {},
  );
}

test('A member whom the import renamed signs in by address, and is told the new username once', async (t) => {
  await person(portico, 'li');
  const folder = await temporaryFolder(t);
  await importDiscourse(folder, [{ id: 3, username: 'li', email: 'li@home.example' }]);
  const user = await portico.identity.reads.findUserByName('li_1');
  assert.ok(user);
  const reset = await createResetLink(byCommandLine(portico.clock), portico.identity, user, 'en');
  assert.ok('token' in reset);
  await resetPassword(portico.identity, { token: reset.token, password: PASSWORD, language: 'en' });
  const browser = new Browser(app.url);

  const first = await browser.signIn('li@home.example', PASSWORD, '/drafts');
  const page = await (await browser.open(first.headers.get('location') ?? '')).text();
  const second = await new Browser(app.url).signIn('li@home.example', PASSWORD, '/drafts');

  assert.equal(first.headers.get('location'), '/renamed?return_to=%2Fdrafts');
  assert.match(page, /came from another community, where your username was “li”\./);
  assert.match(page, /<strong>li_1<\/strong>/);
  assert.match(page, /or your email address/);
  assert.equal(second.headers.get('location'), '/drafts');
});
