// A member's public page.

import { html } from 'hono/html';
import { countFollowers, MOST_FOLLOWERS_SHOWN } from '../../../community/following.ts';
import { levelOf } from '../../../community/level.ts';
import { publishedPostsOf } from '../../../community/post.ts';
import { textOfLink } from '../../../identity/links.ts';
import { isMember } from '../../../identity/membership.ts';
import { canModerate, type User } from '../../../identity/user.ts';
import { usernameKey } from '../../../identity/username.ts';
import { avatarPath } from '../../pages/avatar-path.ts';
import { notFoundPage } from '../../pages/failures.ts';
import { bilingual, type Language, type Locale } from '../../pages/language.ts';
import { countOf, dayElement } from '../../pages/moments.ts';
import { type Html, page } from '../../pages/page.ts';
import { askedPage, pageLinks } from '../../pages/pagination.ts';
import { memberPath } from '../../pages/post-path.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { PRESS_SCRIPT } from '../../static-files.ts';
import { cardOfMember } from '../cards.ts';
import { postListItem } from '../lists/item.ts';
import { shownNames } from '../lists/shown-tags.ts';
import { BOOKMARKS_PATH } from '../reactions/bookmarks.ts';
import { sharingOfMember } from '../sharing.ts';
import type { SiteParts } from '../site-parts.ts';
import { FOLLOWING_PATH, followButton } from './following.ts';

const PAGE_SIZE = 20;

/** Show a member's name, picture, bio and published posts. */
export async function memberPage(site: SiteParts, c: PageContext): Promise<Response> {
  const username = c.req.param('username') ?? '';
  const user = await site.identity.reads.findUserByName(usernameKey(username));
  if (user === undefined || user.status === 'closed') return notFoundPage(c);
  // Each member has one address, with the username spelled as the member spells it.
  // Browsers must not cache the redirect: the member can take another username.
  if (user.username !== username) {
    c.header('Cache-Control', 'no-store');
    return c.redirect(memberPath(user.username), 301);
  }
  return pageOfMember(site, c, user);
}

async function pageOfMember(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const { visit, language } = c.get('visitor');
  const now = site.clock();
  const pageNumber = askedPage(c);
  const { items, total } = await publishedPostsOf(site.community, user.id, pageNumber, PAGE_SIZE);
  const path = memberPath(user.username);
  const count = words[language].posts(total, countOf(total));
  const isActive = user.status === 'active';
  const links = isActive ? await site.identity.reads.linksOf(user.id) : [];
  const sharing =
    isActive && pageNumber === 0 ? sharingOfMember(c, user, links, cardOfMember(c, user)) : undefined;
  const names = await shownNames(site);
  const list = items.map((post) => postListItem(post, now, c.get('visitor'), { names, without: 'author' }));
  const canFollow = visit !== undefined && visit.user.id !== user.id;
  const button = await followButton(site, c, { memberId: user.id }, path);
  const about = { links, hasMembership: isMember(user, now), button };
  return page(
    c,
    { title: user.username, feed: `${path}/feed.atom`, ...(canFollow && { script: PRESS_SCRIPT }), sharing },
    html`
      ${introduction(user, about, c.get('visitor'))}
      ${visit?.user.id === user.id ? ownLinks(await countFollowers(site.community, user.id), language) : ''}
      ${visit !== undefined && visit.user.id !== user.id ? moderationLinks(visit.user, user, language) : ''}
      <section aria-label="${count}">
        <p class="eyebrow rule">${count}</p>
        ${items.length === 0 ? noPosts(total, language) : list}
        ${pageLinks(path, pageNumber, Math.ceil(total / PAGE_SIZE), language)}
      </section>`,
  );
}

function noPosts(total: number, language: Language): Html {
  const t = words[language];
  return html`<p class="empty">${total === 0 ? t.nothing : t.nothingHere}</p>`;
}

interface AboutMember {
  links: readonly string[];
  hasMembership: boolean;
  /** To follow the member. */
  button: Html | '';
}

function introduction(user: User, { links, hasMembership, button }: AboutMember, locale: Locale): Html {
  const { language } = locale;
  const t = words[language];
  return html`
    <header class="profile h-card">
      <img class="avatar u-photo" width="88" height="88" alt="" src="${avatarPath(user.id, user.avatar)}">
      <div>
        <div class="p-name"><h1>${user.username}</h1></div>
        <a class="u-url u-uid" href="${memberPath(user.username)}" hidden></a>
        ${user.bio === '' ? '' : html`<p class="bio p-note">${user.bio}</p>`}
        <p class="meta">
          ${hasMembership ? html`<span class="badge">${t.member}</span>` : ''}
          <span>${t.level(levelOf(user.xp))}</span>
          <span>${t.points(user.xp, countOf(user.xp))}</span>
          <span>${t.joined} ${dayElement(user.createdAt, locale)}</span>
        </p>
        ${links.length > 0 && linkList(links, language)}
        ${button}
      </div>
    </header>`;
}

