import assert from 'node:assert/strict';
import { test } from 'node:test';
import { programName } from '../../src/lib/program-name.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';
const EDGE = `${CHROME} Edg/140.0`;
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 (KHTML, like Gecko) Version/18.0 Mobile Safari/604.1';

test('a browser is named with its system', () => {
  assert.equal(programName(FIREFOX), 'Firefox on Linux');
  assert.equal(programName(CHROME), 'Chrome on Windows');
  assert.equal(programName(EDGE), 'Edge on Windows');
  assert.equal(programName(SAFARI), 'Safari on iPhone');
});

test('another program is named by its first product, without its version', () => {
  assert.equal(programName('curl/8.5.0'), 'curl');
  assert.equal(programName('python-requests/2.31.0'), 'python-requests');
  assert.equal(programName('Mozilla/5.0 (compatible; thing)'), 'Mozilla');
  assert.equal(programName('notes-reader (+https://notes.example)'), 'notes-reader');
});

test('nothing, or what nobody can read, has no name', () => {
  assert.equal(programName(undefined), '');
  assert.equal(programName(''), '');
  assert.equal(programName('\u0000\u200b早'), '');
});

test('a long name is cut', () => {
  assert.equal(programName('a'.repeat(1000)).length, 40);
});
