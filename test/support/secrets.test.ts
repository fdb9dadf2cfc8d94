// The search for secrets finds every credential, and nothing else.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mintToken, type TokenKind } from '../../src/oauth/token.ts';
import { secretsIn } from './secrets.ts';

for (const kind of ['access', 'refresh', 'personal', 'code', 'clientSecret'] as const satisfies TokenKind[]) {
  test(`a credential is found anywhere in a text: ${kind}`, () => {
    const { text } = mintToken(kind, 'svc', Date.UTC(2030, 0, 1));

    for (const around of [text, `{"x":"${text}"}`, `abc${text} `, `=${text}&y=1`]) {
      assert.equal(secretsIn(around, []).length, 1, around);
    }
  });
}

test('random text of the same form is not a credential; a known secret is found', () => {
  const lookalike = `t66gqc_${'h8Bq9QLwxk'.repeat(6)}`;

  assert.deepEqual(secretsIn(lookalike, []), []);
  assert.deepEqual(secretsIn('my dog is called rex', ['rex']), ['rex']);
});
