// The documentation that the site serves: Markdown files in the repository. The chapters for developers are filled in
// with this site's address and token prefix.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainTextOf, renderMarkdown } from '../../lib/markdown.ts';
import { lazily } from '../../lib/remember.ts';
import { type Bilingual, bilingual, type Language } from '../pages/language.ts';
import type { Html } from '../pages/page.ts';
import { prose } from '../pages/prose.ts';
import { PATHS } from '../routes.ts';

const DOCS = join(import.meta.dirname, '../../../docs');
const FOLDER = join(DOCS, 'developers');
const EXAMPLES = join(DOCS, '../examples');

/** The page with every endpoint. */
export const REFERENCE_PATH = `${PATHS.docs}/reference`;

/** The page with the help for members. */
export const HELP_PATH = '/help';

/** A page of the documentation. */
export interface Chapter {
  title: string;
  path: string;
  /** Whether blocks of code are in the text, which have buttons. */
  hasCode: boolean;
  /** Renders the text on first use: rendering all chapters would take a fifth of the startup time. */
  text(): Html;
  /** Splits the text at its headings, on first use. */
  sections(): readonly Section[];
}

/** The part of a chapter below a heading; the first has the chapter's title. */
export interface Section {
  heading: string;
  /** The id of the heading, empty for the chapter's title. */
  anchor: string;
  /** Plain text. */
  text: string;
}

/** All chapters by their paths, in both languages. */
export type Chapters = ReadonlyMap<string, Bilingual<Chapter>>;

// The error codes with a page of their own.
function errorCodes(): string[] {
  return readdirSync(join(FOLDER, 'errors')).map((file) => file.replace(/\.md$/, ''));
}

/** The chapters that are not about one error, in the groups and the order of the menu. */
export const CHAPTER_GROUPS = {
  start: [
    'index',
    'quick-start-server',
    'quick-start-page',
    'quick-start-device',
    'quick-start-script',
    'walk-through',
  ],
  guides: ['register', 'openid', 'tokens', 'library', 'sandbox', 'assistants', 'events'],
  reference: ['reference', 'api', 'errors', 'inspector'],
  service: ['changes', 'deprecation', 'status', 'security'],
} as const;

// Made from the OpenAPI document, not from a file.
const REFERENCE = 'reference';

/** Read all chapters. Throws if a file is missing in one of the languages. */
export function readChapters(baseUrl: string, brand: string): Chapters {
  const read = (path: string) =>
    withSamples(readFileSync(path, 'utf8'))
      .replaceAll('{{base_url}}', baseUrl)
      .replaceAll('{{brand}}', brand);
  const chapters = Object.values(CHAPTER_GROUPS).flat();
  const files = [
    ...chapters.filter((file) => file !== REFERENCE),
    ...errorCodes().map((code) => `errors/${code}`),
  ];
  return new Map(
    files.map((file) => {
      const path = chapterPath(file);
      const chapter = (folder: string, language: Language) =>
        chapterOf(withPageLinks(read(join(folder, `${file}.md`)), file), path, language);
      return [path, { en: chapter(FOLDER, 'en'), zh: chapter(join(FOLDER, 'zh'), 'zh') }] as const;
    }),
  );
}

/** Read the help for members. */
export function readHelp(): Bilingual<Chapter> {
  const read = (file: string) => readFileSync(join(DOCS, file), 'utf8');
  return {
    en: chapterOf(read('members.md'), HELP_PATH, 'en'),
    zh: chapterOf(read('zh/members.md'), HELP_PATH, 'zh'),
  };
}

// The programs in examples/, which are tested, with this site's address instead of the one on the developer's computer.
function withSamples(text: string): string {
  return text.replaceAll(/^\{\{sample:([\w./-]+)\}\}$/gm, (_, path: string) =>
    readFileSync(join(EXAMPLES, path), 'utf8').trimEnd().replaceAll('http://localhost:3000', '{{base_url}}'),
  );
}

/** The path of the page that shows a file, which is named without `.md`. */
export function chapterPath(file: string): string {
  return file === 'index' ? PATHS.docs : `${PATHS.docs}/${file}`;
}

// Links between the files become links between the pages.
function withPageLinks(text: string, file: string): string {
  return text.replace(/\]\(([\w/.-]+)\.md(#[^)]*)?\)/g, (_, target: string, hash = '') => {
    const { pathname } = new URL(target, `docs://developers/${file}`);
    return `](${chapterPath(pathname.slice(1))}${hash})`;
  });
}

// The first line is the title.
function chapterOf(text: string, path: string, language: Language): Chapter {
  const [firstLine = '', ...rest] = text.split('\n');
  const title = firstLine.replace(/^# /, '');
  const markdown = rest.join('\n').replace(CHINESE_LINE_BREAK, '');
  return {
    title,
    path,
    hasCode: markdown.includes('```'),
    text: lazily(() => prose(withCopyButtons(withAnchors(renderMarkdown(markdown)), language))),
    sections: lazily(() => sectionsOf(title, markdown)),
  };
}

// Browsers show a line break as a space, which Chinese doesn't have between characters and after its punctuation. Lines
// that begin a list, a table or another block stay.
const CHINESE_LINE_BREAK =
  /(?<=[，。；：、！？）”])\n {0,3}(?![\s\-|#>\d]|```)|(?<=\p{Script=Han})\n {0,3}(?=\p{Script=Han})/gu;

const HEADING = /^#{2,3} +(.+)$/;

function sectionsOf(title: string, markdown: string): Section[] {
  const sections = [{ heading: title, anchor: '', lines: [] as string[] }];
  let isCode = false;
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const [, heading] = (!isCode && HEADING.exec(line)) || [];
    if (heading === undefined) sections.at(-1)?.lines.push(line);
    else sections.push({ heading: plainTextOf(heading), anchor: anchorOf(plainTextOf(heading)), lines: [] });
  }
  return sections.map(({ heading, anchor, lines }) => ({
    heading,
    anchor,
    text: plainTextOf(lines.join('\n')).replaceAll(/\s+/g, ' ').trim(),
  }));
}

// Links lead to headings by these ids.
function withAnchors(rendered: string): string {
  return rendered.replaceAll(
    /<(h[23])>(.*?)<\/\1>/g,
    (_, tag: string, content: string) =>
      `<${tag} id="${anchorOf(content.replaceAll(/<[^>]+>|&\w+;/g, ''))}">${content}</${tag}>`,
  );
}

// The script `copy.js` shows the buttons.
function withCopyButtons(rendered: string, language: Language): string {
  let blocks = 0;
  return rendered.replaceAll(
    /<pre( [^>]*)>(<code>[\s\S]*?<\/code>)<\/pre>/g,
    (_, shown: string, code: string) => {
      blocks += 1;
      const { copy, done } = COPY[language];
      const id = `code-${blocks}`;
      const attributes = `type="button" hidden data-copy="${id}" data-done="${done}" aria-live="polite"`;
      const button = `<button ${attributes}>${copy}</button>`;
      return `<div class="copied stacked"><pre${shown} id="${id}">${code}</pre>${button}</div>`;
    },
  );
}

const COPY = bilingual({ copy: 'Copy', done: 'Copied' }, { copy: '复制', done: '已复制' });

/** As GitHub makes them, so that a link to a heading works on the site and in the repository. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}
