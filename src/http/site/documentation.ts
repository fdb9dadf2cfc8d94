// The developers' documentation: Markdown files of the project, with the addresses and prefixes of this very site.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Hono } from 'hono';
import { html } from 'hono/html';
import { lazily } from '../../lib/remember.ts';
import { bilingual } from '../pages/language.ts';
import { type Html, page } from '../pages/page.ts';
import { prose } from '../pages/prose.ts';
import type { PageContext, PageEnv } from '../pages/visitor.ts';
import { PATHS } from '../routes.ts';
import type { SiteDoor } from './door.ts';
import { notFoundPage } from './failures.ts';
import { sectionMenu } from './section-menu.ts';

const FOLDER = join(import.meta.dirname, '../../../docs/developers');

interface Chapter {
  title: string;
  /** Made for the first reader: all chapters together take a fifth of the start. */
  text(): Html;
}

export function documentationPages(site: SiteDoor): Hono<PageEnv> {
  const chapters = readChapters(site);
  const door = new Hono<PageEnv>();
  const answer = (c: PageContext) => {
    const chapter = chapters.get(c.req.path);
    return chapter === undefined ? notFoundPage(c) : chapterPage(c, chapter);
  };
  door.get(PATHS.docs, answer);
  door.get(`${PATHS.docs}/*`, answer);
  return door;
}

// The error codes that have a page of their own.
function explainedErrors(): string[] {
  return readdirSync(join(FOLDER, 'errors')).map((file) => file.replace(/\.md$/, ''));
}

// Read once, at start: a file that is missing is noticed then.
function readChapters({ site, oauth }: SiteDoor): Map<string, Chapter> {
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
        .replaceAll('{{base_url}}', site.baseUrl)
        .replaceAll('{{brand}}', oauth.brand);
      return [pathOf(file), chapterOf(text, file)] as const;
    }),
  );
}

function pathOf(file: string): string {
  return file === 'index' ? PATHS.docs : `${PATHS.docs}/${file}`;
}

// The first line is the title; links between the files become links between the pages.
function chapterOf(text: string, file: string): Chapter {
  const [firstLine = '', ...rest] = text.split('\n');
  const markdown = rest.join('\n').replace(/\]\(([\w/.-]+)\.md\)/g, (_, target: string) => {
    const { pathname } = new URL(target, `docs://developers/${file}`);
    return `](${pathOf(pathname.slice(1))})`;
  });
  return { title: firstLine.replace(/^# /, ''), text: lazily(() => prose(markdown)) };
}

function chapterPage(c: PageContext, chapter: Chapter): Response | Promise<Response> {
  const t = words[c.get('visitor').language];
  return page(
    c,
    { title: chapter.title, menu: menu(c) },
    html`${t.englishOnly === '' ? '' : html`<p class="soft small">${t.englishOnly}</p>`}
<article lang="en"><h1>${chapter.title}</h1>${chapter.text()}</article>`,
  );
}

function menu(c: PageContext): Html {
  const t = words[c.get('visitor').language];
  const items = (['index', 'openid', 'api', 'tokens', 'errors'] as const).map((file) => {
    const path = pathOf(file);
    const isHere = c.req.path === path || (file === 'errors' && c.req.path.startsWith(`${path}/`));
    return { path, name: t.chapters[file], isHere };
  });
  return sectionMenu(t.documentation, items);
}

const words = bilingual(
  {
    documentation: 'Documentation',
    englishOnly: '',
    chapters: {
      index: 'Sign a member in',
      openid: 'OpenID Connect',
      api: 'The read API',
      tokens: 'Tokens',
      errors: 'Errors',
    },
  },
  {
    documentation: '文档',
    englishOnly: '开发者文档目前只有英文版。',
    chapters: {
      index: '让成员登录',
      openid: 'OpenID Connect',
      api: '读取 API',
      tokens: '令牌',
      errors: '错误',
    },
  },
);
