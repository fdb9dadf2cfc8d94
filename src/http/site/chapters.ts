// The chapters of the developers' documentation: Markdown files of the project, filled in with the addresses
// and prefixes of this site.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lazily } from '../../lib/remember.ts';
import type { Html } from '../pages/page.ts';
import { prose } from '../pages/prose.ts';
import { PATHS } from '../routes.ts';

const FOLDER = join(import.meta.dirname, '../../../docs/developers');

export interface Chapter {
  title: string;
  /** Rendered for the first reader: to render all chapters takes a fifth of the start. */
  text(): Html;
}

// The error codes that have a page of their own.
function explainedErrors(): string[] {
  return readdirSync(join(FOLDER, 'errors')).map((file) => file.replace(/\.md$/, ''));
}

/** Reads all chapters, by their paths. Throws if a file is missing. */
export function readChapters(baseUrl: string, brand: string): ReadonlyMap<string, Chapter> {
  const files = [
    'index',
    'openid',
    'api',
    'tokens',
    'errors',
    ...explainedErrors().map((code) => `errors/${code}`),
  ];
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(FOLDER, `${file}.md`), 'utf8')
        .replaceAll('{{base_url}}', baseUrl)
        .replaceAll('{{brand}}', brand);
      return [chapterPath(file), chapterOf(text, file)] as const;
    }),
  );
}

/** The path of the chapter in this file. */
export function chapterPath(file: string): string {
  return file === 'index' ? PATHS.docs : `${PATHS.docs}/${file}`;
}

// The first line is the title; links between the files become links between the pages.
function chapterOf(text: string, file: string): Chapter {
  const [firstLine = '', ...rest] = text.split('\n');
  const markdown = rest.join('\n').replace(/\]\(([\w/.-]+)\.md\)/g, (_, target: string) => {
    const { pathname } = new URL(target, `docs://developers/${file}`);
    return `](${chapterPath(pathname.slice(1))})`;
  });
  return { title: firstLine.replace(/^# /, ''), text: lazily(() => prose(markdown)) };
}
