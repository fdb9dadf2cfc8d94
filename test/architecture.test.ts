// The architecture, checked: who may import whom, and what may be where (docs/architecture.md).

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, test } from 'node:test';
import { EXCUSED } from './architecture-excused.ts';

const ROOT = join(import.meta.dirname, '..');
const SRC = join(ROOT, 'src');

interface Source {
  path: string;
  text: string;
  /** Paths below src/ of what it imports; `typeOnly` if nothing of it is there at run time. */
  imports: { path: string; typeOnly: boolean }[];
}

type SourceFile = (typeof files)[number];

const sources: Source[] = globSync('**/*.ts', { cwd: SRC }).map((path) => {
  const text = readFileSync(join(SRC, path), 'utf8');
  return { path, text, imports: importsOf(path, text) };
});

function importsOf(path: string, text: string): Source['imports'] {
  const imports: Source['imports'] = [];
  for (const [, kind, specifier] of text.matchAll(/^(import type|import|export)\s[^;]*?from '(\.[^']+)'/gm)) {
    imports.push({ path: resolved(path, specifier ?? ''), typeOnly: kind === 'import type' });
  }
  for (const [, specifier] of text.matchAll(/\bimport\('(\.[^']+)'\)/g)) {
    imports.push({ path: resolved(path, specifier ?? ''), typeOnly: false });
  }
  return imports;
}

function resolved(path: string, specifier: string): string {
  return relative(SRC, join(SRC, dirname(path), specifier));
}

// Folders of the frame that the doors share; every other folder of http/ is a door.
const FRAME = ['pages', 'static'];

/**
 * Where a file lives: `http/oauth` for a door, `http` for a frame file, the file itself at the top. The cache is a room
 * of its own, so that nothing but compose.ts knows of it.
 */
function roomOf(path: string): string {
  const parts = path.split('/');
  if (path.startsWith('storage/cache/')) return 'storage/cache';
  if (parts.length === 1) return path;
  return parts[0] === 'http' && parts.length > 2 && !FRAME.includes(parts[1] ?? '')
    ? `http/${parts[1]}`
    : (parts[0] ?? '');
}

const ANY = 'any';
const ROOMS = ['audit', 'identity', 'community', 'oauth'];

/** What a room may import besides itself: a room, or `type:` and a room for its types alone. */
const ARROWS: Record<string, string[] | typeof ANY> = {
  lib: [],
  audit: ['lib'],
  identity: ['lib', 'audit'],
  community: ['lib', 'audit', 'type:identity'],
  oauth: ['lib', 'audit', 'type:identity'],
  storage: ['lib', 'type:import', ...ROOMS.map((room) => `type:${room}`)],
  'storage/cache': ['lib', 'storage', ...ROOMS.map((room) => `type:${room}`)],
  http: ['lib', ...ROOMS],
  'http/oauth': ['lib', ...ROOMS, 'http'],
  'http/api': ['lib', ...ROOMS, 'http'],
  'http/site': ['lib', ...ROOMS, 'http'],
  import: ['lib', ...ROOMS],
  cli: ['config.ts', 'compose.ts', 'lib', 'import', ...ROOMS],
  'config.ts': ['lib', 'oauth'],
  'compose.ts': ANY,
  'main.ts': ['start.ts'],
  'start.ts': ['config.ts', 'compose.ts', 'workers.ts', 'http', 'lib'],
  'workers.ts': ['lib'],
};

describe('Every import is an arrow of the plan:', () => {
  for (const room of Object.keys(ARROWS)) {
    test(room, () => {
      const allowed = ARROWS[room];
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

  test('and every file lives in a room', () => {
    assert.deepEqual(
      [...new Set(sources.map(({ path }) => roomOf(path)))].filter((room) => !(room in ARROWS)),
      [],
    );
  });
});

test('No file imports itself through others, types included.', () => {
  assert.deepEqual(
    circlesAmong(sources).map((files) => files.join(' ')),
    [],
  );
});

// Tarjan's algorithm: the groups of files in which each leads to every other one.
function circlesAmong(files: readonly Source[]): string[][] {
  const importsByPath = new Map(files.map(({ path, imports }) => [path, imports]));
  const order = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];

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
      const circle = open.splice(open.indexOf(path));
      if (circle.length > 1) circles.push(circle.sort());
    }
    return low;
  }

  for (const { path } of files) if (!order.has(path)) visit(path);
  return circles;
}

