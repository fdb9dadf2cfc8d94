// The words by which a text is found, and what a search asks for.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { phrasesOf, searchWords } from '../../src/lib/words.ts';

describe('the words of a text', () => {
  test('are in lower case, without what stands between them', () => {
    assert.equal(searchWords('Bread, **Rye** & _Salt_!'), 'bread rye salt');
  });

  test('of scripts without spaces each character stands alone', () => {
    assert.equal(searchWords('今天烤黑麦面包 rye面包'), '今 天 烤 黑 麦 面 包 rye 面 包');
  });

  test('accents are left out, and the marks of other scripts are not', () => {
    assert.equal(searchWords('Café Ёж 한국 हिन्दी'), 'cafe еж 한국 हिन्दी');
  });

  test('compatibility forms are one word', () => {
    assert.equal(searchWords('Ｒｙｅ'), 'rye');
  });

  test('a text without words has none', () => {
    assert.equal(searchWords('… — !'), '');
    assert.deepEqual(phrasesOf('"'), []);
  });
});

test('what is asked for is found as the row of words that it was written as', () => {
  assert.deepEqual(phrasesOf('Rye 面包'), [['rye'], ['面', '包']]);
});
