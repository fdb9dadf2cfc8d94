// The home page: the community in a few words and its newest posts, or how to set up a community that has no operator.

import { html, raw } from 'hono/html';
import { MOST_PINNED } from '../../../community/moderation.ts';
import type { PostSummary } from '../../../community/post.ts';
import type { ShownNames } from '../../../community/tag.ts';
import { MINUTE, type Timestamp } from '../../../lib/clock.ts';
import { memoizeByRecord } from '../../../lib/remember.ts';
import { bilingual, type Locale } from '../../pages/language.ts';
import { type Html, page } from '../../pages/page.ts';
import type { Sharing } from '../../pages/sharing.ts';
import type { CurrentSite, PageContext } from '../../pages/visitor.ts';
import { WRITTEN_TITLES } from '../../pages/written-titles.ts';
import { cardOfSite } from '../cards.ts';
import { notSetUpPage } from '../joining/not-set-up.ts';
import { sharingOfHome } from '../sharing.ts';
import type { SiteParts } from '../site-parts.ts';
import { writtenText } from '../written.ts';
import { partsBeside } from './beside.ts';
import { listChoices } from './choices.ts';
import { cursorInQuery, cursorText, feedLinks } from './frame.ts';
import { postListItems } from './item.ts';
import { membersText, overviewOf } from './overview.ts';
import { languageInQuery, type PostList, queryOfList, readPart } from './post-list.ts';
import { shownNames } from './shown-tags.ts';
import { isCompact } from './view.ts';

/** Show the newest posts, or how to set up the community. */
export async function homePage(site: SiteParts, c: PageContext): Promise<Response> {
  const { visit, language } = c.get('visitor');
  if (visit === undefined && !(await isSetUp(site))) return notSetUpPage(c);
  const { reads } = site.community;
  const before = cursorInQuery(c);
  const isBeginning = before === undefined;
  const list: PostList = { order: 'new', language: languageInQuery(c) };
  const categories = await reads.categories();
  const { posts, items, end } = await readPart(reads, list, before);
  const pinned = isBeginning && list.language === undefined ? await reads.pinnedPosts(MOST_PINNED) : [];
  const overview = await overviewOf(site);
  const { name } = c.get('site');
  const beside = await partsBeside(site, c, list, categories, overview);
  const isEmpty = posts.length === 0 && isBeginning && list.language === undefined;
  const sharing =
    isBeginning && list.language === undefined
      ? homeSharing(c.get('site'), () => sharingOfHome(c, cardOfSite(c)))
      : undefined;
  return page(
    c,
    { title: name, sharing, feed: '/feed.atom', ...beside },
    html`
      ${isBeginning ? await face(site, c, overview.members) : html`<h1>${words[language].newest}</h1>`}
      ${!isEmpty && listChoices(c, list, categories, overview)}
      ${isEmpty ? emptyHome(c) : sectionOf(c, pinned, posts, items, site.clock(), await shownNames(site))}
      ${feedLinks('/', cursorText(end), isBeginning, language, queryOfList(list))}`,
  );
}

const homeSharing = memoizeByRecord<CurrentSite, Sharing>();

// Once it had an operator, nobody sets the community up again.
async function isSetUp(site: SiteParts): Promise<boolean> {
  if (!communities.has(site) && (await site.identity.reads.hasOperator())) communities.add(site);
  return communities.has(site);
}

const communities = new WeakSet<SiteParts>();

// What the community is: its name and sentence, its size and rules, and what visitors read before they join.
async function face(site: SiteParts, c: PageContext, members: number): Promise<Html> {
  const { visit, language } = c.get('visitor');
  const settings = c.get('site');
  const { name, sentence } = settings;
  const links = (['rules', 'about'] as const).filter((each) => settings[each] !== '');
  return html`
    <header class="face">
      <h1>${name}</h1>
      ${sentence !== '' && html`<p class="sentence">${sentence}</p>`}
      <p class="meta">
        <span>${membersText(members, language)}</span>
        ${links.map((each) => html`<a href="/${each}">${WRITTEN_TITLES[language][each]}</a>`)}
      </p>
      ${visit === undefined && (await writtenText(site, c, 'home'))}
    </header>`;
}

function sectionOf(
  c: PageContext,
  pinned: readonly PostSummary[],
  posts: readonly PostSummary[],
  items: readonly PostSummary[],
  now: Timestamp,
  names: ShownNames,
): Html {
  const locale: Locale = c.get('visitor');
  const t = words[locale.language];
  if (items.length === 0) {
    return html`<p class="empty">${cursorInQuery(c) === undefined ? t.noneInLanguage : t.nothingOlder}</p>`;
  }
  const view = isCompact(c) ? 'compact' : 'full';
  const known = lists[view][locale.language];
  const minute = Math.floor(now / MINUTE);
  let list = known.get(posts);
  if (list?.minute !== minute || list.names !== names) {
    const style = { names, isCompact: view === 'compact' };
    list = {
      minute,
      names,
      html: withoutIndentation(html`${postListItems(pinned, items, now, locale, style)}`),
    };
    known.set(posts, list);
  }
  return html`<section class="${view}" aria-label="${t.newest}">${list.html}</section>`;
}

type KnownLists = WeakMap<readonly PostSummary[], { minute: number; names: ShownNames; html: Html }>;

// The newest posts are the same array for all visitors until one of them or a pinned post changes. The ages in a
// list are a minute old at most.
const lists = {
  full: bilingual<KnownLists>(new WeakMap(), new WeakMap()),
  compact: bilingual<KnownLists>(new WeakMap(), new WeakMap()),
};

// The indentation is a sixth of the page.
function withoutIndentation(list: Html): Html {
  return raw(list.toString().replaceAll(/\n\s+/g, '\n'));
}

function emptyHome(c: PageContext): Html {
  const { visit, language } = c.get('visitor');
  const t = words[language];
  const [path, text] = visit === undefined ? ['/signup', t.join] : ['/write', t.writeFirst];
  const canWrite = visit !== undefined || c.get('site').signUp !== 'closed';
  return html`
    <div class="empty">
      <p>${t.nothing}${canWrite && ` ${t.yours}`}</p>
      ${canWrite && html`<p><a class="button primary" href="${path}">${text}</a></p>`}
    </div>`;
}

const words = bilingual(
  {
    newest: 'Newest posts',
    nothingOlder: 'There are no older posts.',
    noneInLanguage: 'No posts in this language yet.',
    nothing: 'No posts yet.',
    yours: 'Yours could be the first.',
    join: 'Join and write a post',
    writeFirst: 'Write the first post',
  },
  {
    newest: '最新文章',
    nothingOlder: '没有更早的文章了。',
    noneInLanguage: '还没有这种语言的文章。',
    nothing: '还没有人发表文章。',
    yours: '第一篇，等您来写。',
    join: '加入并开始写作',
    writeFirst: '写第一篇文章',
  },
);
