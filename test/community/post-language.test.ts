// The language of a post, and the time that it takes to read.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languageOf, minutesToRead } from '../../src/community/post-language.ts';

for (const [text, language] of [
  ['The dough was left to rise for two days, and that is what makes the crust.', 'en'],
  ['Rye bread', 'en'],
  ['Install Node. Run npm start. Open a browser. Write some words. Press the button.', 'en'],
  ['Hier steht der Text und das ist alles.', 'other'],
  ['今天用 TypeScript 写了一个小工具。', 'zh'],
  ['面包', 'zh'],
  ['今日は良い天気ですね。散歩に行きましょう。', 'other'],
  ['The word 面包 is what they say for bread in the south, and it is not as old as you think.', 'en'],
  ['Der Teig ruht zwei Tage lang im Keller und wird danach noch einmal kräftig geknetet.', 'other'],
  ['Le pain de seigle se conserve plusieurs jours dans un torchon propre et sec.', 'other'],
  ['Füße', 'other'],
  ['Хлеб из ржаной муки', 'other'],
  ['12:30', 'other'],
  ['', 'other'],
] as const) {
  test(`the language of “${text}” is taken for ${language}`, () => {
    assert.equal(languageOf(text), language);
  });
}

test('the time to read is that of 230 words or 390 Chinese signs a minute, and at least a minute', () => {
  assert.equal(minutesToRead('word'), 1);
  assert.equal(minutesToRead('word '.repeat(2300)), 10);
  assert.equal(minutesToRead('面'.repeat(2000)), 5);
  assert.equal(minutesToRead(`${'面'.repeat(400)} ${'word '.repeat(460)}`), 3);
  assert.equal(minutesToRead('https://example.org/a/b/c/d/e/f '.repeat(1000)), 1);
});
