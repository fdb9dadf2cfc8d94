// Usernames that look official.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isReservedName } from '../../src/identity/reserved-names.ts';
import { problemWithUsername } from '../../src/identity/username.ts';

const OWN = ['Agora Club', 'Portico'];

test('Official names are reserved, also with other cases, digits, signs, accents and doubled letters', () => {
  const names = [
    'admin',
    'ADMIN',
    'adm1n',
    'a.d-m_in',
    'admiin',
    'ädmín',
    'M0derator',
    'rn0d',
    'sup-p0rt',
    '管理员',
  ];

  assert.deepEqual(
    names.filter((name) => !isReservedName(name, OWN)),
    [],
  );
});

test('The site’s name and the product’s are reserved', () => {
  assert.ok(isReservedName('agora-club', OWN));
  assert.ok(isReservedName('P0rt1c0', OWN));
});

test('Names in another script that look official are reserved', () => {
  const lookAlikes = ['арі', 'ѕуѕтем', 'ΑΡΙ', 'ꓮꓑꓲ', 'ᎪᏢᎥ', 'ꓡꓳꓳꓔ', 'ꓣꓳꓳꓔ', 'нοѕт'];

  assert.deepEqual(
    lookAlikes.filter((name) => isReservedName(name, OWN)),
    ['арі', 'ѕуѕтем', 'ΑΡΙ', 'ꓮꓑꓲ', 'ᎪᏢᎥ', 'ꓣꓳꓳꓔ'],
  );
});

test('Ordinary names stay free, also those that begin like an official one', () => {
  const names = [
    'alice',
    'rot',
    'staf',
    'stafford',
    'modest',
    'Rooty',
    'apiary',
    'Mali',
    'Анна',
    '小明',
    'admirable',
  ];

  assert.deepEqual(
    names.filter((name) => isReservedName(name, OWN)),
    [],
  );
});

test('Letters of Lisu, Cherokee, Coptic and Armenian can’t be mixed with Latin ones', () => {
  for (const name of ['ꓮdmin', 'Ꭺdmin', 'Ⲁdmin', 'օlivia', 'аdmin', 'Αdmin']) {
    assert.equal(problemWithUsername(name), 'mixed_scripts', name);
  }
});

test('A list of reserved names is prepared once, however many usernames are checked', (t) => {
  isReservedName('alice', []);
  const normalize = t.mock.method(String.prototype, 'normalize');
  const names = Array.from({ length: 1000 }, (_, index) => `name of ${index}`);

  const reserved = ['alice', 'name0f7', 'bob'].map((username) => isReservedName(username, names));

  assert.deepEqual(reserved, [false, true, false]);
  assert.equal(normalize.mock.callCount(), 1003);
});
