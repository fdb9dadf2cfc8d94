// The home page: the newest posts, or how to set up a community that has no operator yet.

import { html, raw } from 'hono/html';
import { MOST_PINNED } from '../../../community/moderation.ts';
import type { PostSummary } from '../../../community/post.ts';
import type { Category } from '../../../community/store.ts';
import { MINUTE, type Timestamp } from '../../../lib/clock.ts';
import { bilingual, type Locale } from '../../pages/language.ts';
import { type Html, page } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { notSetUpPage } from '../joining/not-set-up.ts';
import type { SiteParts } from '../site-parts.ts';
import { writtenText } from '../written.ts';
import { cursorInQuery, cursorText, FEED_PAGE_SIZE, feedHead, feedLinks, pageOf } from './frame.ts';
import { postListItems } from './item.ts';

/** Show the newest posts, or how to set up the community. */
export async function homePage(site: SiteParts, c: PageContext): Promise<Response> {
  const { visit } = c.get('visitor');
  if (visit === undefined && !(await site.identity.reads.hasOperator())) return notSetUpPage(c);
  const { reads } = site.community;
  const before = cursorInQuery(c);
  const categories = await reads.categories();
  // One post more than a page shows tells whether there is a next page.
  const size = FEED_PAGE_SIZE + 1;
  const posts = before === undefined ? await reads.newestPosts(size) : await reads.postsBefore(before, size);
  const isBeginning = before === undefined;
  const pinned = isBeginning ? await reads.pinnedPosts(MOST_PINNED) : [];
  const { name, sentence } = c.get('site');
  const list =
    posts.length === 0 && isBeginning
      ? emptyHome(c)
      : pageOfNewest(posts, pinned, categories, c.get('visitor'), site.clock(), isBeginning);
  const welcome = visit === undefined && isBeginning ? await welcomeOf(site, c) : '';
  return page(
    c,
    { title: name, description: sentence, feed: '/feed.atom' },
    welcome === '' ? list : html`${welcome}${list}`,
  );
}

// What visitors read before they join.
async function welcomeOf(site: SiteParts, c: PageContext): Promise<Html | ''> {
  const { sentence } = c.get('site');
  const text = await writtenText(site, c, 'home');
  if (sentence === '' && text === '') return '';
  return html`
    <section class="welcome">
      ${sentence !== '' && html`<p class="sentence">${sentence}</p>`}
      ${text}
    </section>`;
}

function pageOfNewest(
  posts: readonly PostSummary[],
  pinned: readonly PostSummary[],
  categories: readonly Category[],
  locale: Locale,
  now: Timestamp,
  isBeginning: boolean,
): Html {
  const { language } = locale;
  const t = words[language];
  const { items, end } = pageOf(posts, FEED_PAGE_SIZE, ({ publishedAt }) => publishedAt);
  const minute = Math.floor(now / MINUTE);
  let list = lists[language].get(posts);
  if (list?.minute !== minute) {
    list = { minute, html: compact(html`${postListItems(pinned, items, now, locale)}`) };
    lists[language].set(posts, list);
  }
  return html`
    ${feedHead(t.newest, 'new', categories, language)}
    ${items.length === 0 ? html`<p class="empty">${t.nothingOlder}</p>` : list.html}
    ${feedLinks('/', cursorText(end), isBeginning, language)}`;
}

// The newest posts are the same array for all visitors until one of them or a pinned post changes. The ages in a
// list are a minute old at most.
const lists = bilingual(
  new WeakMap<readonly PostSummary[], { minute: number; html: Html }>(),
  new WeakMap<readonly PostSummary[], { minute: number; html: Html }>(),
);

// Without the indentation, which is a sixth of the page.
function compact(list: Html): Html {
  return raw(list.toString().replaceAll(/\n\s+/g, '\n'));
}

function emptyHome(c: PageContext): Html {
  const { visit, language } = c.get('visitor');
  const t = words[language];
  const [path, text] = visit === undefined ? ['/signup', t.join] : ['/write', t.writeFirst];
  const canWrite = visit !== undefined || c.get('site').signUp !== 'closed';
  return html`
    <h1 class="masthead">${t.newest}</h1>
    <div class="empty">
      <p>${t.nothing}${canWrite && ` ${t.yours}`}</p>
      ${canWrite && html`<p><a class="button primary" href="${path}">${text}</a></p>`}
    </div>`;
}

const words = bilingual(
  {
    newest: 'Newest posts',
    nothingOlder: 'There are no older posts.',
    nothing: 'No posts yet.',
    yours: 'Yours could be the first.',
    join: 'Join and write a post',
    writeFirst: 'Write the first post',
  },
  {
    newest: '最新文章',
    nothingOlder: '没有更早的文章了。',
    nothing: '还没有人发表文章。',
    yours: '第一篇，等您来写。',
    join: '加入并开始写作',
    writeFirst: '写第一篇文章',
  },
);
