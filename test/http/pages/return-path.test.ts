// The path that a visitor returns to, and the languages that are asked for on the way.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { localPath } from '../../../src/http/pages/form-page.ts';
import { chooseLanguage } from '../../../src/http/pages/language.ts';

test('A path is kept if a request for it could be read: up to 16 kB', () => {
  const longest = `/oauth/authorize?state=${'x'.repeat(16 * 1024 - 23)}`;

  assert.equal(localPath(longest), longest);
  assert.equal(localPath(`${longest}x`), '/');
});

test('Languages are chosen from the first 1,000 characters of a list', () => {
  assert.equal(chooseLanguage(undefined, `${'fr,'.repeat(300)}zh`), 'zh');
  assert.equal(chooseLanguage(undefined, `${'fr,'.repeat(400)}zh`), 'en');
});
