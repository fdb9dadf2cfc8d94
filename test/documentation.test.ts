// The documentation must name all settings, scopes, addresses, errors and dependencies, which come from the code.

import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { SECURITY_EVENT_NAMES } from '../src/audit/security-event.ts';
import { SETTINGS } from '../src/config.ts';
import { STATUS_OF } from '../src/http/problem.ts';
import { API_ENDPOINTS, PATHS } from '../src/http/routes.ts';
import { SCOPES } from '../src/oauth/scope.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const pages = globSync('{*.md,docs/**/*.md}', { cwd: ROOT });
const developerPages = globSync('docs/developers/**/*.md', { cwd: ROOT }).map(read).join('\n');

test('Every setting is described for operators.', () => {
  const operating = read('docs/operating.md');

  assert.deepEqual(
    SETTINGS.filter((name) => !operating.includes(`\`${name}\``)),
    [],
  );
});

test('Every scope, address and error is described for developers.', () => {
  const names = [
    ...SCOPES,
    PATHS.authorize,
    PATHS.token,
    PATHS.revoke,
    ...API_ENDPOINTS.map(({ path }) => PATHS.api + path),
    ...Object.keys(STATUS_OF),
  ];

  assert.deepEqual(
    names.filter((name) => !developerPages.includes(name)),
    [],
  );
});

test('Every link between pages of the documentation leads to a file.', () => {
  const broken = pages.flatMap((path) =>
    [...read(path).matchAll(/\]\((?!https?:|#|\/|mailto:|\{\{)([^)#]+)[^)]*\)/g)]
      .map(([, link]) => join(path, '..', link ?? ''))
      .filter((target) => !existsSync(join(ROOT, target)))
      .map((target) => `${path} → ${target}`),
  );

  assert.deepEqual(broken, []);
});

test('Every decision has its five parts and is in the list.', () => {
  const list = read('docs/decisions/README.md');
  for (const path of globSync('docs/decisions/0*.md', { cwd: ROOT })) {
    const text = read(path);
    for (const part of ['Date:', 'Status:', '## Context', '## Decision', '## Consequences']) {
      assert.ok(text.includes(part), `${path} lacks "${part}"`);
    }
    assert.ok(list.includes(path.split('/').at(-1) ?? ''), `${path} is not in the list`);
  }
});

test('Every dependency has its reason written down.', () => {
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(read('package.json'));
  const reasons = read('docs/decisions/0003-dependencies.md');

  assert.deepEqual(
    Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies }).filter(
      (name) => !reasons.includes(`\`${name}\``),
    ),
    [],
  );
});

test('Every security event is described for operators.', () => {
  const operating = read('docs/operating.md');

  assert.deepEqual(
    SECURITY_EVENT_NAMES.filter((name) => !operating.includes(`\`${name}\``)),
    [],
  );
});

test('Every file that the threat model names exists.', () => {
  const files = [...read('docs/threat-model.md').matchAll(/`((?:src|test|deploy)\/[^`]+)`/g)].map(
    ([, path]) => path ?? '',
  );

  assert.ok(files.length > 20);
  assert.deepEqual(
    files.filter((path) => !existsSync(join(ROOT, path))),
    [],
  );
});

test('SECURITY.md names for each severity the days within which a vulnerability is fixed.', () => {
  const security = read('SECURITY.md');
  const days = ['critical', 'high', 'medium', 'low'].map((severity) =>
    Number(new RegExp(`^\\| ${severity} \\|.*\\| (\\d+) days \\|$`, 'm').exec(security)?.[1]),
  );

  assert.deepEqual(days, [2, 7, 30, 90]);
});
