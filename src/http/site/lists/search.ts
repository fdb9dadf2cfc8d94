// The search for published posts and members.

import type { HttpBindings } from '@hono/node-server';
import { html } from 'hono/html';
import { MOST_QUERY_CHARACTERS, searchPosts } from '../../../community/search.ts';
import { wholeNetworkOf } from '../../../lib/network.ts';
import { ReadTooSlow } from '../../../lib/storage-unavailable.ts';
import { turnsOf } from '../../../lib/turns.ts';
import { bilingual } from '../../pages/language.ts';
import { type Html, page } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { retryAfter, waitText } from '../../pages/waiting.ts';
import { setAside } from '../../under-way.ts';
import type { SiteParts } from '../site-parts.ts';
import { membersBeginningWith } from './found-members.ts';
import { type Choices, filtersOf, readChoices, searchForm } from './search-form.ts';
import { resultsOf } from './search-results.ts';
import { shownNames } from './shown-tags.ts';

const SEARCHES_A_MINUTE = 30;
const SEARCHES_OF_NETWORK = 120;
const WINDOW_SECONDS = 60;

/** Show the search form and, for a query, the posts and members that match. */
export async function searchPage(site: SiteParts, c: PageContext): Promise<Response> {
  const t = words[c.get('visitor').language];
  const choices = await readChoices(site, c);
  if (choices.query === '') return pageWith(c, choices, 200, html`<p class="soft">${t.hint}</p>`);
  const waitSeconds = await secondsToWait(site, c);
  if (waitSeconds !== undefined) return tooManyPage(c, choices, waitSeconds);
  try {
    const caller = callerOf(site, c);
    const search = inTurn(wholeNetworkOf(caller), () => results(c, site, choices));
    const content = await setAside(c.env as HttpBindings, search);
    return content === undefined ? busyPage(c, choices, t.busy) : await pageWith(c, choices, 200, content);
  } catch (error) {
    if (error instanceof ReadTooSlow) return busyPage(c, choices, t.tooSlow);
    throw error;
  }
}

// On PostgreSQL each search takes a connection, which all other pages need too. An ordinary search takes some
// milliseconds, and doesn't wait for those that take half a second.
const inTurn = turnsOf({ atOnce: 2, waiting: 20, waitingOfCaller: 3, aboutAsLong: 300 });
const BUSY_SECONDS = 5;

function busyPage(c: PageContext, choices: Choices, text: string): Promise<Response> {
  retryAfter(c, BUSY_SECONDS);
  return pageWith(c, choices, 429, html`<p class="notice error" role="alert">${text}</p>`);
}

function callerOf(site: SiteParts, c: PageContext): string {
  const { visit } = c.get('visitor');
  return visit === undefined ? site.clientAddress(c) : `member ${visit.user.id}`;
}

function pageWith(c: PageContext, choices: Choices, status: 200 | 429, content: Html): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const { query } = choices;
  return page(
    c,
    { title: query === '' ? t.title : t.titleFor(query), status, isSearch: true },
    html`
      <h1>${t.title}</h1>
      ${searchForm(choices, language, MOST_QUERY_CHARACTERS)}
      ${content}`,
  );
}

// Each search reads the index, and anyone can search.
async function secondsToWait(site: SiteParts, c: PageContext): Promise<number | undefined> {
  const caller = callerOf(site, c);
  const network = wholeNetworkOf(caller);
  const hit = await site.counter.hit(`search:${caller}`, SEARCHES_A_MINUTE, WINDOW_SECONDS);
  if (!hit.allowed) return hit.resetSeconds;
  if (network === caller) return undefined;
  const near = await site.counter.hit(`search:${network}`, SEARCHES_OF_NETWORK, WINDOW_SECONDS);
  return near.allowed ? undefined : near.resetSeconds;
}

function tooManyPage(c: PageContext, choices: Choices, waitSeconds: number): Promise<Response> {
  const { language } = c.get('visitor');
  const text = words[language].tooMany(waitText(waitSeconds, language));
  retryAfter(c, waitSeconds);
  return pageWith(c, choices, 429, html`<p class="notice error" role="alert">${text}</p>`);
}

async function results(c: PageContext, site: SiteParts, choices: Choices): Promise<Html> {
  const { query, order, below, page: number, isCompleted } = choices;
  const filters = await filtersOf(site, choices);
  const continued = { below, page: number, isCompleted };
  const result =
    filters === undefined
      ? undefined
      : await searchPosts(site.community, { ...filters, ...continued, text: query, order });
  return html`
    ${await membersBeginningWith(site, c, choices)}
    ${resultsOf(c, site.clock(), choices, result, await shownNames(site))}`;
}

const words = bilingual(
  {
    title: 'Search',
    titleFor: (query: string) => `“${query}” · Search`,
    hint: 'Finds published posts that contain all of your words in the title or text, and members by their names.',
    tooMany: (wait: string) => `Too many searches this minute. You can search again in ${wait}.`,
    busy: 'Several searches are under way. Search again in a few seconds.',
    tooSlow: 'This search takes too long, because very many posts contain these words. Try different ones.',
  },
  {
    title: '搜索',
    titleFor: (query: string) => `“${query}” · 搜索`,
    hint: '查找标题或正文中包含全部搜索词的已发布文章，以及用户名匹配的成员。',
    tooMany: (wait: string) => `这一分钟的搜索次数已达上限，${wait}后可以继续搜索。`,
    busy: '正在处理其他搜索，请过几秒再试。',
    tooSlow: '包含这些词的文章太多，搜索耗时过长，请换个词试试。',
  },
);
