// What the request inspector keeps of a request: never a secret, whatever it came in.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { masked } from '../../src/oauth/request-masking.ts';
import type { BrokenRule } from '../../src/oauth/request-rules.ts';
import { mintToken, type TokenKind } from '../../src/oauth/token.ts';

const REGISTERED = 'https://notebook.example.com/callback?tenant=7';

function came(text: string, rule: BrokenRule['rule'] = 'redirect_uri_unregistered'): string | undefined {
  return masked({ rule, came: text, expected: [REGISTERED] }).came;
}

test('a credential is masked in every parameter, whole or cut short', () => {
  for (const kind of ['access', 'refresh', 'personal', 'code', 'clientSecret'] satisfies TokenKind[]) {
    const { text } = mintToken(kind, 'svc', 1_800_000_000_000);
    for (const one of [text, text.slice(0, 40), text.toUpperCase(), text.slice(5)]) {
      for (const rule of ['redirect_uri_unregistered', 'scope_unknown', 'api_path_unknown'] as const) {
        const shown = came(`https://x.example/${one}/x`, rule) ?? '';
        assert.ok(!shown.includes(one.slice(0, 20)), shown);
      }
    }
  }
});

test('signed tokens and other long random texts are masked', () => {
  assert.equal(came('eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiI3In0.c2ln', 'scope_unknown'), 'eyJh***');
  assert.equal(came(`/a/${'0123456789abcdef'.repeat(2)}`, 'api_path_unknown'), '/a/0123***');
});

test('of an address, the user, the password and the values of the query are masked, unless they are registered', () => {
  assert.equal(came('https://bob:hunter2@notebook.example.com/'), 'https://***@notebook.example.com/');
  assert.equal(
    came('https://notebook.example.com/callback?tenant=7&password=hunter2#code=x'),
    'https://notebook.example.com/callback?tenant=7&password=***#code=***',
  );
});

test('control characters are replaced, and long texts are cut', () => {
  assert.equal(came('https://x.example/\u0000\u202Ea\nb'), 'https://x.example/??a?b');
  assert.equal(came(`https://x.example/${'a.'.repeat(5000)}`)?.length, 303);
});

test('an ordinary address stays as it is', () => {
  for (const text of ['https://notebook.example.com/callbak', 'com.example.app:/oauth', 'http://[::1]:8400/'])
    assert.equal(came(text), text);
});

test('Of many registered addresses the three that are most alike are kept, and long ones are cut', () => {
  const long = Array.from({ length: 20 }, (_, at) => `https://a.example/${'x'.repeat(2000)}${at}`);
  const near = 'https://notebook.example.com/callback';

  const { expected = [] } = masked({
    rule: 'redirect_uri_unregistered',
    came: 'https://notebook.example.com/calback',
    expected: [...long, near],
  });

  assert.equal(expected.length, 3);
  assert.equal(expected[0], near);
  assert.ok(expected.every((text) => text.length <= 303));
});
