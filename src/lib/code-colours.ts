// Colours the code of a block whose language is named. The colours are classes of one letter, which the style sheet
// gives their meaning, so that the HTML stays short. The library is loaded with the first such block.

import { createRequire } from 'node:module';
import { lazily } from './remember.ts';

// Some languages take time that grows with the square of the block, or of a line. Longer ones stay as they are.
export const MOST_COLOURED = { ofText: 24_000, ofBlock: 6_000, ofLine: 300 };

// What one-letter words and signs become is much longer than code ever is.
const MOST_TIMES_LONGER = 6;
const SMALL = 1_000;

/** The languages by their names in the library, as pages show them. */
const LANGUAGES: Readonly<Record<string, string>> = {
  bash: 'Bash',
  c: 'C',
  cpp: 'C++',
  csharp: 'C#',
  css: 'CSS',
  diff: 'Diff',
  dockerfile: 'Dockerfile',
  go: 'Go',
  graphql: 'GraphQL',
  ini: 'INI',
  java: 'Java',
  javascript: 'JavaScript',
  json: 'JSON',
  kotlin: 'Kotlin',
  lua: 'Lua',
  makefile: 'Makefile',
  nginx: 'nginx',
  php: 'PHP',
  python: 'Python',
  ruby: 'Ruby',
  rust: 'Rust',
  scss: 'SCSS',
  sql: 'SQL',
  swift: 'Swift',
  typescript: 'TypeScript',
  xml: 'XML',
  yaml: 'YAML',
};

/** Other names that authors write, and what pages show for them. */
const ALIASES: Readonly<Record<string, readonly [language: string, title: string]>> = {
  sh: ['bash', 'Shell'],
  shell: ['bash', 'Shell'],
  zsh: ['bash', 'Shell'],
  h: ['c', 'C'],
  'c++': ['cpp', 'C++'],
  cs: ['csharp', 'C#'],
  'c#': ['csharp', 'C#'],
  patch: ['diff', 'Diff'],
  docker: ['dockerfile', 'Dockerfile'],
  golang: ['go', 'Go'],
  toml: ['ini', 'TOML'],
  js: ['javascript', 'JavaScript'],
  mjs: ['javascript', 'JavaScript'],
  jsx: ['javascript', 'JSX'],
  kt: ['kotlin', 'Kotlin'],
  make: ['makefile', 'Makefile'],
  py: ['python', 'Python'],
  rb: ['ruby', 'Ruby'],
  rs: ['rust', 'Rust'],
  ts: ['typescript', 'TypeScript'],
  tsx: ['typescript', 'TSX'],
  html: ['xml', 'HTML'],
  svg: ['xml', 'SVG'],
  yml: ['yaml', 'YAML'],
};

/** A language that blocks can be in. */
export interface CodeLanguage {
  name: string;
  /** As pages show it: plain letters and signs, the same for readers of every language. */
  title: string;
}

/** Find the language by the first word behind the fence. */
export function codeLanguage(info: string): CodeLanguage | undefined {
  const [word = ''] = info
    .trim()
    .toLowerCase()
    .split(/[\s{,]/, 1);
  if (Object.hasOwn(LANGUAGES, word)) return { name: word, title: LANGUAGES[word] ?? '' };
  const [name, title] = (Object.hasOwn(ALIASES, word) && ALIASES[word]) || [];
  return name === undefined || title === undefined ? undefined : { name, title };
}

/** Render the code with its colours. Undefined if that could take long, or become long. */
export function colouredCode(code: string, { name }: CodeLanguage): string | undefined {
  if (code.length > MOST_COLOURED.ofBlock || hasLongLine(code)) return undefined;
  const { value } = library().highlight(code, { language: name, ignoreIllegals: true });
  const html = withShortClasses(value);
  return html.length > MOST_TIMES_LONGER * code.length + SMALL ? undefined : html;
}

function hasLongLine(code: string): boolean {
  return code.split('\n').some(({ length }) => length > MOST_COLOURED.ofLine);
}

// Its own types bring those of browsers with them.
interface Highlighter {
  registerLanguage(name: string, language: unknown): void;
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { value: string };
}

// All languages at once: some have others inside, and the HTML must not depend on what was loaded before.
const library = lazily(() => {
  const load = createRequire(import.meta.url);
  const loaded = load('highlight.js/lib/core') as Highlighter;
  for (const name of Object.keys(LANGUAGES))
    loaded.registerLanguage(name, load(`highlight.js/lib/languages/${name}`));
  return loaded;
});

// Keywords, strings, numbers, comments, names, attributes, and the added and deleted lines of a difference.
const CLASSES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    k: 'keyword built_in literal selector-tag operator-keyword',
    s: 'string regexp char link template-string',
    n: 'number symbol bullet',
    c: 'comment quote doctag',
    t: 'title section type name class selector-class selector-id',
    v: 'attr attribute meta variable template-variable property selector-attr selector-pseudo',
    a: 'addition',
    d: 'deletion',
  }).flatMap(([letter, names]) => names.split(' ').map((name) => [name, letter])),
);

const SPAN = /<span class="(?:hljs-)?([\w-]+)[^"]*">|<\/span>/g;

// The library escapes the code, so every tag is one of its own.
function withShortClasses(html: string): string {
  const open: boolean[] = [];
  return html.replaceAll(SPAN, (_, name?: string) => {
    if (name === undefined) return open.pop() ? '</span>' : '';
    const letter = Object.hasOwn(CLASSES, name) ? CLASSES[name] : undefined;
    open.push(letter !== undefined);
    return letter === undefined ? '' : `<span class="${letter}">`;
  });
}
