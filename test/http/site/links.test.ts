// The links on a member's page, from the settings to the download of the data.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byMember } from '../../../src/audit/doer.ts';
import { setLinks } from '../../../src/identity/links.ts';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { thingOf } from '../../support/head.ts';
import { member, setStatus } from '../../support/people.ts';

const app = await openApp();
after(() => app.close());
const alice = await member(app, 'alice');
const visitor = new Browser(app.url);
const PATH = '/settings/profile/links';

async function save(...links: string[]): Promise<Response> {
  const fields = Object.fromEntries(links.map((link, n) => [`link_${n + 1}`, link]));
  return alice.browser.submit(await alice.browser.read('/settings/profile'), PATH, fields);
}

test('A member’s links are on the page, as the member’s own and without a recommendation', async () => {
  const saved = await save('https://social.example/@alice', 'xn--80ak6aa92e.com');

  assert.deepEqual([saved.status, saved.headers.get('location')], [303, '/settings/profile?saved']);
  const page = await visitor.read('/u/alice');
  assert.match(
    page,
    /<a class="u-url" rel="me nofollow ugc" href="https:\/\/social\.example\/@alice">social\.example\/@alice<\/a>/,
  );
  assert.match(
    page,
    />xn--80ak6aa92e\.com<\/a>\s*<span class="soft">in its own letters: <bdi>аррӏе\.com<\/bdi>/,
  );
  const { mainEntity } = thingOf(page, 'ProfilePage') as { mainEntity: { sameAs: string[] } };
  assert.deepEqual(mainEntity.sameAs, ['https://social.example/@alice', 'https://xn--80ak6aa92e.com/']);
  const settings = await alice.browser.read('/settings/profile');
  assert.match(settings, /name="link_2" value="https:\/\/xn--80ak6aa92e\.com\/"/);
});

test('A refused form names the field that is wrong, and keeps what was typed', async () => {
  const refused = await save('"><script>alert(1)</script>', 'alice.example', 'http://a.example');
  const page = await refused.text();

  assert.equal(refused.status, 400);
  assert.match(page, /<a href="#link_1">Link 1: enter an address/);
  assert.match(page, /<a href="#link_3">Link 3/);
  assert.match(page, /name="link_1" value="&quot;&gt;&lt;script&gt;/);
  assert.match(page, /name="link_2" value="alice\.example"/);
  assert.match(await visitor.read('/u/alice'), /social\.example/);
});

test('No text in a link leaves its attribute', async () => {
  await save(
    'https://a.example/"onmouseover="alert(1)',
    "https://b.example/'<script>&lt;",
    'https://c.example/?</script>',
  );
  const page = await visitor.read('/u/alice');

  assert.equal([...page.matchAll(/class="u-url"/g)].length, 3);
  assert.doesNotMatch(page, /"onmouseover|<script>(?!\{)|'<|\?<\/script>/);
});

test('The links are in the download of the data, are hidden while suspended, and end with the account', async () => {
  const { identity, clock } = app.portico;
  assert.equal(await setLinks(byMember(alice, clock), identity, ['alice.example']), undefined);
  const settings = await alice.browser.read('/settings/account');
  const download = await alice.browser.submit(settings, '/settings/account/export');
  const { profile } = (await download.json()) as { profile: { links: string[] } };
  assert.deepEqual(profile.links, ['https://alice.example/']);

  await setStatus(identity, alice.id, 'suspended');
  assert.doesNotMatch(await visitor.read('/u/alice'), /alice\.example/);
  await setStatus(identity, alice.id, 'closed');
  assert.deepEqual(await identity.reads.linksOf(alice.id), []);
});
