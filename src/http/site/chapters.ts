// The chapters of the developer documentation: Markdown files in the repository, filled in with this site's
// address and token prefix.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderMarkdown } from '../../lib/markdown.ts';
import { lazily } from '../../lib/remember.ts';
import type { Html } from '../pages/page.ts';
import { prose } from '../pages/prose.ts';
import { PATHS } from '../routes.ts';

const FOLDER = join(import.meta.dirname, '../../../docs/developers');

/** A page of the documentation. */
export interface Chapter {
  title: string;
  /** Renders the text on first use: rendering all chapters would take a fifth of the startup time. */
  text(): Html;
}

// The error codes with a page of their own.
function errorCodes(): string[] {
  return readdirSync(join(FOLDER, 'errors')).map((file) => file.replace(/\.md$/, ''));
}

/** Read all chapters, by their paths. Throws if a file is missing. */
export function readChapters(baseUrl: string, brand: string): ReadonlyMap<string, Chapter> {
  const files = [
    'index',
    'openid',
    'api',
    'tokens',
    'errors',
    'security',
    ...errorCodes().map((code) => `errors/${code}`),
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

/** The path of the page that shows a file, which is named without `.md`. */
export function chapterPath(file: string): string {
  return file === 'index' ? PATHS.docs : `${PATHS.docs}/${file}`;
}

// The first line is the title. Links between the files become links between the pages.
function chapterOf(text: string, file: string): Chapter {
  const [firstLine = '', ...rest] = text.split('\n');
  const markdown = rest.join('\n').replace(/\]\(([\w/.-]+)\.md\)/g, (_, target: string) => {
    const { pathname } = new URL(target, `docs://developers/${file}`);
    return `](${chapterPath(pathname.slice(1))})`;
  });
  return { title: firstLine.replace(/^# /, ''), text: lazily(() => prose(renderMarkdown(markdown))) };
}
