// The page on which anyone has tokens revoked that were found in public.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { mintToken } from '../../../src/oauth/token.ts';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';

const PAGE = '/credentials/revoke';
const app = await openApp();
after(() => app.close());

test('The page takes 200 tokens at once, and says so when there are more', async () => {
  const browser = new Browser(app.url);
  const send = async (count: number) => {
    const tokens = Array.from({ length: count }, () => mintToken('access', 'svc', app.clock.now).text);
    return browser.submit(await browser.read(PAGE), PAGE, { credentials: tokens.join('\r\n') });
  };

  assert.equal((await send(200)).status, 303);
  const tooMany = await send(201);
  assert.equal(tooMany.status, 400);
  assert.match(await tooMany.text(), /Paste 1 to 200 tokens/);
});
