// What is beside a list of posts on a wide screen: an announcement, the popular posts of the week, and the categories.

import { html } from 'hono/html';
import type { PostSummary } from '../../../community/post.ts';
import type { Category } from '../../../community/store.ts';
import { DAY, MINUTE } from '../../../lib/clock.ts';
import { bilingual } from '../../pages/language.ts';
import type { Html, PageOptions } from '../../pages/page.ts';
import { categoryPath, memberPath, postPath } from '../../pages/post-path.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { writtenText } from '../written.ts';
import { MOST_CATEGORIES, type Overview, postsText } from './overview.ts';
import type { PostList } from './post-list.ts';

const WEEK = 7 * DAY;
const MOST_POPULAR = 5;

/** What is read for the parts beside a list. */
export interface ReadBeside {
  announcement: Html | '';
  /** The same array at every read until one of the posts changes, for a minute. */
  popular: readonly PostSummary[];
}

/** Read what the parts beside a list need, except for the categories. */
export async function readBeside(
  site: SiteParts,
  c: PageContext,
  order: PostList['order'],
): Promise<ReadBeside> {
  return {
    announcement: await writtenText(site, c, 'announcement'),
    popular: order === 'popular' ? [] : await popularOfWeek(site),
  };
}

/** Make the parts of a page that are beside its list. */
export function partsBeside(
  c: PageContext,
  list: PostList,
  categories: readonly Category[],
  overview: Overview,
  { announcement, popular: mostPopular }: ReadBeside,
): Pick<PageOptions, 'announcement' | 'beside'> {
  const t = words[c.get('visitor').language];
  // Where nobody reacts, the newest posts would be the popular ones.
  const popular = mostPopular.filter(({ likeCount, commentCount }) => likeCount + commentCount > 0);
  const hasCategories = categories.length > 1;
  return {
    ...(announcement !== '' && {
      announcement: html`<aside class="announcement" aria-label="${t.announcement}">${announcement}</aside>`,
    }),
    ...((popular.length > 0 || hasCategories) && {
      beside: html`
        <aside class="beside">
          ${popular.length > 0 && popularList(popular, t)}
          ${hasCategories && categoryList(categories, list.category, overview, t)}
        </aside>`,
    }),
  };
}

function popularOfWeek({ community, clock }: SiteParts): Promise<readonly PostSummary[]> {
  // The same list for a minute, so that storage can keep it.
  const since = Math.floor(clock() / MINUTE) * MINUTE - WEEK;
  return community.reads.popularSince(since, MOST_POPULAR);
}

function popularList(posts: readonly PostSummary[], t: Words): Html {
  const items = posts.map(
    (post) => html`
      <li>
        <a href="${postPath(post)}">${post.title}</a>
        <a class="soft" href="${memberPath(post.authorName)}">${post.authorName}</a>
      </li>`,
  );
  return html`<section><h2>${t.popular}</h2><ol class="plain">${items}</ol></section>`;
}

function categoryList(
  categories: readonly Category[],
  current: Category | undefined,
  { posts }: Overview,
  t: Words,
): Html {
  const items = categories.slice(0, MOST_CATEGORIES).map(({ id, slug, name }) => {
    const count = posts.get(id);
    return html`
      <li>
        <a href="${categoryPath(slug)}"${id === current?.id ? html` aria-current="true"` : ''}>${name}</a>
        ${count !== undefined && html`<span class="soft">${postsText(count)}</span>`}
      </li>`;
  });
  return html`
    <nav class="counted" aria-label="${t.categories}">
      <h2>${t.categories}</h2>
      <ul class="plain">
        ${items}
        ${categories.length > MOST_CATEGORIES && html`<li><a href="/categories">${t.all}</a></li>`}
      </ul>
    </nav>`;
}

type Words = (typeof words)['en'];

const words = bilingual(
  {
    announcement: 'Announcement',
    popular: 'Popular this week',
    categories: 'Categories',
    all: 'All categories',
  },
  { announcement: '公告', popular: '本周热门', categories: '分类', all: '全部分类' },
);
