// Cookies with malformed escapes count as missing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Hono } from 'hono';
import { cookieOf } from '../../../src/http/pages/cookie.ts';

const app = new Hono().get('/', (c) => c.json(cookieOf(c, 'view') ?? null));

async function read(cookie?: string): Promise<unknown> {
  return (await app.request('/', cookie === undefined ? undefined : { headers: { cookie } })).json();
}

for (const cookie of ['view=%FF', 'view =%FF', ' view \t=%FF; a=b', 'a=b;view="%E4%BD"']) {
  test(`no value: ${JSON.stringify(cookie)}`, async () => {
    assert.equal(await read(cookie), null);
  });
}

test('without a cookie there is no value', async () => {
  assert.equal(await read(), null);
});

test('the value is decoded, whatever other cookies have', async () => {
  assert.equal(await read('preview=%FF; a=view%FF; view =%E4%BD%A0; b=%'), '你');
});
