// The settings that operators change on a page, and where they show.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { member } from '../../support/people.ts';

const app = await openApp({ SITE_NAME: 'Portico' });
after(() => app.close());

const olivia = await member(app, 'olivia', { isOperator: true });
const PATH = '/operator/settings';

async function save(changes: Record<string, string>): Promise<Response> {
  const page = await olivia.browser.read(PATH);
  return olivia.browser.submit(page, PATH, changes);
}

test('An operator names the community and closes it on a page, and the next request knows', async () => {
  const visitor = new Browser(app.url);
  assert.match(await visitor.read('/'), /<title>Portico<\/title>/);

  const saved = await save({ name: ' Agora ', sentence: 'Bread, slowly.', signUp: 'closed' });

  assert.equal(saved.headers.get('location'), `${PATH}?saved`);
  const home = await visitor.read('/');
  assert.match(home, /<title>Agora<\/title>/);
  assert.doesNotMatch(home, /href="\/signup"/);
  assert.match(await olivia.browser.read(PATH), /value="Bread, slowly\."/);
  const entries = await app.portico.audit.reads.auditEvents({ limit: 3 });
  assert.deepEqual(entries.map(({ action, subject }) => `${action} ${subject.id}`).sort(), [
    'setting.change name',
    'setting.change sentence',
    'setting.change signUp',
  ]);
});

test('A setting that stays as it is leaves nothing in the audit log', async () => {
  const [before] = await app.portico.audit.reads.auditEvents({ limit: 1 });

  await save({});

  assert.deepEqual(await app.portico.audit.reads.auditEvents({ limit: 1 }), [before]);
});

test('A name that no site can have is refused with what was typed, and nothing is saved', async () => {
  const answer = await save({ name: 'x'.repeat(61), sentence: 'New.' });

  const page = await answer.text();
  assert.equal(answer.status, 400);
  assert.match(page, /Enter a name of 1 to 60 visible characters\./);
  assert.match(page, /value="New\."/);
  assert.doesNotMatch(await olivia.browser.read(PATH), /New\./);
});

test('a visitor whose browser prefers neither language reads the one that the operators chose', async () => {
  const visitor = new Browser(app.url, 'fr');
  assert.match(await visitor.read('/login'), /<html lang="en">/);

  await save({ language: 'zh' });

  assert.match(await visitor.read('/login'), /<html lang="zh-Hans">/);
  assert.match(await new Browser(app.url, 'en').read('/login'), /<html lang="en">/);
});

test('an operator adds links to the footer, and a line that is no link is refused with all lines', async () => {
  const links = 'Our chat https://chat.example/a?b=1\r\n\r\n 守则  /docs ';
  assert.equal((await save({ links })).status, 303);

  const page = await new Browser(app.url).read('/login');
  assert.match(
    page,
    /<footer[\s\S]*<a href="https:\/\/chat\.example\/a\?b=1">Our chat<\/a><a href="\/docs">守则<\/a>/,
  );
  for (const wrong of ['Chat', 'Chat http://chat.example', 'Chat javascript:alert(1)', 'A /\n'.repeat(9)]) {
    const answer = await save({ links: wrong });
    assert.equal(answer.status, 400, wrong);
    assert.match(await answer.text(), /id="links-problem"/);
  }
});
