// Spec §4.2, §5.2 with contract §4: how an application authenticates at POST /api/oauth/token.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { byServer } from '../../src/audit/doer.ts';
import { rotateClientSecret } from '../../src/oauth/client.ts';
import { deactivateClient } from '../../src/oauth/client-status.ts';
import { json } from '../support/json.ts';
import { notebook } from '../support/people.ts';
import { askToken, callApi, postForm, signInWith } from '../support/relying-party.ts';
import {
  app,
  assertError,
  basic,
  client,
  exchange,
  openFixture,
  phone,
  post,
  TOKEN,
} from './token-fixture.ts';

before(openFixture);
after(() => app.close());

describe('invalid_client: Client authentication failed. All failures get the same response, and change nothing:', () => {
  async function assertRefused(credentials: Record<string, string>): Promise<void> {
    const fields = await exchange();
    const answer = await postForm(app, TOKEN, { ...fields, ...credentials });

    assert.equal(answer.headers.get('www-authenticate'), null);
    const body = await json(answer.clone());
    assert.equal(
      body.error_description,
      'The client_id is not known or not active, or the client_secret is missing or wrong.',
    );
    await assertError(answer, 401, 'invalid_client');
    assert.equal((await askToken(app, client, fields)).status, 200, 'the code is unharmed');
  }

  test('unknown application', () => assertRefused({ client_id: 'app_nobody', client_secret: client.secret }));
  test('wrong secret', () => {
    const last = client.secret.endsWith('x') ? 'y' : 'x';
    return assertRefused({ client_id: client.id, client_secret: `${client.secret.slice(0, -1)}${last}` });
  });
  test('missing secret of a confidential application', () => assertRefused({ client_id: client.id }));
  test('empty secret of a confidential application', () =>
    assertRefused({ client_id: client.id, client_secret: '' }));
  test('secret of another application', async () => {
    const other = await notebook(app.portico);
    await assertRefused({ client_id: client.id, client_secret: other.secret });
  });
  test('secret sent for a public application', () =>
    assertRefused({ client_id: phone.id, client_secret: client.secret }));

  test('rotated secret', async () => {
    const rotated = await notebook(app.portico);
    const next = await rotateClientSecret(byServer(app.portico.clock), app.portico.oauth, rotated.id);
    const fields = await exchange(rotated);

    await assertError(await askToken(app, rotated, fields), 401, 'invalid_client');
    assert.equal((await askToken(app, { ...rotated, secret: next ?? '' }, fields)).status, 200);
  });

  test('application deactivated', async () => {
    const gone = await notebook(app.portico);
    const tokens = await signInWith(app, gone, 'alice');
    const fields = await exchange(gone);
    await deactivateClient(byServer(app.portico.clock), app.portico.oauth, gone.id);

    await assertError(await askToken(app, gone, fields), 401, 'invalid_client');
    await assertError(
      await askToken(app, gone, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }),
      401,
      'invalid_client',
    );
    assert.equal((await callApi(app, '/', tokens.access_token)).status, 401);
  });
});

describe('HTTP Basic authenticates as well', () => {
  test('with client_id in the body or without', async () => {
    for (const more of [{}, { client_id: client.id }]) {
      const answer = await post(
        new URLSearchParams({ ...(await exchange()), ...more }),
        basic(client.id, client.secret),
      );

      assert.equal(answer.status, 200);
    }
  });

  test('and only its failure is answered with a challenge', async () => {
    const answer = await post(new URLSearchParams(await exchange()), basic(client.id, 'wrong'));

    assert.match(answer.headers.get('www-authenticate') ?? '', /^Basic realm="/);
    await assertError(answer, 401, 'invalid_client');
  });

  for (const [name, header] of Object.entries({
    'no colon': `Basic ${Buffer.from('nocolon').toString('base64')}`,
    'not Base64': 'Basic !!!',
    'bad UTF-8': `Basic ${Buffer.from([0xff, 0x3a, 0xfe]).toString('base64')}`,
    'a bad escape': `Basic ${Buffer.from('%zz:x').toString('base64')}`,
    'another scheme': 'Bearer abc',
  })) {
    test(`malformed (${name}): invalid_client`, async () => {
      await assertError(
        await post(new URLSearchParams(await exchange()), { Authorization: header }),
        401,
        'invalid_client',
      );
    });
  }

  test('both at once, two different ids, two headers or a client assertion: invalid_request', async () => {
    const fields = await exchange();
    const right = basic(client.id, client.secret);

    await assertError(
      await post(new URLSearchParams({ ...fields, client_secret: client.secret }), right),
      400,
      'invalid_request',
    );
    await assertError(
      await post(new URLSearchParams({ ...fields, client_id: phone.id }), right),
      400,
      'invalid_request',
    );
    await assertError(
      await post(new URLSearchParams(fields), {
        Authorization: `${right.Authorization}, ${right.Authorization}`,
      }),
      400,
      'invalid_request',
    );
    await assertError(
      await post(new URLSearchParams({ ...fields, client_assertion: 'x' }), right),
      400,
      'invalid_request',
    );
  });
});

test('A client that is public must use PKCE', async () => {
  const fields = await exchange(phone);

  const tokens = await askToken(app, phone, fields);

  assert.equal(tokens.status, 200);
});
