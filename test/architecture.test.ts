// Checks docs/architecture.md: which folder may import which, and what may be written only in certain files.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, test } from 'node:test';

const ROOT = join(import.meta.dirname, '..');
const SRC = join(ROOT, 'src');

interface Source {
  path: string;
  text: string;
  /** The imported files by their paths in src/; `typeOnly` if nothing is imported at run time. */
  imports: { path: string; typeOnly: boolean }[];
}

const sources: Source[] = globSync('**/*.ts', { cwd: SRC }).map((path) => {
  const text = readFileSync(join(SRC, path), 'utf8');
  return { path, text, imports: importsOf(path, text) };
});

function importsOf(path: string, text: string): Source['imports'] {
  const imports: Source['imports'] = [];
  for (const [, kind, specifier] of text.matchAll(/^(import type|import|export)\s[^;]*?from '(\.[^']+)'/gm)) {
    imports.push({ path: resolve(path, specifier ?? ''), typeOnly: kind === 'import type' });
  }
  for (const [, specifier] of text.matchAll(/\bimport\('(\.[^']+)'\)/g)) {
    imports.push({ path: resolve(path, specifier ?? ''), typeOnly: false });
  }
  return imports;
}

function resolve(path: string, specifier: string): string {
  return relative(SRC, join(SRC, dirname(path), specifier));
}

// Folders that the doors share; every other folder in http/ is a door.
const SHARED = ['pages', 'static'];

/**
 * Return the room that a file belongs to: `http/oauth` for a door, `http` for what the doors share, the file itself at
 * the top. The cache is a room of its own, so that only compose.ts can import it.
 */
function roomOf(path: string): string {
  const parts = path.split('/');
  if (path.startsWith('storage/cache/')) return 'storage/cache';
  if (parts.length === 1) return path;
  return parts[0] === 'http' && parts.length > 2 && !SHARED.includes(parts[1] ?? '')
    ? `http/${parts[1]}`
    : (parts[0] ?? '');
}

const ANY = 'any';
const STORES = ['storage', 'storage/cache'];
const ROOMS_WITH_RULES = ['audit', 'identity', 'community', 'oauth', 'site'];

/** What a room may import besides itself: a room, or with `type:` only a room's types. */
const ALLOWED_IMPORTS: Record<string, string[] | typeof ANY> = {
  lib: [],
  audit: ['lib'],
  identity: ['lib', 'audit'],
  community: ['lib', 'audit', 'type:identity'],
  oauth: ['lib', 'audit', 'type:identity'],
  site: ['lib', 'audit', 'identity'],
  storage: ['lib', 'type:import', ...ROOMS_WITH_RULES.map((room) => `type:${room}`)],
  'storage/cache': ['lib', 'storage', ...ROOMS_WITH_RULES.map((room) => `type:${room}`)],
  http: ['lib', ...ROOMS_WITH_RULES],
  'http/oauth': ['lib', ...ROOMS_WITH_RULES, 'http'],
  'http/api': ['lib', ...ROOMS_WITH_RULES, 'http'],
  'http/mcp': ['lib', ...ROOMS_WITH_RULES, 'http'],
  'http/site': ['lib', ...ROOMS_WITH_RULES, 'http'],
  'http/sandbox': ['lib', ...ROOMS_WITH_RULES, 'http', 'sandbox'],
  import: ['lib', ...ROOMS_WITH_RULES],
  sandbox: ['lib', ...ROOMS_WITH_RULES],
  cli: [
    'config.ts',
    'setting-failures.ts',
    'compose.ts',
    'operations.ts',
    'lib',
    'import',
    ...ROOMS_WITH_RULES,
  ],
  'config.ts': ['setting-values.ts', 'files-setting.ts', 'lib'],
  'files-setting.ts': ['setting-values.ts', 'lib', 'oauth'],
  'setting-values.ts': ['lib', 'oauth'],
  'setting-failures.ts': ['lib', 'type:setting-values.ts'],
  'compose.ts': ANY,
  'modules.ts': ['config.ts', 'setting-failures.ts', 'lib', 'import', ...ROOMS_WITH_RULES, ...STORES],
  'operations.ts': ANY,
  'background.ts': [
    'config.ts',
    'lib',
    'audit',
    'identity',
    'community',
    'oauth',
    'site',
    'http',
    'http/site',
  ],
  'main.ts': ['start.ts', 'sandbox.ts'],
  'sandbox.ts': ANY,
  'start.ts': [
    'config.ts',
    'setting-failures.ts',
    'compose.ts',
    'operations.ts',
    'workers.ts',
    'http',
    'lib',
    'site',
  ],
  'workers.ts': ['lib'],
};

describe('Every import is allowed by the plan:', () => {
  for (const room of Object.keys(ALLOWED_IMPORTS)) {
    test(room, () => {
      const allowed = ALLOWED_IMPORTS[room];
      if (allowed === undefined || allowed === ANY) return;
      const forbidden = sources
        .filter(({ path }) => roomOf(path) === room)
        .flatMap(({ path, imports }) =>
          imports
            .filter(({ path: to, typeOnly }) => {
              const other = roomOf(to);
              return !(
                other === room ||
                allowed.includes(other) ||
                (typeOnly && allowed.includes(`type:${other}`))
              );
            })
            .map(({ path: to }) => `${path} → ${to}`),
        );

      assert.deepEqual(forbidden, []);
    });
  }

  test('and every file belongs to a room', () => {
    assert.deepEqual(
      [...new Set(sources.map(({ path }) => roomOf(path)))].filter((room) => !(room in ALLOWED_IMPORTS)),
      [],
    );
  });
});

