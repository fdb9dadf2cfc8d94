// Normal forms: as Unicode has them, and in linear time whatever a visitor sends.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { wordsOfPost } from '../../src/community/search.ts';
import { slugOfTitle } from '../../src/community/slug.ts';
import { emailKeyOf } from '../../src/identity/email-address.ts';
import { usernameKey } from '../../src/identity/username.ts';
import { normalForm } from '../../src/lib/normal-form.ts';

test('An ordinary text has the normal form of Unicode', () => {
  for (const text of ['é', 'e\u0301', 'ﬁ', '각', 'ﾊﾟ', 'नि', `a${'\u0301\u0316'.repeat(32)}`]) {
    assert.equal(normalForm(text, 'NFKC'), text.normalize('NFKC'));
    assert.equal(normalForm(text, 'NFKD'), text.normalize('NFKD'));
  }
});

test('Only the first 64 of a run of combining marks are kept', () => {
  assert.equal(normalForm(`a${'\u0316'.repeat(1_000)}b`, 'NFC'), `a${'\u0316'.repeat(64)}b`);
});

describe('A megabyte of combining marks is read quickly', () => {
  for (const marks of ['\u0301\u0316', '\u0f71\u0f72', '\uFF9E\u0316', '\u0344\u0316', 'a\u0301\u0316']) {
    for (const read of [usernameKey, emailKeyOf, slugOfTitle, (text: string) => wordsOfPost('', text)]) {
      test(`${JSON.stringify(marks)}, ${read.name || 'words'}`, () => {
        const began = process.cpuUsage();

        read(marks.repeat(500_000 / marks.length));

        assert.ok(process.cpuUsage(began).user < 5_000_000);
      });
    }
  }
});
