// The search for published posts.

import { html } from 'hono/html';
import { MOST_QUERY_CHARACTERS, searchPosts } from '../../../community/search.ts';
import { networkAround } from '../../../lib/network.ts';
import { partOf } from '../../../lib/part.ts';
import { ReadTooSlow } from '../../../lib/storage-unavailable.ts';
import { turnsOf } from '../../../lib/turns.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import { numberIn } from '../../pages/numbers.ts';
import { type Html, page } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { retryAfter, waitText } from '../../pages/waiting.ts';
import type { SiteParts } from '../site-parts.ts';
import { feedLinks } from './frame.ts';
import { postListItem } from './item.ts';

const PATH = '/search';
const PAGE_SIZE = 20;
const SEARCHES_A_MINUTE = 30;
const WINDOW_SECONDS = 60;

/** Show the search form and, for a query, the posts that match. */
export async function searchPage(site: SiteParts, c: PageContext): Promise<Response> {
  const t = words[c.get('visitor').language];
  const query = (c.req.query('q') ?? '').slice(0, MOST_QUERY_CHARACTERS).toWellFormed().trim();
  if (query === '') return pageWith(c, query, 200, html`<p class="soft">${t.hint}</p>`);
  const waitSeconds = await secondsToWait(site, c);
  if (waitSeconds !== undefined) return tooManyPage(c, query, waitSeconds);
  try {
    const caller = callerOf(site, c);
    const content = await inTurn(networkAround(caller) ?? caller, () => results(c, site, query));
    return content === undefined ? busyPage(c, query, t.busy) : await pageWith(c, query, 200, content);
  } catch (error) {
    if (error instanceof ReadTooSlow) return busyPage(c, query, t.tooSlow);
    throw error;
  }
}

// On PostgreSQL each search takes a connection, which all other pages need too.
const inTurn = turnsOf({ atOnce: 2, waiting: 20, waitingOfCaller: 3 });
const BUSY_SECONDS = 5;

function busyPage(c: PageContext, query: string, text: string): Promise<Response> {
  retryAfter(c, BUSY_SECONDS);
  return pageWith(c, query, 429, html`<p class="notice error" role="alert">${text}</p>`);
}

function callerOf(site: SiteParts, c: PageContext): string {
  const { visit } = c.get('visitor');
  return visit === undefined ? site.clientAddress(c) : `member ${visit.user.id}`;
}

function pageWith(c: PageContext, query: string, status: 200 | 429, content: Html): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  return page(
    c,
    { title: query === '' ? t.title : t.titleFor(query), status },
    html`
      <h1>${t.title}</h1>
      ${searchForm(query, language)}
      ${content}`,
  );
}

// Each search reads the index, and anyone can search.
async function secondsToWait(site: SiteParts, c: PageContext): Promise<number | undefined> {
  const hit = await site.counter.hit(`search:${callerOf(site, c)}`, SEARCHES_A_MINUTE, WINDOW_SECONDS);
  return hit.allowed ? undefined : hit.resetSeconds;
}

function tooManyPage(c: PageContext, query: string, waitSeconds: number): Promise<Response> {
  const { language } = c.get('visitor');
  const text = words[language].tooMany(waitText(waitSeconds, language));
  retryAfter(c, waitSeconds);
  return pageWith(c, query, 429, html`<p class="notice error" role="alert">${text}</p>`);
}

function searchForm(query: string, language: Language): Html {
  const t = words[language];
  return html`
    <form class="row search" method="get" action="${PATH}" role="search">
      <input type="search" name="q" value="${query}" maxlength="${MOST_QUERY_CHARACTERS}"
        aria-label="${t.label}" autocomplete="off">
      <button class="primary">${t.search}</button>
    </form>`;
}

async function results(c: PageContext, site: SiteParts, query: string): Promise<Html> {
  const { language } = c.get('visitor');
  const t = words[language];
  const now = site.clock();
  const below = numberIn(c.req.query('before'));
  const posts = await searchPosts(site.community, query, PAGE_SIZE + 1, below);
  if (posts.length === 0) return noResults(below === undefined ? t.nothing(query) : t.nothingMore, language);
  const { items, last } = partOf(posts, PAGE_SIZE);
  return html`
    <section aria-label="${t.results}">${items.map((post) => postListItem(post, now, c.get('visitor')))}</section>
    ${feedLinks(PATH, last && `${last.id}`, below === undefined, language, { q: query })}`;
}

function noResults(text: string, language: Language): Html {
  return html`
    <div class="empty">
      <p>${text}</p>
      <p>${words[language].advice}</p>
    </div>`;
}

const words = bilingual(
  {
    title: 'Search',
    titleFor: (query: string) => `“${query}” · Search`,
    label: 'Words to search for',
    search: 'Search',
    hint: 'Finds published posts that contain all of your words in the title or text. Newest first.',
    results: 'Results',
    nothing: (query: string) => `No post contains “${query}”.`,
    nothingMore: 'No more posts contain these words.',
    advice: 'Try fewer words, or different ones.',
    tooMany: (wait: string) => `Too many searches this minute. You can search again in ${wait}.`,
    busy: 'Several searches are under way. Search again in a few seconds.',
    tooSlow: 'This search takes too long, because very many posts contain these words. Try different ones.',
  },
  {
    title: '搜索',
    titleFor: (query: string) => `“${query}” · 搜索`,
    label: '搜索词',
    search: '搜索',
    hint: '查找标题或正文中包含全部搜索词的已发布文章，最新的在前。',
    results: '搜索结果',
    nothing: (query: string) => `没有包含“${query}”的文章。`,
    nothingMore: '没有更多包含这些词的文章。',
    advice: '请减少搜索词，或换个词试试。',
    tooMany: (wait: string) => `这一分钟的搜索次数已达上限，${wait}后可以继续搜索。`,
    busy: '正在处理其他搜索，请过几秒再试。',
    tooSlow: '包含这些词的文章太多，搜索耗时过长，请换个词试试。',
  },
);
