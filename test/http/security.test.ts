// Attacks: requests that are cheap to send and costly to answer, pages that quote the attacker, and ways around limits.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { Hono } from 'hono';
import type { PageEnv } from '../../src/http/pages/visitor.ts';
import { bodyPairs, UnreadableForm } from '../../src/http/request-form.ts';
import { listen } from '../../src/http/server.ts';
import { openApp } from '../support/app.ts';
import { formIn } from '../support/browser.ts';
import { browserOf, person } from '../support/people.ts';

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

describe('a form that did not come from one of the site’s pages', () => {
  test('with half a million fields is refused without reading them', async (t) => {
    const app = await openApp();
    t.after(() => app.close());
    await person(app.portico, 'alice');
    const member = await browserOf(app, 'alice');
    const body = 'a&'.repeat(500_000);
    const start = performance.now();

    const answer = await member.open('/write', { method: 'POST', headers: FORM, body });

    assert.equal(answer.status, 400);
    assert.ok(performance.now() - start < 500);
  });

  test('can’t make this site show another site’s words', async (t) => {
    const app = await openApp();
    t.after(() => app.close());
    await person(app.portico, 'alice');

    const answer = await fetch(`${app.url}/login`, {
      method: 'POST',
      headers: { ...FORM, 'Sec-Fetch-Site': 'cross-site' },
      body: 'body=Your+account+is+locked.+Call+555-0100.',
    });

    assert.equal(answer.status, 403);
    assert.doesNotMatch(await answer.text(), /555-0100/);
  });
});

test('A form that breaks off is the sender’s fault, and not logged as a failure', async (t) => {
  let thrown: unknown;
  const { promise: failed, resolve } = Promise.withResolvers<void>();
  const door = new Hono<PageEnv>();
  door.post('/', async (c) => c.json(await bodyPairs(c)));
  door.onError((error, c) => {
    thrown = error;
    resolve();
    return c.body(null, 400);
  });
  const server = await listen({ api: () => undefined, rest: door }, '127.0.0.1', 0, () => {});
  t.after(() => server.close());

  const socket = connect(server.port, '127.0.0.1', () => {
    socket.write(
      `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${FORM['Content-Type']}\r\nContent-Length: 9\r\n\r\nbody=`,
    );
    setTimeout(() => socket.destroy(), 50);
  });
  await failed;

  assert.ok(thrown instanceof UnreadableForm);
  assert.equal(thrown.status, 400);
});

describe('failed sign-ins', () => {
  test('from one IPv6 network of 64 bits count as from one address', async (t) => {
    const app = await openApp({ TRUST_PROXY: '127.0.0.1' });
    t.after(() => app.close());
    await person(app.portico, 'alice');
    const login = await fetch(`${app.url}/login`);
    const cookie = (login.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const fields = new Map(formIn(await login.text(), '/login'));
    const guessFrom = async (address: string) => {
      const headers = { ...FORM, Cookie: cookie, 'X-Forwarded-For': address };
      const body = new URLSearchParams([...fields, ['username', 'alice'], ['password', 'a guess']]);
      return (await fetch(`${app.url}/login`, { method: 'POST', headers, body })).status;
    };

    for (let host = 1; host <= 10; host += 1) {
      assert.equal(await guessFrom(`2001:db8:0:1::${host}`), 400);
    }

    assert.equal(await guessFrom('2001:db8::1:a:b:c:d'), 429);
    assert.equal(await guessFrom('2001:db8:0:2::1'), 400);
    assert.equal(await guessFrom('192.0.2.1'), 400);
  });
});
