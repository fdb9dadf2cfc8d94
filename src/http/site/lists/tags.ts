// The tags that posts have, and the posts of one tag.

import { html } from 'hono/html';
import { notFoundPage } from '../../pages/failures.ts';
import { bilingual } from '../../pages/language.ts';
import { countOf } from '../../pages/moments.ts';
import { page } from '../../pages/page.ts';
import { tagPath } from '../../pages/post-path.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { PRESS_SCRIPT } from '../../static-files.ts';
import { followButton } from '../members/following.ts';
import { sharingOfPage } from '../sharing.ts';
import type { SiteParts } from '../site-parts.ts';
import { listPage } from './list-page.ts';
import { addressOfList, languageInQuery, type PostList } from './post-list.ts';
import { SEARCH_PATH } from './search-form.ts';
import { tagInPath } from './tag-in-path.ts';
import { tagLink } from './tag-links.ts';

export const TAGS_PATH = '/tags';

const MOST_LISTED = 200;

/** Show the tags that are used most, with the number of their posts. */
export async function tagsPage({ community }: SiteParts, c: PageContext): Promise<Response> {
  const t = words[c.get('visitor').language];
  const tags = await community.reads.mostUsedTags(MOST_LISTED);
  return page(
    c,
    { title: t.tags, sharing: sharingOfPage(TAGS_PATH) },
    html`
      <h1>${t.tags}</h1>
      ${
        tags.length === 0
          ? html`<p class="empty">${t.none}</p>`
          : html`
            <p class="soft">${t.order}</p>
            <ul class="plain tag-list">
              ${tags.map(
                ({ name, postCount }) => html`
                  <li>${tagLink(name)} <span class="soft small">${countOf(postCount)}</span></li>`,
              )}
            </ul>`
      }`,
  );
}

/** Show the posts of the tag in the path, the newest first. */
export function tagPage(site: SiteParts, c: PageContext): Promise<Response> {
  return pageOfTag(site, c, 'new');
}

/** As `tagPage`, the most popular first. */
export function popularWithTagPage(site: SiteParts, c: PageContext): Promise<Response> {
  return pageOfTag(site, c, 'popular');
}

async function pageOfTag(site: SiteParts, c: PageContext, order: PostList['order']): Promise<Response> {
  const tag = await tagInPath(site, c);
  if (tag === undefined) return notFoundPage(c);
  const { name, postCount } = tag;
  const list: PostList = { order, tag, language: languageInQuery(c) };
  if (c.req.param('tag') !== name) {
    // Browsers must not cache the redirect: a tag can be renamed again, and the site can close to visitors.
    c.header('Cache-Control', 'no-store');
    return c.redirect(addressOfList(list), 301);
  }
  const { language, visit } = c.get('visitor');
  const t = words[language];
  const path = tagPath(name);
  return listPage(site, c, {
    list,
    categories: await site.community.reads.categories(),
    options: {
      title: `#${name}`,
      feed: `${path}/feed.atom`,
      ...(visit !== undefined && { script: PRESS_SCRIPT }),
    },
    head: html`
      <div class="row spread followable">
        <h1>#${name}</h1>
        ${await followButton(site, c, { tagId: tag.id }, path)}
      </div>
      <p class="meta">
        <span>${t.posts(postCount, countOf(postCount))}</span>
        <a href="${SEARCH_PATH}?${new URLSearchParams({ tag: name })}">${t.search}</a>
        <a href="${TAGS_PATH}">${t.all}</a>
      </p>`,
  });
}

const words = bilingual(
  {
    tags: 'Tags',
    order: 'The tags that are used most, with the number of their posts.',
    all: 'All tags',
    posts: (n: number, text: string) => (n === 1 ? '1 post' : `${text} posts`),
    search: 'Search in this tag',
    none: 'No post has a tag yet.',
  },
  {
    tags: '标签',
    order: '最常用的标签及其文章数。',
    all: '全部标签',
    posts: (_, text) => `${text} 篇文章`,
    search: '在此标签中搜索',
    none: '还没有文章使用标签。',
  },
);