test('No files import each other in a cycle, types included.', () => {
  assert.deepEqual(
    importCycles(sources).map((files) => files.join(' ')),
    [],
  );
});

// Tarjan's algorithm. Returns the groups of files in which each one imports every other, directly or not.
function importCycles(files: readonly Source[]): string[][] {
  const importsByPath = new Map(files.map(({ path, imports }) => [path, imports]));
  const order = new Map<string, number>();
  const open: string[] = [];
  const cycles: string[][] = [];

  function visit(path: string): number {
    const number = order.size;
    order.set(path, number);
    open.push(path);
    let low = number;
    for (const { path: to } of importsByPath.get(path) ?? []) {
      if (!importsByPath.has(to)) continue;
      if (!order.has(to)) low = Math.min(low, visit(to));
      else if (open.includes(to)) low = Math.min(low, order.get(to) ?? number);
    }
    if (low === number) {
      const cycle = open.splice(open.indexOf(path));
      if (cycle.length > 1) cycles.push(cycle.sort());
    }
    return low;
  }

  for (const { path } of files) if (!order.has(path)) visit(path);
  return cycles;
}

/** What may be written only in certain files. */
const PLACES: { what: string; pattern: RegExp; allowed: RegExp }[] = [
  { what: 'the environment', pattern: /process\.env/, allowed: /^(main|cli\/main)\.ts$/ },
  { what: 'the system clock', pattern: /Date\.now\(|new Date\(\)/, allowed: /^lib\/clock\.ts$/ },
  { what: 'a weak random number', pattern: /Math\.random/, allowed: /^$/ },
  { what: 'SQL', pattern: /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM)\s+[a-z_(*]+\b/, allowed: /^storage\// },
  { what: 'HTTP', pattern: /from 'hono|\bnew Response\(/, allowed: /^(http\/|compose\.ts)/ },
  {
    what: 'a status code of the protocol',
    pattern: /\b(?:400|401|403|429)\b/,
    allowed: /^(http|cli|storage)\//,
  },
  // Answers can keep a thread busy.
  { what: 'a request to a stranger', pattern: /\bfetchPublic\(/, allowed: /^(lib|import)\// },
  { what: 'console', pattern: /\bconsole\./, allowed: /^$/ },
];

describe('Each thing appears only where it belongs:', () => {
  for (const { what, pattern, allowed } of PLACES) {
    test(what, () => {
      const strays = sources.filter(({ path, text }) => !allowed.test(path) && pattern.test(codeOf(text)));

      assert.deepEqual(
        strays.map(({ path }) => path),
        [],
      );
    });
  }

  test('calls of a port’s writes: in no page and no command', () => {
    const doors = sources.filter(({ path }) => /^(http|cli)\//.test(path));
    const callers = doors.filter(({ text }) => WRITES.test(codeOf(text)));

    assert.deepEqual(
      callers.map(({ path }) => path),
      [],
    );
  });

  test('files of helpers: nowhere', () => {
    const collections = sources.filter(({ path }) =>
      /\b(helpers?|utils?|shared|common|managers?|misc)\b/.test(path),
    );

    assert.deepEqual(
      collections.map(({ path }) => path),
      [],
    );
  });
});

// `identity.writes`, or `writes` in a destructuring pattern.
const WRITES = /\.writes\b|[{,]\s*writes\s*[,}:]/;

/** The files of src, test and packages, by their paths from the root. */
const files = globSync('{src,test,packages/*}/**/*.ts', { cwd: ROOT, exclude: ['**/dist/**'] }).map(
  (path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    return { path, text, lines: text.trimEnd().split('\n') };
  },
);

describe('Files are easy to read:', () => {
  const MOST_LINES = 300;
  const MOST_COLUMNS = 120;

  test('at most 300 lines each', () => {
    assert.deepEqual(
      pathsWhere(({ lines }) => lines.length > MOST_LINES),
      [],
    );
  });

  test('no line over 120 columns, except one that is mostly text', () => {
    const isTooLong = (line: string) => line.length > MOST_COLUMNS && !isMostlyText(line);

    assert.deepEqual(
      pathsWhere(({ lines }) => lines.some(isTooLong)),
      [],
    );
  });

  test('no object or list literal is spread where it is written', () => {
    assert.deepEqual(
      pathsWhere(({ text }) => SPREAD_LITERAL.test(codeOf(text))),
      [],
    );
  });

  function pathsWhere(breaksRule: (file: (typeof files)[number]) => boolean): string[] {
    return files.filter(breaksRule).map(({ path }) => path);
  }

  test('each begins with a comment that says what it is', () => {
    const silent = sources.filter(({ text }) => !/^(#!.*\n)?\/\/ \S/.test(text));

    assert.deepEqual(
      silent.map(({ path }) => path),
      [],
    );
  });
});

// `...{ a, b }` in an object, `...(['a', 'b'] as const)` in a list.
const SPREAD_LITERAL = /\.\.\.\{|\.\.\.\(\[[^\]]*\](?: as const)?,?\s*\)/;

/** Whether a quoted text, such as a sentence or data, takes up most of a line. */
function isMostlyText(line: string): boolean {
  const texts = line.match(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\<])*`/g) ?? [];
  return texts.some((text) => text.length > line.trim().length / 2);
}

// Leaves out comments, which may name what code may not contain.
function codeOf(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1');
}
