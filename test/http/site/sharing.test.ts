// What pages say of themselves to search engines and to previews of links.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { byMember, byOperator, byServer } from '../../../src/audit/doer.ts';
import { removeContent } from '../../../src/community/moderation.ts';
import { write } from '../../../src/community/writing.ts';
import { setBio } from '../../../src/identity/bio.ts';
import { MINUTE } from '../../../src/lib/clock.ts';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { metaOf, thingOf, thingsOf } from '../../support/head.ts';
import { member, notebook, person, publish, setStatus } from '../../support/people.ts';
import { authorizationRequest } from '../../support/relying-party.ts';

const app = await openApp();
after(() => app.close());
const { portico } = app;
const olivia = await member(app, 'olivia', { isOperator: true });
const bob = await member(app, 'bob', { bio: 'Bakes bread. 烤面包。' });
const visitor = new Browser(app.url);

const ATTACKS = [
  '</script><script>alert(1)</script>',
  '<!--<script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</title><svg onload=alert(1)>',
  '\\u003c/script> \\" \\\\',
  '&lt;i&gt; &quot; &amp;quot;',
  ']]> %s {search_term_string}',
];

describe('A post', () => {
  test('says its title, beginning, author, moments and address', async () => {
    const id = await publish(portico, bob, 'Rye & wheat', 'Two days of *patience*.\n\n# Then\n\nBake.');
    const page = await visitor.read(`/posts/${id}`);
    const url = `${app.url}/posts/${id}/rye-wheat`;
    const moment = new Date(app.clock.now).toISOString();
    const { excerpt } = (await portico.community.reads.findPost(id)) ?? {};

    const meta = metaOf(page);
    assert.deepEqual(
      [...meta].filter(([name]) => /^(description|author|twitter|article|og:(?!image))/.test(name)),
      [
        ['description', excerpt],
        ['og:title', 'Rye & wheat'],
        ['og:type', 'article'],
        ['og:url', url],
        ['og:site_name', 'Portico'],
        ['og:locale', 'en_GB'],
        ['og:description', excerpt],
        ['article:published_time', moment],
        ['article:modified_time', moment],
        ['article:author', `${app.url}/u/bob`],
        ['author', 'bob'],
        ['twitter:card', meta.get('twitter:card')],
      ],
    );
    assert.match(excerpt ?? '', /^Two days of patience\./);
    assert.ok(page.includes(`<link rel="canonical" href="${url}">`));
    const { headline, datePublished, author, articleSection } = thingOf(page, 'BlogPosting');
    assert.deepEqual(
      [headline, datePublished, author, articleSection],
      ['Rye & wheat', moment, { '@type': 'Person', name: 'bob', url: `${app.url}/u/bob` }, 'General'],
    );
    const { itemListElement } = thingOf(page, 'BreadcrumbList') as { itemListElement: object[] };
    assert.deepEqual(
      itemListElement.map((step) => Object.values(step).slice(1)),
      [
        [1, 'Portico', `${app.url}/`],
        [2, 'General', `${app.url}/categories/general`],
        [3, 'Rye & wheat', url],
      ],
    );
  });

  test('is never said to have changed before it was published', async () => {
    const text = { title: 'Slow', body: 'Words.', categoryId: 1 };
    const by = byMember(bob, portico.clock);
    const draft = await write(by, portico.community, { authorId: bob.id, text, status: 'draft' });
    assert.ok('id' in draft);
    app.clock.advance(MINUTE);
    const page = await bob.browser.read(`/posts/${draft.id}`);
    await bob.browser.submit(page, `/posts/${draft.id}/publish`);

    const meta = metaOf(await visitor.read(`/posts/${draft.id}`));

    assert.equal(meta.get('article:published_time'), new Date(app.clock.now).toISOString());
    assert.ok((meta.get('article:modified_time') ?? '') >= (meta.get('article:published_time') ?? 'z'));
  });
});

test('A member’s page says the name and the bio', async () => {
  const page = await visitor.read('/u/bob');
  const meta = metaOf(page);

  assert.deepEqual(
    ['og:type', 'og:title', 'profile:username', 'description', 'og:description'].map((name) =>
      meta.get(name),
    ),
    ['profile', 'bob', 'bob', 'Bakes bread. 烤面包。', 'Bakes bread. 烤面包。'],
  );
  const { mainEntity } = thingOf(page, 'ProfilePage') as { mainEntity: Record<string, unknown> };
  assert.deepEqual(
    [mainEntity['@type'], mainEntity.name, mainEntity.url, mainEntity.description],
    ['Person', 'bob', `${app.url}/u/bob`, 'Bakes bread. 烤面包。'],
  );
});

test('The home page says the community’s name and sentence, and where to search', async () => {
  const set = await olivia.browser.read('/operator/settings');
  await olivia.browser.submit(set, '/operator/settings', { sentence: 'We bake “slowly”. 慢慢烤。' });
  const page = await visitor.read('/');
  const meta = metaOf(page);

  assert.deepEqual(
    [meta.get('og:type'), meta.get('og:title'), meta.get('description')],
    ['website', 'Portico', 'We bake “slowly”. 慢慢烤。'],
  );
  const { potentialAction, name } = thingOf(page, 'WebSite') as Record<string, { target?: object }>;
  assert.deepEqual(
    [name, potentialAction?.target],
    ['Portico', { '@type': 'EntryPoint', urlTemplate: `${app.url}/search?q={search_term_string}` }],
  );
});

