// OpenID Connect Core with contract §6: what userinfo returns, and to which tokens.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { decodeJwt } from 'jose';
import { byServer } from '../../src/audit/doer.ts';
import { HOUR } from '../../src/lib/clock.ts';
import { json } from '../support/json.ts';
import { openIdTokens } from '../support/openid.ts';
import { browserOf, person } from '../support/people.ts';
import { postForm, signInWith } from '../support/relying-party.ts';
import { addPersonalToken } from '../support/seeding.ts';
import { alice, app, browser, client, mallory, openFixture } from './openid-fixture.ts';

before(openFixture);
after(() => app.close());

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

describe('Userinfo', () => {
  const userinfo = (init: RequestInit = {}, query = '') =>
    fetch(`${app.url}/api/oauth/userinfo${query}`, init);
  const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

  test('returns the sub of the id_token, by GET and POST', async () => {
    const tokens = await openIdTokens(app, client, browser);
    const token = tokens.access_token;

    const answers = [
      await userinfo(bearer(token)),
      await userinfo({ ...bearer(token), method: 'POST' }),
      await postForm(app, '/api/oauth/userinfo', { access_token: token }),
    ];

    for (const answer of answers) {
      assert.equal(answer.status, 200);
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      assert.deepEqual(await answer.json(), { sub: decodeJwt(tokens.id_token ?? '').sub });
    }
  });

  test('adds the claims of profile:read with that scope only, never an email address, and nothing empty', async () => {
    const { access_token: token } = await openIdTokens(app, client, browser, {
      scope: 'openid profile:read posts:read',
    });

    assert.deepEqual(await json(await userinfo(bearer(token))), {
      sub: String(alice.id),
      preferred_username: 'alice',
      picture: `${app.url}/avatars/${alice.id}.svg`,
      profile: `${app.url}/u/alice`,
    });
  });

  test('requires the scope openid: 403 with insufficient_scope, also for a personal token', async () => {
    const { access_token: token } = await signInWith(app, client, 'alice', 'profile:read');
    const { text: personal } = await addPersonalToken(app.portico, mallory.id);

    for (const text of [token, personal]) {
      const answer = await userinfo(bearer(text));
      assert.equal(answer.status, 403);
      assert.match(
        answer.headers.get('www-authenticate') ?? '',
        /^Bearer realm="[^"]*", error="insufficient_scope", error_description="[^"]*", scope="openid"$/,
      );
      assert.equal((await json(answer)).error_uri, `${app.url}/docs/errors/insufficient_scope`);
    }
  });

  test('without a valid token is 401 with a challenge, which names an error only if a token was sent', async () => {
    const [none, wrong] = [await userinfo(), await userinfo(bearer('svco_nothing'))];

    assert.deepEqual([none.status, wrong.status], [401, 401]);
    assert.equal(none.headers.get('www-authenticate'), `Bearer realm="${app.url}"`);
    assert.match(wrong.headers.get('www-authenticate') ?? '', /error="invalid_token"/);
  });

  test('accepts a token in the header or the form, not in both, and never in the address', async () => {
    const { access_token: token } = await openIdTokens(app, client, browser);
    const form = new URLSearchParams({ access_token: token });

    const inAddress = await userinfo({}, `?access_token=${token}`);
    const inBoth = await userinfo({ ...bearer(token), method: 'POST', body: form });
    const twice = await userinfo({ method: 'POST', body: `${form}&${form}`, headers: FORM });

    assert.equal(inAddress.status, 401);
    assert.equal(inBoth.status, 400);
    assert.equal(twice.status, 400);
    assert.equal((await json(inBoth)).error, 'invalid_request');
  });

  test('a form that is too large is invalid_request', async () => {
    const answer = await userinfo({
      method: 'POST',
      headers: FORM,
      body: `access_token=${'x'.repeat(20_000)}`,
    });

    assert.equal(answer.status, 413);
    assert.equal((await json(answer)).error, 'invalid_request');
  });

  test('is refused when the token has expired or the account is suspended', async () => {
    const erin = await person(app.portico, 'erin');
    const { access_token: token } = await openIdTokens(app, client, await browserOf(app, 'erin'));

    await app.portico.identity.writes.setStatus(byServer(app.portico.clock), erin.id, 'suspended');
    const suspended = await userinfo(bearer(token));
    await app.portico.identity.writes.setStatus(byServer(app.portico.clock), erin.id, 'active');
    app.clock.advance(HOUR);
    const expired = await userinfo(bearer(token));

    assert.deepEqual([suspended.status, expired.status], [401, 401]);
  });

  test('can be called from any origin, and allows no other method', async () => {
    const preflight = await userinfo({ method: 'OPTIONS' });
    const refused = await userinfo();
    const put = await userinfo({ method: 'PUT' });

    for (const answer of [preflight, refused, put]) {
      assert.equal(answer.headers.get('access-control-allow-origin'), '*');
      assert.equal(answer.headers.get('set-cookie'), null);
    }
    assert.equal(preflight.status, 204);
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /Authorization/);
    assert.equal(put.status, 405);
    assert.equal(put.headers.get('allow'), 'GET, POST');
  });
});
