// The tags that posts have, and the posts of one tag.

import { html } from 'hono/html';
import { BEGINNING } from '../../../community/feed.ts';
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
import { cursorInQuery, cursorText, FEED_PAGE_SIZE, feedLinks, pageOf } from './frame.ts';
import { postListItem } from './item.ts';
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
export async function tagPage(site: SiteParts, c: PageContext): Promise<Response> {
  const tag = await tagInPath(site, c);
  if (tag === undefined) return notFoundPage(c);
  const path = tagPath(tag.name);
  if (c.req.param('tag') !== tag.name) return c.redirect(path, 301);
  const { language, visit } = c.get('visitor');
  const t = words[language];
  const before = cursorInQuery(c);
  const posts = await site.community.reads.postsWithTag(tag.id, before ?? BEGINNING, FEED_PAGE_SIZE + 1);
  const { items, end } = pageOf(posts, FEED_PAGE_SIZE, ({ publishedAt }) => publishedAt);
  const now = site.clock();
  return page(
    c,
    {
      title: `#${tag.name}`,
      feed: `${path}/feed.atom`,
      sharing: before === undefined ? sharingOfPage(path) : undefined,
      ...(visit !== undefined && { script: PRESS_SCRIPT }),
    },
    html`
      <div class="row spread followable">
        <h1>#${tag.name}</h1>
        ${await followButton(site, c, { tagId: tag.id }, path)}
      </div>
      <p class="soft">${t.posts(tag.postCount, countOf(tag.postCount))} · <a href="${TAGS_PATH}">${t.all}</a></p>
      ${
        items.length === 0
          ? html`<p class="empty">${t.noneOlder}</p>`
          : items.map((post) => postListItem(post, now, c.get('visitor')))
      }
      ${feedLinks(path, cursorText(end), before === undefined, language)}`,
  );
}

const words = bilingual(
  {
    tags: 'Tags',
    order: 'The tags that are used most, with the number of their posts.',
    all: 'All tags',
    posts: (n: number, text: string) => (n === 1 ? '1 post' : `${text} posts`),
    none: 'No post has a tag yet.',
    noneOlder: 'There are no older posts.',
  },
  {
    tags: '标签',
    order: '最常用的标签及其文章数。',
    all: '全部标签',
    posts: (_, text) => `${text} 篇文章`,
    none: '还没有文章使用标签。',
    noneOlder: '没有更早的文章了。',
  },
);
