// The first page: the newest posts, or word that the community has still to be set up.

import { Hono } from 'hono';
import { html } from 'hono/html';
import type { PostSummary } from '../../community/post.ts';
import { SECOND, type Timestamp } from '../../lib/clock.ts';
import { bilingual, type Language } from '../language.ts';
import { type Html, page } from '../page.ts';
import type { PageContext, PageEnv } from '../visitor.ts';
import type { SiteDoor } from './door.ts';
import { postListItem } from './post-list.ts';

const MOST_POSTS = 30;

export function homePage(site: SiteDoor): Hono<PageEnv> {
  const door = new Hono<PageEnv>();
  door.get('/', async (c) => {
    const { visit, language } = c.get('visitor');
    if (visit === undefined && !(await site.identity.store.hasOperator())) return notSetUpPage(c);
    const t = words[language];
    const posts = await site.community.store.newestPosts(MOST_POSTS);
    return page(
      c,
      { title: c.get('site').name },
      html`<h1 class="masthead">${t.newest}</h1>
${posts.length === 0 ? emptyList(c) : listOf(posts, language, site.clock())}`,
    );
  });
  return door;
}

// By language. Made anew for other posts, and as the words for how long ago they are may have changed.
const lists = new Map<Language, { posts: readonly PostSummary[]; madeAt: Timestamp; list: Html }>();
const LIST_KEPT = 10 * SECOND;

function listOf(posts: readonly PostSummary[], language: Language, now: Timestamp): Html {
  const before = lists.get(language);
  if (before?.posts === posts && now >= before.madeAt && now - before.madeAt < LIST_KEPT) return before.list;
  const list = html`${posts.map((post) => postListItem(post, now, language))}`;
  lists.set(language, { posts, madeAt: now, list });
  return list;
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

function notSetUpPage(c: PageContext): Response | Promise<Response> {
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
    nothing: '还没有人发表文章。第一篇，等您来写。',
    join: '加入并开始写作',
    writeFirst: '写第一篇文章',
    notSetUp: '社区尚未完成设置',
    openLink: '请打开程序启动时在终端中显示的链接。',
    whyLink: '该链接只能使用一次，用于创建第一个管理员账号。仅仅知道本站地址的人无法代您完成这一步。',
  },
);
