// Forms whose values are spaces, each written as `+`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Hono } from 'hono';
import type { PageEnv } from '../../src/http/pages/visitor.ts';
import { bodyPairs, type Pairs } from '../../src/http/request-form.ts';
import { listen } from '../../src/http/server.ts';
import { heapAtRest } from '../support/heap.ts';

const LENGTH = 900_000;
const FORMS = 8;

test('a form that is full of + is read as spaces, and takes no more memory than its size', async (t) => {
  const forms: Pairs[] = [];
  const door = new Hono<PageEnv>();
  door.post('/', async (c) => c.json(forms.push(await bodyPairs(c))));
  const server = await listen({ api: () => undefined, rest: door }, '127.0.0.1', 0, () => {});
  t.after(() => server.close());
  const send = (body: string) =>
    fetch(`http://127.0.0.1:${server.port}/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body,
    }).then((answer) => answer.text());
  await send('a=1+2%2B3');
  const before = heapAtRest();

  for (let count = 0; count < FORMS; count += 1) await send(`body=${'+'.repeat(LENGTH)}`);

  assert.ok(heapAtRest() - before < 4 * FORMS * LENGTH);
  assert.deepEqual(forms[0], [['a', '1 2+3']]);
  assert.equal(forms.at(-1)?.[0]?.[1], ' '.repeat(LENGTH));
});
