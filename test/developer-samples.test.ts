// The samples in the documentation that check a token's checksum, run as they are printed.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { mintToken, type TokenKind } from '../src/oauth/token.ts';

const PAGE = readFileSync('docs/developers/tokens.md', 'utf8');
const KINDS: TokenKind[] = ['access', 'refresh', 'personal', 'clientSecret', 'code'];
const hasPython = spawnSync('python3', ['--version']).status === 0;

function sampleIn(language: string): string {
  return new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(PAGE)?.[1] ?? '';
}

/** Run a sample that is passed on standard input. */
function answerOf(command: string, token: string, input: string): string {
  return spawnSync(command, ['-', token], { encoding: 'utf8', input }).stdout.trim().toLowerCase();
}

const SAMPLES: [language: string, command: string, skip: string | false][] = [
  ['js', process.execPath, false],
  ['python', 'python3', hasPython ? false : 'no Python'],
];

for (const [language, command, skip] of SAMPLES) {
  const run = (token: string) => answerOf(command, token, sampleIn(language));

  test(`The sample in ${language} accepts every kind of credential, and no mistyped one`, { skip }, () => {
    for (const kind of KINDS) {
      const { text } = mintToken(kind, 'agora', Date.UTC(2030, 0, 1));
      assert.equal(run(text), 'true', kind);
      assert.equal(run(`${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`), 'false', kind);
    }
  });
}

test('The patterns find each kind of credential in a text, for every brand, and nothing longer', () => {
  for (const [index, kind] of KINDS.entries()) {
    const { text } = mintToken(kind, 'agora', Date.UTC(2030, 0, 1));
    const patterns = [...PAGE.matchAll(/`(\\b\{\{brand\}\}[a-z]_\S+)`/g)].map(
      ([, pattern = '']) => new RegExp(pattern.replace('{{brand}}', 'agora'), 'g'),
    );
    assert.equal(patterns.length, 5);
    const found = patterns.flatMap((pattern) => `TOKEN="${text}"; x${text}x`.match(pattern) ?? []);
    assert.deepEqual(found, [text], String(index));
  }
});
