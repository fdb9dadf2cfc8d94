// The rules in which this service is stricter than the Foundation's modules, and those that only https can show.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { withoutOpenssl } from '../support/certificates.ts';
import { assertAuthorizationError, assertCode, assertTokens } from './assertions.ts';
import { DEFAULT_VARIANT, ModuleRun, type SuiteClient } from './module-run.ts';
import { openSuite, type Suite } from './suite.ts';

describe('An application without the exception for state and nonce', { skip: withoutOpenssl }, () => {
  let suite: Suite;
  let run: ModuleRun;
  let strict: SuiteClient;

  before(async () => {
    suite = await openSuite();
    run = await ModuleRun.begin(suite, DEFAULT_VARIANT);
    const credentials = await run.register({
      redirectUris: run.client.redirectUris,
      acceptsMissingStateAndNonce: false,
    });
    strict = { ...run.client, ...credentials };
  });
  after(() => suite.close());

  for (const parameter of ['state', 'nonce']) {
    test(`must send ${parameter}.`, async () => {
      const request = run.request({ [parameter]: '' }, strict);

      const landing = await run.visit(request);

      assertAuthorizationError(run, request, landing, ['invalid_request']);
      const description = landing.arrival?.url.searchParams.get('error_description');
      assert.equal(description, `The parameter ${parameter} is missing.`);
    });
  }

  test('needs no nonce without openid.', async () => {
    const request = run.request({ nonce: '', scope: 'posts:read' }, strict);

    const landing = await run.visit(request);

    const { status, body } = await run.redeem(assertCode(run, request, landing), strict);
    assert.equal(status, 200);
    assert.equal(body.id_token, undefined);
  });

  test('can sign a member in if it sends both.', async () => {
    const request = run.request({}, strict);

    const landing = await run.visit(request);

    assertTokens(await run.redeem(assertCode(run, request, landing), strict));
  });
});

describe('At an https address', { skip: withoutOpenssl }, () => {
  let suite: Suite;

  before(async () => {
    suite = await openSuite();
  });
  after(() => suite.close());

  test('cookies are for this host only, and never sent unencrypted.', async () => {
    const answer = await fetch(`${suite.app.url}/login`);

    const cookies = answer.headers.getSetCookie();
    assert.equal(cookies.length, 1);
    for (const cookie of cookies) {
      assert.match(cookie, /^__Host-visitor=/);
      assert.match(cookie, /; Secure/);
      assert.match(cookie, /; Path=\//);
      assert.doesNotMatch(cookie, /; Domain=/i);
    }
  });

  test('browsers are told to stay with https.', async () => {
    const answer = await fetch(suite.app.url);

    assert.match(answer.headers.get('strict-transport-security') ?? '', /^max-age=\d{8};/);
  });
});
