// The posts that a search found: how many, each with its words marked, and where to go on.

import { html } from 'hono/html';
import type { FoundPost, SearchResult } from '../../../community/search.ts';
import type { ShownNames } from '../../../community/tag.ts';
import type { Timestamp } from '../../../lib/clock.ts';
import {
  type LeftToRead,
  leftOfPage,
  partAroundFound,
  type SoughtWords,
  type TextPiece,
  withFoundWords,
} from '../../../lib/found-words.ts';
import { textOfHtml } from '../../../lib/html-text.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import { countOf } from '../../pages/moments.ts';
import type { Html } from '../../pages/page.ts';
import { neighbourLinks } from '../../pages/pagination.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { type PostInList, postListItem } from './item.ts';
import { type Choices, isFiltered, queryOfChoices, SEARCH_PATH } from './search-form.ts';

/** Show the results, or what to try if there are none. `result` is undefined if nothing can match. */
export function resultsOf(
  c: PageContext,
  now: Timestamp,
  choices: Choices,
  result: SearchResult | undefined,
  names: ShownNames,
): Html {
  const { language } = c.get('visitor');
  const t = words[language];
  const isTooShort = choices.isCompleted && result?.isCompleted === false;
  const short = isTooShort && html`<p class="soft" role="status">${t.tooShort}</p>`;
  if (result === undefined || result.posts.length === 0) {
    return html`${short}${nothingFound(choices, result, language)}`;
  }
  const left = leftOfPage();
  const items = result.posts.map((post) =>
    postListItem(marked(post, result, left), now, c.get('visitor'), { names }),
  );
  return html`
    ${short}
    ${countLine(result, choices, language)}
    <section aria-label="${t.results}">${items}</section>
    ${linksOn(choices, result, language)}`;
}

function countLine(result: SearchResult, { order }: Choices, language: Language): Html | '' {
  const { count, isCountCut, isCountFull, isCompleted } = result;
  if (count === undefined) return '';
  const t = words[language];
  const number = countOf(count);
  const text = isCountFull ? t.more(number) : isCountCut ? t.atLeast(number) : t.posts(count, number);
  return html`
    <p class="soft" role="status">
      ${text}${isCompleted && ` ${t.completed}`}
      ${isCountCut && order === 'popular' && t.newestOnly(number)}
    </p>`;
}

function marked(post: FoundPost, sought: SoughtWords, left: LeftToRead): PostInList {
  const text = post.html === undefined ? undefined : partAroundFound(textOfHtml(post.html), sought, left);
  return {
    ...post,
    marked: {
      title: withMarks(withFoundWords(post.title, sought)),
      text: withMarks(text ?? withFoundWords(post.excerpt, sought)),
    },
  };
}

function withMarks(pieces: readonly TextPiece[]): Html {
  return html`${pieces.map(({ text, isFound }) => (isFound ? html`<mark>${text}</mark>` : text))}`;
}

function linksOn(choices: Choices, result: SearchResult, language: Language): Html | string {
  const t = words[language];
  const { next, hasNextPage, isNextUnsearched, isCompleted } = result;
  const to = (more: Record<string, string>) =>
    `${SEARCH_PATH}?${new URLSearchParams({ ...queryOfChoices(choices), ...more })}`;
  const completed: Record<string, string> = isCompleted ? { words: 'begin' } : {};
  const isBeginning = choices.below === undefined && choices.page === 0;
  const continued = hasNextPage
    ? { page: `${choices.page + 2}` }
    : next !== undefined && { before: `${next}` };
  const text = !hasNextPage && isNextUnsearched ? t.older : t.furtherPosts;
  return neighbourLinks(language, {
    back: isBeginning ? undefined : { href: to({}) },
    next: continued ? { href: to({ ...completed, ...continued }), text } : undefined,
  });
}

function nothingFound(choices: Choices, result: SearchResult | undefined, language: Language): Html {
  const t = words[language];
  const { query, below, page } = choices;
  const isLater = below !== undefined || page > 0;
  const isCut = result?.next !== undefined;
  const unfiltered = `${SEARCH_PATH}?${new URLSearchParams({ q: query })}`;
  return html`
    <div class="empty">
      <p>${isCut ? t.notYet : isLater ? t.nothingMore : t.nothing(query)}</p>
      <p>${isFiltered(choices) ? html`<a href="${unfiltered}">${t.withoutFilters}</a>` : t.advice}</p>
      <p><a href="/categories">${t.categories}</a> &middot; <a href="/popular">${t.popular}</a></p>
    </div>
    ${result === undefined ? '' : linksOn(choices, result, language)}`;
}

const words = bilingual(
  {
    results: 'Results',
    posts: (n: number, text: string) => (n === 1 ? '1 post' : `${text} posts`),
    more: (text: string) => `More than ${text} posts`,
    atLeast: (text: string) => `${text} posts among the newest. Older ones were not searched yet.`,
    completed: 'with words that begin like this',
    tooShort:
      'Only whole words were searched for. Enter three letters or more to find the words that begin with them.',
    newestOnly: (text: string) => `The newest ${text} of them, the most popular first.`,
    furtherPosts: 'More posts',
    older: 'Search older posts',
    nothing: (query: string) => `No post contains “${query}”.`,
    nothingMore: 'No more posts contain these words.',
    notYet: 'None of the newest posts contain these words.',
    withoutFilters: 'Search without filters',
    advice: 'Check the spelling, or try fewer or different words.',
    categories: 'Browse the categories',
    popular: 'See popular posts',
  },
  {
    results: '搜索结果',
    posts: (_, text) => `找到 ${text} 篇文章`,
    more: (text) => `找到超过 ${text} 篇文章`,
    atLeast: (text) => `在较新的文章中找到 ${text} 篇，更早的文章尚未搜索。`,
    completed: '（包含以此开头的词）',
    tooShort: '本次只搜索了完整的词。至少输入三个字母，才能找到以其开头的词。',
    newestOnly: (text) => `以下是其中最新的 ${text} 篇，按热门程度排序。`,
    furtherPosts: '更多文章',
    older: '搜索更早的文章',
    nothing: (query) => `没有包含“${query}”的文章。`,
    nothingMore: '没有更多包含这些词的文章。',
    notYet: '较新的文章中没有包含这些词的。',
    withoutFilters: '不带筛选条件再搜一次',
    advice: '请检查拼写，减少搜索词，或换个词试试。',
    categories: '浏览分类',
    popular: '看看热门文章',
  },
);
