// The style sheet, the scripts and the fonts: compressed for browsers that accept it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { EDITOR_SCRIPT, HEADING_FONT, STYLE_PATH, staticFiles } from '../../src/http/static-files.ts';

const app = staticFiles();

function ask(path: string, encodings?: string): Response | Promise<Response> {
  return app.request(path, encodings === undefined ? {} : { headers: { 'Accept-Encoding': encodings } });
}

for (const path of [STYLE_PATH, EDITOR_SCRIPT]) {
  test(`A text is compressed for browsers that accept gzip: ${path}`, async () => {
    const plain = await (await ask(path)).text();
    for (const encodings of ['gzip', 'gzip, deflate, br, zstd', 'br;q=1.0, GZIP;q=0.5', 'deflate,gzip']) {
      const answer = await ask(path, encodings);

      assert.equal(answer.headers.get('content-encoding'), 'gzip', encodings);
      assert.equal(answer.headers.get('vary'), 'Accept-Encoding');
      const bytes = Buffer.from(await answer.arrayBuffer());
      assert.equal(gunzipSync(bytes).toString(), plain);
      assert.ok(bytes.length < plain.length / 2);
    }
  });

  test(`A text is sent as it is to other programs: ${path}`, async () => {
    for (const encodings of [undefined, '', 'identity', 'gzip;q=0', 'br, gzip; q=0.0', 'xgzip']) {
      const answer = await ask(path, encodings);

      assert.equal(answer.headers.get('content-encoding'), null, `${encodings}`);
      assert.equal(answer.headers.get('vary'), 'Accept-Encoding');
    }
  });
}

test('A font, which is compressed already, is sent as it is', async () => {
  const answer = await ask(HEADING_FONT, 'gzip');

  assert.equal(answer.headers.get('content-encoding'), null);
});
