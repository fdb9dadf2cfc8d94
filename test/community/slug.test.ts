// The readable part of a post’s address.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slugOfTitle } from '../../src/community/slug.ts';
import { heapAtRest } from '../support/heap.ts';

const LENGTH = 200_000;

const SLUGS: [title: string, slug: string][] = [
  ['On arches', 'on-arches'],
  ['  What’s new in Bob\'s "shop"? ', 'whats-new-in-bobs-shop'],
  ['拱门的历史：第一部分', '拱门的历史-第一部分'],
  ['Ｆｕｌｌ ＷＩＤＴＨ ½', 'full-width-1-2'],
  ['../../etc/passwd?x=1#y', 'etc-passwd-x-1-y'],
  ['<script>alert(1)</script>', 'script-alert-1-script'],
  ['!!! 🙂', ''],
  [
    'A title that is much longer than any address needs to be for people',
    'a-title-that-is-much-longer-than-any-address-needs-to-be-for',
  ],
  [`${'x'.repeat(70)} y`, 'x'.repeat(60)],
  ['𝒳'.repeat(3), 'xxx'],
];

for (const [title, slug] of SLUGS) {
  test(`the title "${title.slice(0, 30)}" has the slug "${slug.slice(0, 30)}"`, () => {
    assert.equal(slugOfTitle(title), slug);
  });
}

test('titles that were typed with many spaces, or cut from long texts, take no memory', () => {
  const before = heapAtRest();

  for (let number = 0; number < 200; number += 1) {
    const typed = `漢 ${number}${' '.repeat(LENGTH)}`;
    assert.equal(slugOfTitle(typed), `漢-${number}`);
    const text = `A heading that is cut from a long text: ${number}, ${'漢'.repeat(LENGTH)}`;
    slugOfTitle(text.slice(0, 40 + String(number).length));
  }

  assert.ok(heapAtRest() - before < 20 * LENGTH);
});
