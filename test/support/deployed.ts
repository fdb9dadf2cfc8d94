// The files in deploy/, read as text, and ways to find a line in them.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** The text of a file, by its path from the root. */
export function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** Without its comments, which may say anything. */
export function instructions(path: string): string {
  return read(path).replaceAll(/^\s*#.*\n|\s#\s.*$/gm, '');
}

export const dockerfile = instructions('deploy/Dockerfile').replaceAll(/\\\n\s*/g, '');
export const compose = instructions('deploy/compose.yaml');
export const caddy = instructions('deploy/Caddyfile');
export const nginx = instructions('deploy/nginx.conf');
export const unit = instructions('deploy/portico.service');

export const imageSettings = pairs(only(dockerfile, /^ENV (.+)$/m));
export const unitSettings = pairs(only(unit, /^Environment=(HOST=.+)$/m));
export const envExample: Record<string, string> = Object.fromEntries(
  [...read('deploy/.env.example').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [
    name,
    value,
  ]),
);
/** As Compose reads them with .env.example. */
export const composeSettings: Record<string, string> = Object.fromEntries(
  [...below(compose, 'x-portico: &portico', 'environment:').matchAll(/^ +([A-Z_]+): (.+)$/gm)].map(
    ([, name = '', value = '']) => [name, filledIn(value)],
  ),
);

/** What the expression's group captures. Fails if the expression does not match. */
export function only(text: string, expression: RegExp): string {
  const value = expression.exec(text)?.[1];
  assert.ok(value !== undefined, `${expression} is nowhere`);
  return value;
}

/** The lines nested below the last opening. Each opening is looked for below the one before it. */
export function below(text: string, ...openings: string[]): string {
  let rest = text.split('\n');
  for (const opening of openings) {
    const start = rest.findIndex((line) => line.trim() === opening.trim());
    assert.notEqual(start, -1, `"${opening}" is nowhere`);
    const depth = rest[start]?.search(/\S/) ?? 0;
    const after = rest.slice(start + 1);
    const end = after.findIndex((line) => line.trim() !== '' && line.search(/\S/) <= depth);
    rest = end === -1 ? after : after.slice(0, end);
  }
  return rest.join('\n');
}

/** The number of seconds that the expression captures in a file. */
export function seconds(path: string, expression: RegExp): number {
  return Number(only(read(path), expression));
}

function pairs(words: string): Record<string, string> {
  return Object.fromEntries(words.split(' ').map((word) => word.split(/=(.*)/).slice(0, 2)));
}

function filledIn(text: string): string {
  return text
    .replaceAll(/\$\{([A-Z_]+)[^}]*\}/g, (_, name: string) => envExample[name] ?? '')
    .replace(/^"(.*)"$/, '$1');
}
