// The choices above a list of posts: the order, the language of the posts, the view, and the categories.

import { html } from 'hono/html';
import { POST_LANGUAGES, type PostLanguage } from '../../../community/post-language.ts';
import type { Category } from '../../../community/store.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import type { Html } from '../../pages/page.ts';
import { categoryPath } from '../../pages/post-path.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { MOST_CATEGORIES, type Overview } from './overview.ts';
import { addressOfList, type PostList } from './post-list.ts';
import { viewButton } from './view.ts';

/** Make the choices above a list. The categories are beside the list where there is room. */
export function listChoices(
  c: PageContext,
  list: PostList,
  categories: readonly Category[],
  { languages }: Overview,
): Html {
  const { language } = c.get('visitor');
  const t = words[language];
  const order = (each: PostList['order'], text: string) =>
    link(addressOfList({ ...list, order: each }), text, list.order === each);
  const isFilter = languages.length > 1 || list.language !== undefined;
  return html`
    <div class="choices">
      <nav class="tabs" aria-label="${t.order}">
        ${order('new', t.newest)}
        ${order('popular', t.popular)}
      </nav>
      ${isFilter && languageLinks(list, languages, language)}
      ${viewButton(c)}
    </div>
    ${categories.length < 2 || list.tag !== undefined ? '' : topicLinks(categories, list.category, language)}`;
}

function languageLinks(list: PostList, languages: readonly PostLanguage[], language: Language): Html {
  const t = words[language];
  const to = (each: PostList['language'], text: string) =>
    link(addressOfList({ ...list, language: each }), text, list.language === each);
  const offered = POST_LANGUAGES.filter((each) => languages.includes(each) || each === list.language);
  return html`
    <nav class="tabs small" aria-label="${t.language}">
      ${to(undefined, t.anyLanguage)}
      ${offered.map((each) => to(each, t.languages[each]))}
    </nav>`;
}

function topicLinks(
  categories: readonly Category[],
  current: Category | undefined,
  language: Language,
): Html {
  const t = words[language];
  const topics = categories
    .slice(0, MOST_CATEGORIES)
    .map(({ id, slug, name }) => link(categoryPath(slug), name, current?.id === id));
  return html`
    <nav class="topics" aria-label="${t.categories}">
      ${topics}
      ${categories.length > MOST_CATEGORIES ? link('/categories', t.all, false) : ''}
    </nav>`;
}

function link(path: string, text: string, isCurrent: boolean): Html {
  return html`<a href="${path}"${isCurrent ? html` aria-current="page"` : ''}>${text}</a>`;
}

const words = bilingual(
  {
    order: 'Sort order',
    language: 'Language of the posts',
    anyLanguage: 'All',
    languages: { en: 'English', zh: '中文', other: 'Other' },
    newest: 'New',
    popular: 'Popular',
    categories: 'Categories',
    all: 'All categories',
  },
  {
    order: '排序',
    language: '文章的语言',
    anyLanguage: '全部',
    languages: { en: 'English', zh: '中文', other: '其他' },
    newest: '最新',
    popular: '热门',
    categories: '分类',
    all: '全部分类',
  },
);
