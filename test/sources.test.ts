// What no source does: run text as code, make requests for others, keep data where scripts reach it.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '..');

/** The files that have a line like this, comments left out. */
function filesWith(expression: RegExp, glob = 'src/**/*.{ts,js}'): string[] {
  return globSync(glob, { cwd: ROOT })
    .filter((path) => expression.test(codeOf(readFileSync(join(ROOT, path), 'utf8'))))
    .sort();
}

function codeOf(text: string): string {
  return text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');
}

test('No source runs a text as code or gives it to a shell', () => {
  const shells = /\bexec(?:Sync)?\b[^;]*from 'node:child_process'|shell: true/;

  assert.deepEqual(filesWith(/\beval\(|new Function\b|node:vm\b/), []);
  assert.deepEqual(filesWith(shells), []);
});

test('Outgoing requests are made by commands of operators, the check for breached passwords, and one function that reaches public addresses only', () => {
  const requests = /(?<![.\w])fetch\(|\bhttps?\.(?:get|request)\(|from 'node:https'|from 'undici'/;

  assert.deepEqual(filesWith(requests, 'src/**/*.ts'), [
    'src/cli/page-visitor.ts',
    'src/cli/server-check.ts',
    'src/cli/trial-sign-in.ts',
    'src/lib/breached-passwords.ts',
    'src/lib/public-fetch.ts',
  ]);
});

test('Only the function for names that strangers choose looks up names', () => {
  const lookups = /from 'node:dns(?:\/promises)?'/;

  assert.deepEqual(filesWith(lookups, 'src/**/*.ts'), ['src/lib/public-lookup.ts']);
});

test('No script but those of new comments and quotations keeps data in the browser, and none takes messages from other pages, or makes HTML of text', () => {
  const scripts = 'src/http/static/*.js';

  assert.ok(globSync(scripts, { cwd: ROOT }).length > 0);
  assert.deepEqual(
    // The ids of posts that were opened, and words on their way into a reply. Signing out clears both.
    filesWith(/localStorage|sessionStorage|indexedDB|document\.cookie/, scripts),
    ['src/http/static/fresh.js', 'src/http/static/quote.js'],
  );
  assert.deepEqual(filesWith(/postMessage|onmessage|'message'/, scripts), []);
  assert.deepEqual(filesWith(/insertAdjacentHTML|document\.write/, scripts), []);
});

test('Secrets come from a secure generator: nothing uses Math.random, and no obsolete algorithm is used', () => {
  assert.deepEqual(filesWith(/Math\.random/), []);
  assert.deepEqual(
    // The services that list breached passwords list them by this digest.
    filesWith(/['"`](?:md5|sha1|SHA-1|des|rc4|aes-\d+-ecb)['"`]|createCipheriv|publicEncrypt/),
    ['src/lib/breached-passwords.ts'],
  );
});

test('No page supports JSONP: a function that the URL names is never called', () => {
  assert.deepEqual(filesWith(/query\(['"](?:callback|jsonp)['"]\)/), []);
});