/** A thing that may stand only in certain files. */
const PLACES: { what: string; sign: RegExp; allowed: RegExp }[] = [
  { what: 'the environment', sign: /process\.env/, allowed: /^(main|cli\/main)\.ts$/ },
  { what: 'the system clock', sign: /Date\.now\(|new Date\(\)/, allowed: /^lib\/clock\.ts$/ },
  { what: 'a weak random number', sign: /Math\.random/, allowed: /^$/ },
  { what: 'SQL', sign: /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM)\s+[a-z_(*]+\b/, allowed: /^storage\// },
  { what: 'HTTP', sign: /from 'hono|\bnew Response\(/, allowed: /^(http\/|compose\.ts)/ },
  {
    what: 'a status code of the protocol',
    sign: /\b(?:400|401|403|429)\b/,
    allowed: /^(http|cli|storage)\//,
  },
  { what: 'console', sign: /\bconsole\./, allowed: /^$/ },
];

describe('Each thing stands only in its place:', () => {
  for (const { what, sign, allowed } of PLACES) {
    test(what, () => {
      const strays = sources.filter(({ path, text }) => !allowed.test(path) && sign.test(codeOf(text)));

      assert.deepEqual(
        strays.map(({ path }) => path),
        [],
      );
    });
  }

  test('the writes of a port: no page and no command calls them', () => {
    const doors = sources.filter(({ path }) => /^(http|cli)\//.test(path));
    const strays = doors.filter(({ text }) => WRITES.test(codeOf(text)));

    assert.deepEqual(
      strays.map(({ path }) => path),
      [],
    );
  });

  test('no room is a lumber room', () => {
    const lumber = sources.filter(({ path }) =>
      /\b(helpers?|utils?|shared|common|managers?|misc)\b/.test(path),
    );

    assert.deepEqual(
      lumber.map(({ path }) => path),
      [],
    );
  });
});

// `identity.writes`, or `writes` among the names that are taken out of a context.
const WRITES = /\.writes\b|[{,]\s*writes\s*[,}:]/;

/** The files of src and of test, by their paths from the root. */
const files = globSync('{src,test}/**/*.ts', { cwd: ROOT }).map((path) => {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return { path, text, lines: text.trimEnd().split('\n') };
});

describe('Files can be read at one sitting:', () => {
  const MOST_LINES = 300;
  const MOST_COLUMNS = 120;

  test('at most 300 lines each', () => {
    assertOnlyExcused('long files', (file) => file.lines.length > MOST_LINES);
  });

  test('no line over 120 columns, but one that is mostly a text', () => {
    const isTooLong = (line: string) => line.length > MOST_COLUMNS && !isMostlyText(line);

    assertOnlyExcused('long lines', ({ lines }) => lines.some(isTooLong));
  });

  test('no object or list literal is spread where it is written', () => {
    assertOnlyExcused('spread tricks', ({ text }) => SPREAD_LITERAL.test(codeOf(text)));
  });

  function assertOnlyExcused(rule: keyof typeof EXCUSED, breaks: (file: SourceFile) => boolean): void {
    const excused: readonly string[] = EXCUSED[rule];
    const strays = files.filter((file) => breaks(file) && !excused.includes(file.path));

    assert.deepEqual(
      strays.map(({ path }) => path),
      [],
    );
  }

  test('each begins by saying what it is', () => {
    const silent = sources.filter(({ text }) => !/^(#!.*\n)?\/\/ \S/.test(text));

    assert.deepEqual(
      silent.map(({ path }) => path),
      [],
    );
  });
});

// `...{ a, b }` in an object, `...(['a', 'b'] as const)` in a list.
const SPREAD_LITERAL = /\.\.\.\{|\.\.\.\(\[[^\]]*\](?: as const)?,?\s*\)/;

/** Whether a text in quotation marks takes up most of a line: a sentence for people, or data. */
function isMostlyText(line: string): boolean {
  const texts = line.match(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\<])*`/g) ?? [];
  return texts.some((text) => text.length > line.trim().length / 2);
}

// Comments may name what code may not do.
function codeOf(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1');
}
