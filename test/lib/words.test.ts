// The words that the search finds a text by, and the phrases of a query.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { phrasesOf, searchWords } from '../../src/lib/words.ts';

describe('the words of a text', () => {
  test('are in lower case, without punctuation', () => {
    assert.equal(searchWords('Bread, **Rye** & _Salt_!'), 'bread rye salt');
  });

  test('are single characters in scripts without spaces', () => {
    assert.equal(searchWords('今天烤黑麦面包 rye面包'), '今 天 烤 黑 麦 面 包 rye 面 包');
  });

  test('have no accents, but keep the marks of other scripts', () => {
    assert.equal(searchWords('Café Ёж 한국 हिन्दी'), 'cafe еж 한국 हिन्दी');
  });

  test('are the same in all compatibility forms', () => {
    assert.equal(searchWords('Ｒｙｅ'), 'rye');
  });

  test('are missing if the text has only punctuation', () => {
    assert.equal(searchWords('… — !'), '');
    assert.deepEqual(phrasesOf('"'), []);
  });
});

test('each part of a query is searched for as a phrase', () => {
  assert.deepEqual(phrasesOf('Rye 面包'), [['rye'], ['面', '包']]);
});
