// Parameters: none may be repeated, and an empty one counts as missing (RFC 6749 §3.1, §3.2).

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Form } from '../../src/oauth/form.ts';
import { assertRefused } from './provider.ts';

const PARAMETERS = [
  'grant_type',
  'code',
  'redirect_uri',
  'code_verifier',
  'client_id',
  'client_secret',
  'refresh_token',
  'scope',
  'token',
  'token_type_hint',
  'response_type',
  'response_mode',
  'state',
  'code_challenge',
  'code_challenge_method',
  'nonce',
  'prompt',
  'max_age',
];

const REPETITIONS: Record<string, [string, string]> = {
  'the same value twice': ['a', 'a'],
  'two values': ['a', 'b'],
  'first empty': ['', 'a'],
  'last empty': ['a', ''],
  'both empty': ['', ''],
  'first with NUL': ['\0', 'a'],
  'last with NUL': ['a', '\0'],
};

describe('a parameter that is given twice is invalid_request', () => {
  for (const name of PARAMETERS) {
    for (const [how, [first, last]] of Object.entries(REPETITIONS)) {
      test(`${name}: ${how}`, async () => {
        const form = new Form([
          ['other', 'x'],
          [name, first],
          ['another', 'y'],
          [name, last],
        ]);

        assert.equal(form.get(name), undefined);
        assert.equal(form.isRepeated(name), true);
        assert.equal(form.get('other'), 'x');
        await assertRefused(() => form.refuseMalformed(), 'invalid_request');
      });
    }
  }

  test('the answer names the parameter', async () => {
    const form = new Form([
      ['code', 'a'],
      ['code', 'b'],
    ]);

    await assertRefused(
      () => form.refuseMalformed(),
      'invalid_request',
      /^The parameter code is given more than once\.$/,
    );
  });

  test('the answer does not repeat a harmful name', async () => {
    for (const name of ['<script>', 'a"b', 'a\r\nSet-Cookie: x', 'caf\u00e9', 'a'.repeat(41), '', '\0']) {
      const form = new Form([
        [name, 'a'],
        [name, 'b'],
      ]);

      await assertRefused(
        () => form.refuseMalformed(),
        'invalid_request',
        /^A parameter is given more than once\.$/,
      );
    }
  });

  test('an unknown parameter that is given twice is refused too', async () => {
    const form = new Form([
      ['utm', 'a'],
      ['utm', 'b'],
    ]);

    await assertRefused(() => form.refuseMalformed(), 'invalid_request');
  });

  test('three times is more than once', async () => {
    const form = new Form([
      ['state', 'a'],
      ['state', 'a'],
      ['state', 'a'],
    ]);

    assert.equal(form.get('state'), undefined);
    await assertRefused(() => form.refuseMalformed(), 'invalid_request');
  });

  test('names differ by case, and by brackets', () => {
    const form = new Form([
      ['code', 'a'],
      ['Code', 'b'],
      ['code[]', 'c'],
      ['code ', 'd'],
    ]);

    form.refuseMalformed();

    assert.equal(form.get('code'), 'a');
  });
});

describe('an empty parameter counts as missing', () => {
  test('it has no value', () => {
    const form = new Form([['nonce', '']]);

    form.refuseMalformed();

    assert.equal(form.get('nonce'), undefined);
    assert.equal(form.isRepeated('nonce'), false);
  });

  test('a required one is missing then, and the answer names it', async () => {
    const form = new Form([['state', '']]);

    await assertRefused(
      () => form.required('state'),
      'invalid_request',
      /^The parameter state is missing\.$/,
    );
    await assertRefused(() => form.required('code'), 'invalid_request', /^The parameter code is missing\.$/);
  });

  test('a space, a zero and the word null are values', () => {
    const form = new Form([
      ['a', ' '],
      ['b', '0'],
      ['c', 'null'],
    ]);

    assert.equal(form.required('a'), ' ');
    assert.equal(form.required('b'), '0');
    assert.equal(form.required('c'), 'null');
  });
});

describe('a parameter with NUL is invalid_request', () => {
  test('it has no value', async () => {
    const form = new Form([['state', 'a\0b']]);

    assert.equal(form.get('state'), undefined);
    await assertRefused(() => form.refuseMalformed(), 'invalid_request', /NUL/);
  });
});

describe('names of properties that every object has are ordinary parameters', () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    test(name, () => {
      assert.equal(new Form([]).get(name), undefined);
      assert.equal(new Form([[name, 'a']]).get(name), 'a');
      assert.equal(Reflect.get({}, 'a'), undefined);
    });
  }
});
