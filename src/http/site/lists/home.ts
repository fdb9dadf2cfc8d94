// The home page: the newest posts, or how to set up a community that has no operator yet.

import { html, raw } from 'hono/html';
import { MOST_PINNED } from '../../../community/moderation.ts';
import type { PostSummary } from '../../../community/post.ts';
import type { Category } from '../../../community/store.ts';
import { MINUTE, type Timestamp } from '../../../lib/clock.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import { type Html, page } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { cursorInQuery, cursorText, FEED_PAGE_SIZE, feedHead, feedLinks, pageOf } from './frame.ts';
import { postListItems } from './item.ts';

/** Show the newest posts, or how to set up the community. */
export async function homePage(site: SiteParts, c: PageContext): Promise<Response> {
  const { visit, language } = c.get('visitor');
  if (visit === undefined && !(await site.identity.reads.hasOperator())) return notSetUpPage(c);
  const { reads } = site.community;
  const before = cursorInQuery(c);
  const categories = await reads.categories();
  // One post more than a page shows tells whether there is a next page.
  const size = FEED_PAGE_SIZE + 1;
  const posts = before === undefined ? await reads.newestPosts(size) : await reads.postsBefore(before, size);
  const isBeginning = before === undefined;
  const pinned = isBeginning ? await reads.pinnedPosts(MOST_PINNED) : [];
  return page(
    c,
    { title: c.get('site').name, feed: '/feed.atom' },
    posts.length === 0 && isBeginning
      ? emptyHome(c)
      : pageOfNewest(posts, pinned, categories, language, site.clock(), isBeginning),
  );
}

function pageOfNewest(
  posts: readonly PostSummary[],
  pinned: readonly PostSummary[],
  categories: readonly Category[],
  language: Language,
  now: Timestamp,
  isBeginning: boolean,
): Html {
  const t = words[language];
  const { items, end } = pageOf(posts, FEED_PAGE_SIZE, ({ publishedAt }) => publishedAt);
  const minute = Math.floor(now / MINUTE);
  let list = lists[language].get(posts);
  if (list?.minute !== minute) {
    list = { minute, html: compact(html`${postListItems(pinned, items, now, language)}`) };
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

function notSetUpPage(c: PageContext): Promise<Response> {
  const t = words[c.get('visitor').language];
  return page(
    c,
    { title: t.notSetUp },
    html`
      <h1>${t.notSetUp}</h1>
      <p>${t.openLink}</p>
      <p class="soft">${t.whyLink}</p>`,
  );
}

const words = bilingual(
  {
    newest: 'Newest posts',
    nothingOlder: 'There are no older posts.',
    nothing: 'No posts yet.',
    yours: 'Yours could be the first.',
    join: 'Join and write a post',
    writeFirst: 'Write the first post',
    notSetUp: 'This community is not set up yet',
    openLink: 'To set it up, open the link that the server printed in the terminal when it started.',
    whyLink:
      'The link works once and creates the first operator’s account. Visitors who don’t have the link can’t set up the community.',
  },
  {
    newest: '最新文章',
    nothingOlder: '没有更早的文章了。',
    nothing: '还没有人发表文章。',
    yours: '第一篇，等您来写。',
    join: '加入并开始写作',
    writeFirst: '写第一篇文章',
    notSetUp: '社区尚未完成设置',
    openLink: '请打开程序启动时在终端中显示的链接。',
    whyLink: '该链接只能使用一次，用于创建第一个管理员账号。没有该链接的访客无法完成设置。',
  },
);
