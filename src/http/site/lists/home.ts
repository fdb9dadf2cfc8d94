// The home page: the community in a few words and its newest posts, or how to set up a community that has no operator.

import { html, raw } from 'hono/html';
import { MOST_PINNED } from '../../../community/moderation.ts';
import type { PostSummary } from '../../../community/post.ts';
import type { Category } from '../../../community/store.ts';
import type { ShownNames } from '../../../community/tag.ts';
import { MINUTE, type Timestamp } from '../../../lib/clock.ts';
import { memoizeByFacts, memoizeByRecord } from '../../../lib/remember.ts';
import { bilingual, type Locale } from '../../pages/language.ts';
import { answerWith, type Html, type MadePage, makePage, type PageOptions, page } from '../../pages/page.ts';
import type { Sharing } from '../../pages/sharing.ts';
import type { CurrentSite, PageContext } from '../../pages/visitor.ts';
import { WRITTEN_TITLES } from '../../pages/written-titles.ts';
import { pathOf } from '../../request-form.ts';
import { cardOfSite } from '../cards.ts';
import { notSetUpPage } from '../joining/not-set-up.ts';
import { sharingOfHome } from '../sharing.ts';
import type { SiteParts } from '../site-parts.ts';
import { writtenText } from '../written.ts';
import { partsBeside, type ReadBeside, readBeside } from './beside.ts';
import { listChoices } from './choices.ts';
import { cursorInQuery, cursorText, feedLinks } from './frame.ts';
import { postListItems } from './item.ts';
import { membersText, type Overview, overviewOf } from './overview.ts';
import { languageInQuery, type PartOfList, type PostList, queryOfList, readPart } from './post-list.ts';
import { shownNames } from './shown-tags.ts';
import { isCompact } from './view.ts';

/** Show the newest posts, or how to set up the community. */
export async function homePage(site: SiteParts, c: PageContext): Promise<Response> {
  const { visit } = c.get('visitor');
  if (visit === undefined && !(await isSetUp(site))) return notSetUpPage(c);
  const home = await readHome(site, c);
  // Choices of the browser, and what a session adds to the page, need a cookie.
  if (c.req.header('cookie') !== undefined) return page(c, ...contentOf(c, home));
  const { part, categories, welcome, announcement, now, ...others } = home;
  const facts = [
    c.req.method,
    pathOf(c),
    c.get('site'),
    minuteOf(now),
    // These are other objects at every read.
    JSON.stringify(categories),
    `${welcome}`,
    `${announcement}`,
    ...Object.values(others),
  ];
  const { language } = c.get('visitor');
  return answerWith(
    c,
    pagesForStrangers[language](part.posts, facts, () => makePage(c, ...contentOf(c, home))),
  );
}

// The newest posts are the same array for all visitors until one of them or a pinned post changes.
const pagesForStrangers = bilingual(
  memoizeByFacts<readonly PostSummary[], MadePage>(),
  memoizeByFacts<readonly PostSummary[], MadePage>(),
);

/** Everything that is read for the page. */
interface Home extends ReadBeside {
  part: PartOfList;
  categories: readonly Category[];
  pinned: readonly PostSummary[];
  overview: Overview;
  names: ShownNames;
  /** What visitors read before they join. */
  welcome: Html | '';
  now: Timestamp;
}

async function readHome(site: SiteParts, c: PageContext): Promise<Home> {
  const { reads } = site.community;
  const list = listOf(c);
  return {
    categories: await reads.categories(),
    part: await readPart(reads, list, cursorInQuery(c)),
    pinned: isWhole(c) ? await reads.pinnedPosts(MOST_PINNED) : NONE,
    overview: await overviewOf(site),
    ...(await readBeside(site, c, list.order)),
    names: await shownNames(site),
    welcome:
      cursorInQuery(c) === undefined && c.get('visitor').visit === undefined
        ? await writtenText(site, c, 'home')
        : '',
    now: site.clock(),
  };
}

const NONE: readonly PostSummary[] = [];

function listOf(c: PageContext): PostList {
  return { order: 'new', language: languageInQuery(c) };
}

// The beginning of the list of all posts.
function isWhole(c: PageContext): boolean {
  return cursorInQuery(c) === undefined && languageInQuery(c) === undefined;
}

// Takes nothing but what was read: a page for strangers is kept until something of that changes.
function contentOf(c: PageContext, home: Home): [PageOptions, Html] {
  const { language } = c.get('visitor');
  const { part, categories, overview } = home;
  const list = listOf(c);
  const isBeginning = cursorInQuery(c) === undefined;
  const isEmpty = part.posts.length === 0 && isWhole(c);
  const sharing = isWhole(c) ? homeSharing(c.get('site'), () => sharingOfHome(c, cardOfSite(c))) : undefined;
  const beside = partsBeside(c, list, categories, overview, home);
  return [
    { title: c.get('site').name, sharing, feed: '/feed.atom', ...beside },
    html`
      ${isBeginning ? face(c, home) : html`<h1>${words[language].newest}</h1>`}
      ${!isEmpty && listChoices(c, list, categories, overview)}
      ${isEmpty ? emptyHome(c) : sectionOf(c, home)}
      ${feedLinks('/', cursorText(part.end), isBeginning, language, queryOfList(list))}`,
  ];
}

const homeSharing = memoizeByRecord<CurrentSite, Sharing>();

// Once it had an operator, nobody sets the community up again.
async function isSetUp(site: SiteParts): Promise<boolean> {
  if (!communities.has(site) && (await site.identity.reads.hasOperator())) communities.add(site);
  return communities.has(site);
}

const communities = new WeakSet<SiteParts>();

// What the community is: its name and sentence, its size and rules, and what visitors read before they join.
function face(c: PageContext, { overview, welcome }: Home): Html {
  const { language } = c.get('visitor');
  const settings = c.get('site');
  const { name, sentence } = settings;
  const links = (['rules', 'about'] as const).filter((each) => settings[each] !== '');
  return html`
    <header class="face">
      <h1>${name}</h1>
      ${sentence !== '' && html`<p class="sentence">${sentence}</p>`}
      <p class="meta">
        <span>${membersText(overview.members, language)}</span>
        ${links.map((each) => html`<a href="/${each}">${WRITTEN_TITLES[language][each]}</a>`)}
      </p>
      ${welcome}
    </header>`;
}

function sectionOf(c: PageContext, { part, pinned, names, now }: Home): Html {
  const locale: Locale = c.get('visitor');
  const t = words[locale.language];
  const { posts, items } = part;
  if (items.length === 0) {
    return html`<p class="empty">${cursorInQuery(c) === undefined ? t.noneInLanguage : t.nothingOlder}</p>`;
  }
  const view = isCompact(c) ? 'compact' : 'full';
  const list = lists[view][locale.language](posts, [minuteOf(now), names], () =>
    withoutIndentation(
      html`${postListItems(pinned, items, now, locale, { names, isCompact: view === 'compact' })}`,
    ),
  );
  return html`<section class="${view}" aria-label="${t.newest}">${list}</section>`;
}

// The newest posts are the same array for all visitors until one of them or a pinned post changes.
const lists = {
  full: bilingual(
    memoizeByFacts<readonly PostSummary[], Html>(),
    memoizeByFacts<readonly PostSummary[], Html>(),
  ),
  compact: bilingual(
    memoizeByFacts<readonly PostSummary[], Html>(),
    memoizeByFacts<readonly PostSummary[], Html>(),
  ),
};

// The ages in a list are a minute old at most.
function minuteOf(now: Timestamp): number {
  return Math.floor(now / MINUTE);
}

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
