// The documentation for developers, one page for each chapter.

import { html } from 'hono/html';
import { contactLine } from '../pages/contact.ts';
import { notFoundPage } from '../pages/failures.ts';
import { bilingual } from '../pages/language.ts';
import { type Html, page } from '../pages/page.ts';
import type { PageContext } from '../pages/visitor.ts';
import { type Chapter, chapterPath } from './chapters.ts';
import { sectionMenu } from './section-menu.ts';
import type { SiteParts } from './site-parts.ts';

/** Show the chapter at the path. */
export function documentationPage({ chapters }: SiteParts, c: PageContext): Promise<Response> {
  const chapter = chapters.get(c.req.path);
  return chapter === undefined ? notFoundPage(c) : pageOfChapter(c, chapter);
}

function pageOfChapter(c: PageContext, chapter: Chapter): Promise<Response> {
  const t = words[c.get('visitor').language];
  return page(
    c,
    { title: chapter.title, menu: menu(c) },
    html`
      ${t.englishOnly === '' ? '' : html`<p class="soft small">${t.englishOnly}</p>`}
      <article lang="en">
        <h1>${chapter.title}</h1>
        ${chapter.text()}
      </article>
      ${contactLine(c)}`,
  );
}

function menu(c: PageContext): Html {
  const t = words[c.get('visitor').language];
  const items = (['index', 'openid', 'api', 'tokens', 'errors', 'security'] as const).map((file) => {
    const path = chapterPath(file);
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
      index: 'Sign members in',
      openid: 'OpenID Connect',
      api: 'Read-only API',
      tokens: 'Tokens',
      errors: 'Errors',
      security: 'Report a vulnerability',
    },
  },
  {
    documentation: '文档',
    englishOnly: '开发者文档目前只有英文版。',
    chapters: {
      index: '让成员登录',
      openid: 'OpenID Connect',
      api: '只读 API',
      tokens: '令牌',
      errors: '错误',
      security: '报告安全漏洞',
    },
  },
);
