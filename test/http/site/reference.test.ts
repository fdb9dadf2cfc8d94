// The reference of the API, which is made from the OpenAPI document.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { openApp } from '../../support/app.ts';
import { Browser, decodeEntities } from '../../support/browser.ts';
import { browserOf, notebook, person } from '../../support/people.ts';
import { answerConsent, askToken, authorizationRequest } from '../../support/relying-party.ts';

interface Described {
  [name: string]: unknown;
  description?: string;
  summary?: string;
}

const app = await openApp();
after(() => app.close());
await person(app.portico, 'alice');
const document = (await (await fetch(`${app.url}/api/open/v1/openapi.json`)).json()) as {
  paths: Record<string, Record<'get' | 'post', { operationId: string; responses: object }>>;
  components: {
    schemas: Record<string, { properties: object }>;
    headers: Record<string, { description: string }>;
  };
};
const operations = Object.values(document.paths).map(({ get, post }) => get ?? post);
const english = await new Browser(app.url).read('/docs/reference');

test('It has every endpoint, every field of the answers, and a link to the page of every error', () => {
  for (const { operationId } of operations) assert.ok(english.includes(`id="${operationId}"`), operationId);
  const { Problem, OAuthError, ...answers } = document.components.schemas;
  assert.ok(Problem && OAuthError);
  for (const { properties } of Object.values(answers)) {
    for (const name of Object.keys(properties))
      assert.match(english, new RegExp(`<code>([\\w.[\\]]+\\.)?${name}</code>`));
  }
  const errors = JSON.stringify(operations).matchAll(/docs\/errors\/(\w+)/g);
  for (const [, code = ''] of errors) assert.ok(english.includes(`href="/docs/errors/${code}"`), code);
  assert.ok(english.includes('href="/docs/errors/redirect_uri_unregistered"'));
});

test('Each endpoint names its headers, whose meanings are on the page once', () => {
  const { headers } = document.components;
  for (const [name, { description }] of Object.entries(headers)) {
    const id = `header-${name.toLowerCase()}`;
    assert.equal(english.split(`id="${id}"`).length, 2, name);
    assert.ok(english.includes(`<a href="#${id}"><code>${name}</code></a>`), name);
    const [beginning = ''] = description.split('`');
    assert.equal(english.split(beginning).length, 2, name);
  }
});

test('An answer with the same fields as an earlier one leads to that', () => {
  const same = /<section class="card endpoint" id="getServerMetadata">[\s\S]*?<\/section>/.exec(english)?.[0];

  assert.match(same ?? '', /The same fields as <a href="#getConfiguration"><code>[^<]+openid-configuration</);
  assert.equal(english.split('<code>issuer</code>').length, 2);
});

function descriptionsIn(thing: unknown): string[] {
  if (typeof thing !== 'object' || thing === null) return [];
  const { description, summary, ...others } = thing as Described;
  const own = [description, summary].filter((text) => typeof text === 'string');
  return [...own, ...Object.values(others).flatMap(descriptionsIn)];
}

test('None of its descriptions stays English on the Chinese page', async () => {
  const plain = (page: string) => decodeEntities(page.replaceAll(/<\/?code>/g, '')).replaceAll(/\s+/g, ' ');
  const [shown, chinese] = [plain(english), plain(await new Browser(app.url, 'zh').read('/docs/reference'))];
  const descriptions = new Set(descriptionsIn(document).map((text) => text.replaceAll('`', '')));
  const onThePage = [...descriptions].filter((text) => text.includes(' ') && shown.includes(text));

  assert.ok(onThePage.length > 130);
  assert.deepEqual(
    onThePage.filter((text) => chinese.includes(text)),
    [],
  );
});

test('Each command on it can be copied and works', async () => {
  const client = await notebook(app.portico);
  const request = authorizationRequest(client, { scope: 'openid profile:read posts:read', nonce: 'n' });
  const callback = await answerConsent(await browserOf(app, 'alice'), request);
  const code = callback.searchParams.get('code') ?? '';
  const fields = { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri };
  const { access_token: TOKEN } = (await (await askToken(app, client, fields)).json()) as Record<
    string,
    string
  >;
  const commands = [...english.matchAll(/<pre tabindex="0" aria-label="curl">([^<]*)<\/pre>/g)];

  assert.ok(commands.length > 9);
  for (const [, command = ''] of commands) {
    const env = { ...process.env, TOKEN };
    const { stdout } = await promisify(execFile)('sh', ['-c', `${decodeEntities(command)} -s`], { env });
    assert.match(stdout, /^HTTP\/1\.1 200 /, command);
  }
});

test('The search finds its fields, and leads to the endpoint', async () => {
  const page = await new Browser(app.url).read('/docs/search?q=viewCount');

  assert.match(page, /href="\/docs\/reference#getPosts"/);
  assert.match(
    await new Browser(app.url, 'zh').read('/docs/search?q=点赞数'),
    /href="\/docs\/reference#getPosts"/,
  );
});
