// The documentation for developers, one page for each chapter, and its search.

import { html } from 'hono/html';
import { contactLine } from '../pages/contact.ts';
import { notFoundPage } from '../pages/failures.ts';
import { bilingual, LANGUAGE_TAGS } from '../pages/language.ts';
import { type Html, page } from '../pages/page.ts';
import type { PageContext } from '../pages/visitor.ts';
import { PATHS } from '../routes.ts';
import { COPY_SCRIPT } from '../static-files.ts';
import { type Chapter, chapterPath } from './chapters.ts';
import { docsMenu } from './docs-menu.ts';
import { foundSections, MOST_FOUND, MOST_SEARCHED } from './documentation-search.ts';
import { marked } from './marked.ts';
import { referenceSections } from './reference/sections.ts';
import { sharingOfPage } from './sharing.ts';
import type { SiteParts } from './site-parts.ts';

const SEARCH_PATH = `${PATHS.docs}/search`;

/** Show the chapter at the path. */
export function documentationPage(parts: SiteParts, c: PageContext): Promise<Response> {
  const chapter = parts.chapters.get(c.req.path)?.[c.get('visitor').language];
  return chapter === undefined ? notFoundPage(c) : pageOfChapter(parts, c, chapter);
}

/** Show the sections in which all words of the query occur. */
export async function documentationSearchPage(site: SiteParts, c: PageContext): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const query = (c.req.query('q') ?? '').slice(0, MOST_SEARCHED).toWellFormed().trim();
  const all = [...site.chapters.values()].map((chapter) => chapter[language]);
  all.push(await referenceSections(site, language));
  const found = foundSections(all, query);
  const items = found.slice(0, MOST_FOUND).map(
    ({ chapter, section, snippet }) => html`
      <li>
        <a href="${chapter.path}${section.anchor && `#${section.anchor}`}"
          >${chapter.title}${section.anchor && ` · ${section.heading}`}</a>
        <br>
        <span class="small">${marked(snippet, query)}</span>
      </li>`,
  );
  const result =
    found.length === 0 ? html`<p class="empty">${t.nothing}</p>` : html`<ul class="found">${items}</ul>`;
  return page(
    c,
    { title: t.search, menu: docsMenu(c) },
    html`
      <h1>${t.search}</h1>
      ${searchForm(c, query)}
      ${query !== '' && html`<p class="soft" role="status">${t.found(found.length)}</p>${result}`}`,
  );
}

function pageOfChapter(
  { sandboxUrl }: SiteParts,
  c: PageContext,
  { title, path, text, hasCode }: Chapter,
): Promise<Response> {
  const t = words[c.get('visitor').language];
  const hasLink = sandboxUrl !== undefined && path === chapterPath('sandbox');
  return page(
    c,
    { title, menu: docsMenu(c), sharing: sharingOfPage(path), ...(hasCode && { script: COPY_SCRIPT }) },
    html`
      ${searchForm(c, '')}
      <article lang="${LANGUAGE_TAGS[c.get('visitor').language]}" class="docs">
        <h1>${title}</h1>
        ${hasLink && html`<p class="notice">${t.sandbox} <a href="${sandboxUrl}/">${sandboxUrl}</a></p>`}
        ${text()}
      </article>
      ${contactLine(c)}`,
  );
}

function searchForm(c: PageContext, query: string): Html {
  const t = words[c.get('visitor').language];
  return html`
    <form method="get" action="${SEARCH_PATH}" role="search" class="find">
      <div class="field">
        <label class="unseen" for="q">${t.search}</label>
        <input type="search" id="q" name="q" value="${query}" maxlength="${MOST_SEARCHED}" placeholder="${t.search}">
      </div>
      <button>${t.go}</button>
    </form>`;
}

const words = bilingual(
  {
    sandbox: 'The sandbox of this community:',
    search: 'Search the documentation',
    go: 'Search',
    nothing: 'Nothing was found. Try fewer or other words, such as an error code or the name of a parameter.',
    found: (count: number) => (count === 1 ? '1 section' : `${count} sections`),
  },
  {
    sandbox: '本社区的沙盒：',
    search: '搜索文档',
    go: '搜索',
    nothing: '没有找到。请减少或更换关键词，例如错误代码或参数名。',
    found: (count: number) => `找到 ${count} 节`,
  },
);
