// OpenID Connect Core with contract §3: requests by GET and POST, response modes, and refused request objects.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { Browser, formIn } from '../support/browser.ts';
import { openIdRequest } from '../support/openid.ts';
import {
  app,
  assertCode,
  authorize,
  browser,
  client,
  errorOf,
  openFixture,
  redirectTarget,
} from './openid-fixture.ts';

before(openFixture);
after(() => app.close());

describe('response_mode:', () => {
  test('query is the default', async () => {
    const [named, unnamed] = [await authorize({ response_mode: 'query' }), await authorize({})];

    for (const answer of [named, unnamed]) {
      assertCode(answer);
      assert.equal(redirectTarget(answer).hash, '');
    }
  });

  test('form_post sends the whole response in a form to the callback', async () => {
    const answer = await authorize({ response_mode: 'form_post', state: 'a"b<c&d' });
    const page = await answer.text();
    const fields = new Map(formIn(page, client.redirectUri));

    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('location'), null);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.match(
      answer.headers.get('content-security-policy') ?? '',
      /script-src 'self'; form-action 'self' https:;/,
    );
    assert.deepEqual([...fields.keys()], ['code', 'state', 'iss']);
    assert.match(fields.get('code') ?? '', /^svcc_/);
    assert.equal(fields.get('state'), 'a"b<c&d');
    assert.equal(fields.get('iss'), app.url);
    assert.match(page, /<button class="primary">Continue<\/button>/);
  });

  test('form_post sends errors as well', async () => {
    const answer = await authorize({ response_mode: 'form_post', scope: 'wallet' });

    const fields = new Map(formIn(await answer.text(), client.redirectUri));

    assert.equal(fields.get('error'), 'invalid_scope');
    assert.equal(fields.get('iss'), app.url);
    assert.equal(fields.has('code'), false);
  });

  for (const mode of ['fragment', 'web_message', 'query.jwt', 'FORM_POST']) {
    test(`another is invalid_request, with the error in the query: ${mode}`, async () => {
      const answer = await authorize({ response_mode: mode });

      assert.equal(errorOf(answer), 'invalid_request');
      assert.equal(redirectTarget(answer).hash, '');
    });
  }
});

describe('An authorization request by POST', () => {
  test('works like one by GET', async () => {
    const answer = await browser.post('/oauth/authorize', openIdRequest(client, { prompt: 'none' }));

    assertCode(answer);
  });

  // The cookie is Lax: a browser doesn't send it with a POST from another site, but does with a GET.
  test('from an application’s page, which a browser sends without the cookie, finds the session nevertheless', async () => {
    const withoutCookie = await new Browser(app.url).post(
      '/oauth/authorize',
      openIdRequest(client, { prompt: 'none' }),
    );

    const next = redirectTarget(withoutCookie);

    assert.equal(next.pathname, '/oauth/authorize');
    assertCode(await browser.open(next.pathname + next.search));
  });
});

test('request, request_uri and registration are each refused with their own error, and nothing is fetched.', async () => {
  let fetched = 0;
  const listener = createServer((_, answer) => {
    fetched += 1;
    answer.end('{}');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => listener.once('listening', resolve));
  const trap = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/request`;

  const errors = [
    errorOf(await authorize({ request: 'eyJhbGciOiJub25lIn0.e30.' })),
    errorOf(await authorize({ request_uri: trap })),
    errorOf(await authorize({ registration: JSON.stringify({ jwks_uri: trap, logo_uri: trap }) })),
    errorOf(await authorize({ id_token_hint: `eyJ.${trap}`, prompt: 'none' })),
  ];
  listener.close();

  assert.deepEqual(errors, [
    'request_not_supported',
    'request_uri_not_supported',
    'registration_not_supported',
    'login_required',
  ]);
  assert.equal(fetched, 0);
});
