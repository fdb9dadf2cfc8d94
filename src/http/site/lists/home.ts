// The first page: the newest posts, or word that the community has still to be set up.

import { html } from 'hono/html';
import type { PostSummary } from '../../../community/post.ts';
import type { Category } from '../../../community/store.ts';
import type { Timestamp } from '../../../lib/clock.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import { type Html, page } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { askedPlace, FEED_PAGE_SIZE, feedHead, feedLinks, pageOf, placeText } from './frame.ts';
import { postListItem } from './item.ts';

export async function homePage(site: SiteParts, c: PageContext): Promise<Response> {
  const { visit, language } = c.get('visitor');
  if (visit === undefined && !(await site.identity.reads.hasOperator())) return notSetUpPage(c);
  const { reads } = site.community;
  const before = askedPlace(c);
  const categories = await reads.categories();
  // One more than is shown tells whether there are more.
  const size = FEED_PAGE_SIZE + 1;
  const posts = before === undefined ? await reads.newestPosts(size) : await reads.postsBefore(before, size);
  return page(
    c,
    { title: c.get('site').name, feed: '/feed.atom' },
    posts.length === 0 && before === undefined
      ? html`<h1 class="masthead">${words[language].newest}</h1>${emptyList(c)}`
      : pageOfNewest(posts, categories, language, site.clock(), before === undefined),
  );
}

function pageOfNewest(
  posts: readonly PostSummary[],
  categories: readonly Category[],
  language: Language,
  now: Timestamp,
  isBeginning: boolean,
): Html {
  const t = words[language];
  const { items, end } = pageOf(posts, FEED_PAGE_SIZE, ({ publishedAt }) => publishedAt);
  return html`${feedHead(t.newest, 'new', categories, language)}
${items.length === 0 ? html`<p class="empty">${t.nothingOlder}</p>` : items.map((post) => postListItem(post, now, language))}
${feedLinks('/', placeText(end), isBeginning, language)}`;
}

function emptyList(c: PageContext): Html {
  const { visit, language } = c.get('visitor');
  const t = words[language];
  const invitation =
    visit === undefined
      ? html`<a class="button primary" href="/signup">${t.join}</a>`
      : html`<a class="button primary" href="/write">${t.writeFirst}</a>`;
  return html`<div class="empty"><p>${t.nothing}</p><p>${invitation}</p></div>`;
}

function notSetUpPage(c: PageContext): Promise<Response> {
  const t = words[c.get('visitor').language];
  return page(
    c,
    { title: t.notSetUp },
    html`<h1>${t.notSetUp}</h1><p>${t.openLink}</p><p class="soft">${t.whyLink}</p>`,
  );
}

const words = bilingual(
  {
    newest: 'Newest posts',
    nothingOlder: 'There is nothing older.',
    nothing: 'Nobody has published anything yet. The first words are free.',
    join: 'Join and write them',
    writeFirst: 'Write the first post',
    notSetUp: 'This community is not set up yet',
    openLink: 'Open the link that was printed in the terminal when the program started.',
    whyLink:
      'It makes the first operator’s account, once. Nobody who merely finds this address can do that in your place.',
  },
  {
    newest: '最新文章',
    nothingOlder: '没有更早的文章了。',
    nothing: '还没有人发表文章。第一篇，等您来写。',
    join: '加入并开始写作',
    writeFirst: '写第一篇文章',
    notSetUp: '社区尚未完成设置',
    openLink: '请打开程序启动时在终端中显示的链接。',
    whyLink: '该链接只能使用一次，用于创建第一个管理员账号。仅仅知道本站地址的人无法代您完成这一步。',
  },
);
