// The form of the search, and what its fields mean.

import { html } from 'hono/html';
import { POST_LANGUAGES, type PostLanguage } from '../../../community/post-language.ts';
import { MOST_QUERY_CHARACTERS, type Search } from '../../../community/search.ts';
import type { Category } from '../../../community/store.ts';
import { MOST_TAG_CHARACTERS } from '../../../community/tag.ts';
import { usernameKey } from '../../../identity/username.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import { numberIn } from '../../pages/numbers.ts';
import type { Html } from '../../pages/page.ts';
import { askedPage } from '../../pages/pagination.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { languageInQuery } from './post-list.ts';
import { publicTag } from './tag-in-path.ts';

export const SEARCH_PATH = '/search';

const MOST_NAME_CHARACTERS = 30;

/** What a visitor chose in the form, and where the results continue. */
export interface Choices {
  query: string;
  /** A username. Empty for any author. */
  author: string;
  category: Category | undefined;
  /** As it was typed, or its name. Empty for any tag. */
  tag: string;
  language: PostLanguage | undefined;
  order: Search['order'];
  categories: readonly Category[];
  below: number | undefined;
  page: number;
  isCompleted: boolean;
}

export async function readChoices({ community }: SiteParts, c: PageContext): Promise<Choices> {
  const textOf = (name: string, most: number) =>
    (c.req.query(name) ?? '').slice(0, most).toWellFormed().trim();
  const categories = await community.reads.categories();
  const slug = c.req.query('category');
  const order = c.req.query('sort') === 'popular' ? 'popular' : 'new';
  return {
    query: textOf('q', MOST_QUERY_CHARACTERS),
    author: textOf('author', MOST_NAME_CHARACTERS).replace(/^@/, ''),
    category: categories.find((category) => category.slug === slug),
    tag: textOf('tag', MOST_TAG_CHARACTERS + 1).replace(/^#/, ''),
    language: languageInQuery(c),
    order,
    categories,
    below: order === 'new' ? numberIn(c.req.query('before')) : undefined,
    page: order === 'popular' ? askedPage(c) : 0,
    isCompleted: c.req.query('words') === 'begin',
  };
}

type Filters = Pick<Search, 'authorId' | 'categoryId' | 'tagId' | 'language'>;

/** Return the filters for the search. Undefined if there is no such author or tag. */
export async function filtersOf(
  { identity, community }: SiteParts,
  { author, category, tag, language }: Choices,
): Promise<Filters | undefined> {
  const filters: Filters = { categoryId: category?.id, language };
  if (author !== '') {
    const user = await identity.reads.findUserByName(usernameKey(author));
    if (user === undefined) return undefined;
    filters.authorId = user.id;
  }
  if (tag !== '') {
    const found = await publicTag(community, tag);
    if (found === undefined) return undefined;
    filters.tagId = found.id;
  }
  return filters;
}

/** Return the query of an address with these choices. */
export function queryOfChoices({
  query,
  author,
  category,
  tag,
  language,
  order,
}: Choices): Record<string, string> {
  return {
    q: query,
    ...(author !== '' && { author }),
    ...(category !== undefined && { category: category.slug }),
    ...(tag !== '' && { tag }),
    ...(language !== undefined && { language }),
    ...(order === 'popular' && { sort: order }),
  };
}

/** Report whether the choices leave out any posts. */
export function isFiltered({ author, category, tag, language }: Choices): boolean {
  return author !== '' || tag !== '' || category !== undefined || language !== undefined;
}

/** Make the form. The filters are folded away until one is chosen. */
export function searchForm(choices: Choices, language: Language, mostCharacters: number): Html {
  const t = words[language];
  const { query, author, tag, order } = choices;
  const isOpen = isFiltered(choices) || order === 'popular';
  return html`
    <form class="search" method="get" action="${SEARCH_PATH}" role="search">
      <div class="row">
        <input type="search" name="q" value="${query}" maxlength="${mostCharacters}"
          aria-label="${t.label}" autocomplete="off">
        <button class="primary">${t.search}</button>
      </div>
      <details${isOpen ? html` open` : ''}>
        <summary>${t.filters}</summary>
        <div class="filters">
          ${select('sort', t.sort, order, [
            ['new', t.newest],
            ['popular', t.popular],
          ])}
          <p class="field">
            <label for="author">${t.author}</label>
            <input id="author" name="author" value="${author}" maxlength="${MOST_NAME_CHARACTERS}"
              autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="${t.anyone}">
          </p>
          ${categoryField(choices, t)}
          <p class="field">
            <label for="tag">${t.tag}</label>
            <input id="tag" name="tag" value="${tag}" maxlength="${MOST_TAG_CHARACTERS + 1}" autocomplete="off"
              autocapitalize="none" spellcheck="false" placeholder="${t.anyTag}">
          </p>
          ${select('language', t.language, choices.language ?? '', [
            ['', t.anyLanguage],
            ...POST_LANGUAGES.map((each): [string, string] => [each, t.languages[each]]),
          ])}
        </div>
      </details>
    </form>`;
}

function categoryField({ categories, category }: Choices, t: Words): Html | '' {
  if (categories.length < 2) return '';
  const options = categories.map(({ slug, name }): [string, string] => [slug, name]);
  return select('category', t.category, category?.slug ?? '', [['', t.anyCategory], ...options]);
}

function select(name: string, label: string, chosen: string, options: readonly [string, string][]): Html {
  return html`
    <p class="field">
      <label for="${name}">${label}</label>
      <select id="${name}" name="${name}">
        ${options.map(
          ([value, text]) =>
            html`<option value="${value}"${value === chosen ? html` selected` : ''}>${text}</option>`,
        )}
      </select>
    </p>`;
}

type Words = (typeof words)['en'];

const words = bilingual(
  {
    label: 'Words to search for',
    search: 'Search',
    filters: 'Sort and filter',
    sort: 'Sort by',
    newest: 'Newest',
    popular: 'Most popular',
    author: 'Author',
    anyone: 'Username',
    category: 'Category',
    anyCategory: 'All categories',
    tag: 'Tag',
    anyTag: 'Any tag',
    language: 'Language',
    anyLanguage: 'All languages',
    languages: { en: 'English', zh: '中文', other: 'Other' },
  },
  {
    label: '搜索词',
    search: '搜索',
    filters: '排序与筛选',
    sort: '排序',
    newest: '最新',
    popular: '最热门',
    author: '作者',
    anyone: '用户名',
    category: '分类',
    anyCategory: '全部分类',
    tag: '标签',
    anyTag: '不限',
    language: '语言',
    anyLanguage: '全部语言',
    languages: { en: 'English', zh: '中文', other: '其他' },
  },
);