function linkList(links: readonly string[], language: Language): Html {
  const items = links.map((link) => linkItem(link, language));
  return html`<ul class="links" aria-label="${words[language].links}">${items}</ul>`;
}

// Search engines don't count the link, and sites that are linked back know that both pages are the same person's.
function linkItem(link: string, language: Language): Html {
  const { text, inLetters: host } = textOfLink(link);
  return html`
    <li>
      <a class="u-url" rel="me nofollow ugc" href="${link}">${text}</a>
      ${host !== undefined && html`<span class="soft">${words[language].inLetters} <bdi>${host}</bdi></span>`}
    </li>`;
}

// Operators have a page about each member. Moderators suspend and reactivate members from here.
function moderationLinks(visitor: User, user: User, language: Language): Html | '' {
  const t = words[language];
  const path = `/operator/members/${user.id}`;
  const isSuspended = user.status === 'suspended';
  const badge = isSuspended && html`<li><span class="badge warning">${t.suspended}</span></li>`;
  if (visitor.isOperator)
    return html`<ul class="links">${badge}<li><a href="${path}">${t.manage}</a></li></ul>`;
  if (!visitor.isModerator || canModerate(user)) return '';
  const link = isSuspended
    ? html`<a href="${path}/reactivate">${t.reactivate}</a>`
    : html`<a href="${path}/suspend">${t.suspend}</a>`;
  return html`<ul class="links">${badge}<li>${link}</li></ul>`;
}

// Nobody else sees how many follow the member: it is no contest.
function ownLinks(followers: number, language: Language): Html {
  const t = words[language];
  const count = followers > MOST_FOLLOWERS_SHOWN ? `${countOf(MOST_FOLLOWERS_SHOWN)}+` : countOf(followers);
  return html`
    ${followers > 0 && html`<p class="soft small">${t.followers(followers, count)}</p>`}
    <ul class="links">
      <li><a href="${FOLLOWING_PATH}">${t.following}</a></li>
      <li><a href="${BOOKMARKS_PATH}">${t.bookmarks}</a></li>
      <li><a href="/drafts">${t.drafts}</a></li>
      <li><a href="/settings/profile">${t.editProfile}</a></li>
      <li><a href="/settings/tokens">${t.tokens}</a></li>
      <li><a href="/settings/security">${t.security}</a></li>
    </ul>`;
}

const words = bilingual(
  {
    member: 'Membership',
    level: (level: number) => `Level ${level}`,
    points: (n: number, text: string) => (n === 1 ? '1 point' : `${text} points`),
    joined: 'Joined',
    links: 'Links',
    inLetters: 'in its own letters:',
    posts: (n: number, text: string) => (n === 1 ? '1 published post' : `${text} published posts`),
    nothing: 'No published posts yet.',
    nothingHere: 'There are no posts on this page.',
    followers: (n: number, text: string) =>
      n === 1
        ? '1 member follows you. Only you can see this.'
        : `${text} members follow you. Only you can see this.`,
    following: 'Following',
    bookmarks: 'Bookmarks',
    drafts: 'Drafts',
    editProfile: 'Edit profile',
    tokens: 'API tokens',
    security: 'Security',
    suspended: 'Suspended',
    manage: 'Manage member',
    suspend: 'Suspend account',
    reactivate: 'Reactivate account',
  },
  {
    member: '会员',
    level: (level: number) => `${level} 级`,
    points: (_: number, text: string) => `${text} 经验值`,
    joined: '加入于',
    links: '链接',
    inLetters: '原文写作：',
    posts: (_: number, text: string) => `已发布 ${text} 篇文章`,
    nothing: '还没有发布文章。',
    nothingHere: '这一页没有文章。',
    followers: (_, text) => `${text} 位成员关注了您，只有您能看到。`,
    following: '关注',
    bookmarks: '书签',
    drafts: '草稿',
    editProfile: '编辑资料',
    tokens: 'API 令牌',
    security: '安全',
    suspended: '已暂停',
    manage: '管理此成员',
    suspend: '暂停账号',
    reactivate: '恢复账号',
  },
);
