// Spec §4.4 and §8, contract §7: the parameters of GET /me/posts.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type App, openApp } from '../../support/app.ts';
import { person, publish } from '../../support/people.ts';
import { ask, itemsOf, objectOf, tokenOf } from './callers.ts';

let app: App;
let token: string;

before(async () => {
  app = await openApp({ RATE_LIMIT_PER_MINUTE: '1000' });
  const alice = await person(app.portico, 'alice');
  for (let number = 1; number <= 53; number += 1) await publish(app.portico, alice, `Post ${number}`);
  token = await tokenOf(app, alice);
});
after(() => app.close());

const inEffect: [query: string, page: number, size: number, items: number, pages: number][] = [
  ['', 0, 20, 20, 3],
  ['?page=0&size=20', 0, 20, 20, 3],
  ['?page=2', 2, 20, 13, 3],
  ['?page=3', 3, 20, 0, 3],
  ['?size=50', 0, 50, 50, 2],
  ['?size=51', 0, 50, 50, 2],
  ['?size=1000000000', 0, 50, 50, 2],
  ['?size=1', 0, 1, 1, 53],
  ['?size=0', 0, 1, 1, 53],
  ['?size=-1', 0, 1, 1, 53],
  ['?page=-1', 0, 20, 20, 3],
  ['?page=-0', 0, 20, 20, 3],
  ['?page=007&size=007', 7, 7, 4, 8],
  ['?page=1000000000&size=50', 1_000_000_000, 50, 0, 2],
  ['?page=9007199254740991&size=50', 9_007_199_254_740_991, 50, 0, 2],
  ['?page=9007199254740993', 9_007_199_254_740_991, 20, 0, 3],
  [`?page=1${'0'.repeat(400)}&size=1${'0'.repeat(400)}`, 9_007_199_254_740_991, 50, 0, 2],
  [`?page=-1${'0'.repeat(400)}&size=-1${'0'.repeat(400)}`, 0, 1, 1, 53],
  ['?sort=title&unknown=1&unknown=2&__proto__=3', 0, 20, 20, 3],
];

for (const [query, page, size, count, totalPages] of inEffect) {
  test(`The envelope has the effective page and size: ${titleOf(query)}`, async () => {
    const answer = await ask(app, `/me/posts${query}`, token);

    const { items, ...envelope } = await objectOf(answer);
    assert.deepEqual(envelope, { page, size, totalElements: 53, totalPages });
    assert.equal((items as unknown[]).length, count);
  });
}

const refused: [query: string, parameter: 'page' | 'size'][] = [
  ['?page=abc', 'page'],
  ['?page=', 'page'],
  ['?page', 'page'],
  ['?page=1.5', 'page'],
  ['?page=1.0', 'page'],
  ['?page=1e3', 'page'],
  ['?page=0x10', 'page'],
  ['?page=+1', 'page'],
  ['?page=%2B1', 'page'],
  ['?page=%201', 'page'],
  ['?page=1%0A', 'page'],
  ['?page=--1', 'page'],
  ['?page=%D9%A1', 'page'],
  ['?page=NaN', 'page'],
  ['?page=%zz', 'page'],
  ['?page=1,2', 'page'],
  ['?page=1&page=1', 'page'],
  ['?page=1&size=20&page=2', 'page'],
  ['?size=twenty', 'size'],
  ['?size=', 'size'],
  ['?size=1&size=2', 'size'],
  ['?page=1&size=Infinity', 'size'],
];

for (const [query, parameter] of refused) {
  test(`A parameter that is not an integer, or is repeated, is answered with 400: ${query}`, async () => {
    const answer = await ask(app, `/me/posts${query}`, token);

    assert.equal(answer.headers.get('content-type'), 'application/problem+json');
    assert.deepEqual(await objectOf(answer, 400), {
      type: `${app.url}/docs/errors/invalid_request`,
      title: 'A parameter is wrong',
      status: 400,
      detail: `The parameter ${parameter} must be an integer, given once.`,
    });
  });
}

test('Together, the pages have each post once', async () => {
  const pages = await Promise.all(
    [0, 1, 2, 3, 4, 5].map(async (page) => itemsOf(await ask(app, `/me/posts?size=10&page=${page}`, token))),
  );

  const titles = pages.flat().map(({ title }) => title);
  assert.deepEqual(
    titles,
    Array.from({ length: 53 }, (_, index) => `Post ${53 - index}`),
  );
});

test('A user without posts has no pages', async () => {
  const bob = await person(app.portico, 'bob');

  const answer = await ask(app, '/me/posts', await tokenOf(app, bob));

  assert.deepEqual(await objectOf(answer), { items: [], page: 0, size: 20, totalElements: 0, totalPages: 0 });
});

test('GET /me and GET / ignore all parameters', async () => {
  const plain = await objectOf(await ask(app, '/me', token));
  const root = await ask(app, '/?page=x', token);

  assert.deepEqual(await objectOf(await ask(app, '/me?page=x&id=2', token)), plain);
  assert.equal(root.status, 200);
});

function titleOf(query: string): string {
  if (query === '') return 'no parameters';
  return query.length > 60 ? `${query.slice(0, 12)}… (400 digits)` : query;
}
