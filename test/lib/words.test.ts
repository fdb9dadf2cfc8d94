// The words that the search finds a text by, and the phrases of a query.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { phrasesOf, placedWords, searchWords, wordForms } from '../../src/lib/words.ts';

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

test('each word of a text has the form that it has in a query', () => {
  const signsFrom = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)).join('');
  const signs = [
    signsFrom(0x3041, 0x3096),
    signsFrom(0x30a1, 0x30fa),
    signsFrom(0x3400, 0x4dbf),
    signsFrom(0x4e00, 0x9fff),
    signsFrom(0x20000, 0x2a6df),
    signsFrom(0xf900, 0xfa6d),
    signsFrom(0xe01, 0xe30),
    signsFrom(0xe40, 0xe46),
    signsFrom(0xac00, 0xd7a3),
    signsFrom(0x5d0, 0x5ea),
    signsFrom(0x621, 0x64a),
    signsFrom(0x430, 0x44f),
  ];
  const text = `Rye ＲＹＥ café ガ か\u3099 한국 ${signs.join(' ')}`;

  const words = [...placedWords(text, wordForms(200_000))].map(({ word }) => word);

  assert.equal(words.join(' '), phrasesOf(text).flat().join(' '));
  assert.ok(words.length > 70_000);
});

test('words whose form is made are read up to a bound, those that are known further', () => {
  const forms = wordForms(30);
  const read = (text: string) => [...placedWords(text, forms)].map(({ word }) => word);

  assert.deepEqual(read('Élan rye élan 한국 éclairs Élan égal étage rye été rye'), [
    ...['elan', 'rye', 'elan', '한국', 'eclairs', 'elan', 'egal', 'etage', 'rye'],
  ]);
  assert.deepEqual(read('élan rye Été'), ['elan', 'rye']);
});