test('Each page has the colour of its paper, in light and in dark', async () => {
  for (const path of ['/', '/login', '/settings/profile']) {
    const page = await bob.browser.read(path);
    assert.match(page, /"theme-color" media="\(prefers-color-scheme: light\)" content="#fbf8f3"/, path);
    assert.match(page, /"theme-color" media="\(prefers-color-scheme: dark\)" content="#171614"/, path);
  }
});

describe('Titles, texts, names and sentences are only text:', () => {
  for (const attack of ATTACKS) {
    test(attack, async () => {
      const id = await publish(portico, bob, attack, `\`${attack}\``);
      assert.equal(await setBio(byMember(bob, portico.clock), portico.identity, attack), undefined);
      await portico.site.writes.saveSettings(byServer(portico.clock), { name: attack, sentence: attack });

      const [post, profile, home] = await Promise.all(
        [`/posts/${id}`, '/u/bob', '/'].map((path) => visitor.read(path)),
      );

      const [ofPost, ofProfile, ofHome] = [post, profile, home].map((page = '') => metaOf(page));
      assert.equal(ofPost?.get('og:title'), attack);
      assert.equal(ofPost?.get('og:site_name'), attack);
      assert.equal(ofProfile?.get('description'), attack);
      assert.deepEqual([ofHome?.get('og:title'), ofHome?.get('og:description')], [attack, attack]);
      assert.equal(thingOf(post ?? '', 'BlogPosting').headline, attack);
      assert.equal(thingOf(home ?? '', 'WebSite').description, attack);
      for (const page of [post, profile, home]) {
        const [, data = ''] =
          /<script type="application\/ld\+json">([\s\S]*?)<\/script>/.exec(page ?? '') ?? [];
        assert.doesNotMatch(data, /[<>&]/);
      }
      await portico.site.writes.saveSettings(byServer(portico.clock), { name: 'Portico', sentence: '' });
    });
  }
});

describe('Search engines are asked to leave out, and previews learn nothing of', () => {
  const assertPrivate = async (browser: Browser, path: string, status = 200) => {
    const answer = await browser.open(path);
    const page = await answer.text();
    assert.equal(answer.status, status, path);
    const names = [...metaOf(page).keys()].filter((name) => !/^(viewport|theme-color)$/.test(name));
    assert.deepEqual([names, thingsOf(page)], [['robots'], []], path);
    assert.equal(metaOf(page).get('robots'), 'noindex');
    assert.doesNotMatch(page, /rel="canonical"/);
  };

  test('pages for one visitor, searches, forms, later pages of lists and pages that are not there', async () => {
    const client = await notebook(portico);
    for (const path of [
      '/login',
      '/signup',
      '/search?q=rye',
      '/?before=1-1',
      '/popular?before=1-1',
      '/status',
    ]) {
      await assertPrivate(visitor, path);
    }
    for (const path of ['/categories/general?before=1-1', '/u/bob?page=2'])
      await assertPrivate(visitor, path);
    for (const path of ['/settings/profile', '/write', '/drafts', '/notifications']) {
      await assertPrivate(bob.browser, path);
    }
    await assertPrivate(bob.browser, `/oauth/authorize?${authorizationRequest(client)}`);
    for (const path of ['/operator', '/operator/settings']) await assertPrivate(olivia.browser, path);
    for (const path of ['/nothing-here', '/posts/99999', '/u/nobody-here']) {
      await assertPrivate(visitor, path, 404);
    }
  });

  test('a form that was refused', async () => {
    const form = '/credentials/revoke';
    const refused = await visitor.submit(await visitor.read(form), form, { credentials: '' });
    const page = await refused.text();

    assert.equal(refused.status, 400);
    assert.equal(metaOf(page).get('robots'), 'noindex');
    assert.equal(metaOf(await visitor.read(form)).get('robots'), undefined);
  });

  test('drafts, removed posts, and members who are suspended or gone', async () => {
    const by = byMember(bob, portico.clock);
    const text = { title: 'Half a thought', body: 'Secret.', categoryId: 1 };
    const draft = await write(by, portico.community, { authorId: bob.id, text, status: 'draft' });
    assert.ok('id' in draft);
    const removed = await publish(portico, bob, 'Gone', 'Words.');
    const subject = { postId: removed, commentId: undefined };
    await removeContent(byOperator(olivia, portico.clock), portico.community, subject, 'Spam');
    const mallory = await person(portico, 'mallory', 'Buy here.');
    await setStatus(portico.identity, mallory.id, 'suspended');

    await assertPrivate(bob.browser, `/posts/${draft.id}`);
    await assertPrivate(visitor, `/posts/${draft.id}`, 404);
    await assertPrivate(olivia.browser, `/posts/${removed}`);
    await assertPrivate(visitor, '/u/mallory');
    await setStatus(portico.identity, mallory.id, 'closed');
    await assertPrivate(visitor, '/u/mallory', 404);
  });

  test('a community that only its members can read', async () => {
    const id = await publish(portico, bob, 'Our secret', 'Words.');
    await portico.site.writes.saveSettings(byServer(portico.clock), { reading: 'members' });
    for (const path of ['/', `/posts/${id}`, '/u/bob', '/help']) await assertPrivate(bob.browser, path);
    await assertPrivate(visitor, '/help');
    await portico.site.writes.saveSettings(byServer(portico.clock), { reading: 'everyone' });
  });
});
