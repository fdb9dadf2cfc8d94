// The names of tags.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fittingTags, problemWithTags, storedTags, tagNamed, tagsIn } from '../../src/community/tag.ts';
import { millisecondsOf } from '../support/processor-time.ts';

const namesOf = (text: string) => tagsIn({ tags: storedTags(text) });

test('tags are separated by commas of any script, in the order in which they were typed', () => {
  assert.deepEqual(namesOf('Bread, bicycles，面包、自行车；雨，'), [
    'bread',
    'bicycles',
    '面包',
    '自行车',
    '雨',
  ]);
  assert.deepEqual(namesOf(' , '), []);
  assert.equal(storedTags(''), '[]');
});

test('however a tag is spelled, it has one name', () => {
  assert.deepEqual(namesOf('New York, #new-york, ＮＥＷ＿ＹＯＲＫ, new  - york'), ['new-york']);
  assert.deepEqual(namesOf('Café, Cafe\u0301'), ['café']);
  assert.deepEqual(namesOf('می\u200cخواهم'), ['میخواهم']);
  assert.equal(tagNamed('#Brot'), 'brot');
  assert.equal(tagNamed('a,b'), undefined);
  assert.equal(tagNamed(''), undefined);
});

test('a post has at most 5 tags of at most 30 characters', () => {
  assert.equal(problemWithTags('a,b,c,d,e'), undefined);
  assert.equal(problemWithTags('a,b,c,d,e,E'), undefined);
  assert.equal(problemWithTags('a,b,c,d,e,f'), 'too_many');
  assert.equal(problemWithTags('面'.repeat(30)), undefined);
  assert.equal(problemWithTags('面'.repeat(31)), 'too_long');
  assert.equal(problemWithTags('𠮷'.repeat(30)), undefined);
});

test('a text that is far too long is refused unread', () => {
  const long = '\uFDFA'.repeat(16_000);

  const took = millisecondsOf(() => {
    for (let round = 0; round < 20; round += 1) assert.equal(problemWithTags(long), 'too_long');
    assert.equal(tagNamed(long), undefined);
  });

  assert.ok(took < 50, `${took} ms`);
  assert.equal(problemWithTags(Array.from({ length: 5 }, () => '𠀀'.repeat(30)).join(' , ')), undefined);
});

test('a tag has letters, digits and hyphens, and nothing that changes or hides the text beside it', () => {
  for (const name of ['ipv6', 'हिन्दी', 'ไทย', 'العربية', '2027', 'c-sharp'])
    assert.equal(problemWithTags(name), undefined, name);
  for (const name of [
    'c++',
    '<script>',
    '"',
    '/',
    'a\u202eb',
    'a\u2066b',
    'a\u00adb',
    'a\u0000b',
    '\u0301a',
    'a\ufe0f',
    '\u3164',
    '\u115f',
    '\u{e0041}',
    'a\ud800',
    '😀',
  ]) {
    assert.equal(problemWithTags(name), 'invalid', JSON.stringify(name));
  }
});

test('tags from elsewhere are changed to fit, and those that can not are left out', () => {
  const names = ['C++', 'New York', '😀', 'x'.repeat(31), 'c', 'Brot & Wein', 'three', 'four', 'five'];

  assert.equal(fittingTags(names), 'c, new-york, brot-wein, three, four');
});
