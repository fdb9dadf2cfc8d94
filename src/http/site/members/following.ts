// Following members and tags: the button, the posts of all of them, and the list of whom and what a member follows.

import { html } from 'hono/html';
import { byMember } from '../../../audit/doer.ts';
import { BEGINNING } from '../../../community/feed.ts';
import { type Followed, follow, MOST_FOLLOWED, unfollow } from '../../../community/following.ts';
import type { User } from '../../../identity/user.ts';
import { usernameKey } from '../../../identity/username.ts';
import { notFoundPage } from '../../pages/failures.ts';
import { localPath, type PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { countOf } from '../../pages/moments.ts';
import { type Html, page } from '../../pages/page.ts';
import { memberPath, tagPath } from '../../pages/post-path.ts';
import { pressAfterSignIn, pressButton } from '../../pages/press.ts';
import { tooOftenPage } from '../../pages/too-often.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { cursorInQuery, cursorText, FEED_PAGE_SIZE, feedLinks, pageOf } from '../lists/frame.ts';
import { postListItem } from '../lists/item.ts';
import { shownNames } from '../lists/shown-tags.ts';
import { tagInPath } from '../lists/tag-in-path.ts';
import { FOLLOWED_PATH } from '../settings/followed.ts';
import type { SiteParts } from '../site-parts.ts';

export const FOLLOWING_PATH = '/following';

/** Make the button that follows the member or tag of the page at `path`. Empty for the member themselves. */
export async function followButton(
  { community }: SiteParts,
  c: PageContext,
  followed: Followed,
  path: string,
): Promise<Html | ''> {
  const { visit, language } = c.get('visitor');
  const t = words[language];
  if (visit === undefined) return pressAfterSignIn(path, t.follow);
  if ('memberId' in followed && followed.memberId === visit.user.id) return '';
  const isPressed = await community.reads.follows(visit.user.id, followed);
  const action = `${path}/${isPressed ? 'unfollow' : 'follow'}`;
  return pressButton(c, { id: 'follow', isPressed, action, text: isPressed ? t.followed : t.follow });
}

/** Follow the member in the path. */
export async function followMember(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const member = await memberInPath(site, c);
  if (member === undefined) return notFoundPage(c);
  return followAndReturn(site, c, user, { memberId: member.id }, memberPath(member.username));
}

/** Follow the tag in the path. */
export async function followTag(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const tag = await tagInPath(site, c);
  if (tag === undefined) return notFoundPage(c);
  return followAndReturn(site, c, user, { tagId: tag.id }, tagPath(tag.name));
}

async function followAndReturn(
  site: SiteParts,
  c: PageContext,
  user: User,
  followed: Followed,
  path: string,
): Promise<Response> {
  const refusal = await follow(byMember(user, site.clock), site.community, followed);
  if (refusal === undefined) return c.redirect(path, 303);
  return refusal === 'too_many' ? tooManyPage(c) : tooOftenPage(c, refusal, path);
}

function tooManyPage(c: PageContext): Promise<Response> {
  const t = words[c.get('visitor').language];
  return page(
    c,
    { title: t.tooMany, status: 409 },
    html`
      <h1>${t.tooMany}</h1>
      <p>${t.most(countOf(MOST_FOLLOWED))}</p>
      <p><a class="button" href="${FOLLOWED_PATH}">${t.manage}</a></p>`,
  );
}

/** Follow the member in the path no more. */
export async function unfollowMember(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  const member = await memberInPath(site, c);
  if (member === undefined) return notFoundPage(c);
  await unfollow(byMember(user, site.clock), site.community, { memberId: member.id });
  return c.redirect(
    form.has('return_to') ? localPath(form.text('return_to')) : memberPath(member.username),
    303,
  );
}

/** Follow the tag in the path no more. */
export async function unfollowTag(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  const tag = await tagInPath(site, c, { isUnused: true });
  if (tag === undefined) return notFoundPage(c);
  await unfollow(byMember(user, site.clock), site.community, { tagId: tag.id });
  return c.redirect(form.has('return_to') ? localPath(form.text('return_to')) : tagPath(tag.name), 303);
}

async function memberInPath({ identity }: SiteParts, c: PageContext): Promise<User | undefined> {
  const user = await identity.reads.findUserByName(usernameKey(c.req.param('username') ?? ''));
  return user?.status === 'closed' ? undefined : user;
}

/** Show the posts by the members and with the tags that the member follows, the newest first. */
export async function followingPage(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const before = cursorInQuery(c);
  const posts = await site.community.reads.followedPosts(user.id, before ?? BEGINNING, FEED_PAGE_SIZE + 1);
  const { items, end } = pageOf(posts, FEED_PAGE_SIZE, ({ publishedAt }) => publishedAt);
  const now = site.clock();
  const names = await shownNames(site);
  return page(
    c,
    { title: t.title },
    html`
      <h1>${t.title}</h1>
      <p class="soft">${t.explanation} <a href="${FOLLOWED_PATH}">${t.manage}</a></p>
      ${
        items.length === 0
          ? html`<div class="empty"><p>${before === undefined ? t.none : t.noneOlder}</p></div>`
          : items.map((post) => postListItem(post, now, c.get('visitor'), { names }))
      }
      ${feedLinks(FOLLOWING_PATH, cursorText(end), before === undefined, language)}`,
  );
}

const words = bilingual(
  {
    title: 'Following',
    explanation: 'The newest posts of the members and tags that you follow. Only you know who they are.',
    manage: 'Members and tags you follow',
    none: 'No posts yet. Follow a member on their page, or a tag on its page.',
    noneOlder: 'There are no older posts.',
    follow: 'Follow',
    followed: 'Following',
    tooMany: 'You follow too many',
    most: (most: string) =>
      `You can follow ${most} members and tags. Unfollow some before you follow another.`,
  },
  {
    title: '关注',
    explanation: '您关注的成员和标签的最新文章。只有您知道您关注了谁。',
    manage: '您关注的成员和标签',
    none: '还没有文章。您可以在成员的主页或标签的页面上点击“关注”。',
    noneOlder: '没有更早的文章了。',
    follow: '关注',
    followed: '已关注',
    tooMany: '关注得太多了',
    most: (most) => `最多可以关注 ${most} 位成员和标签。请先取消一些关注，再关注新的。`,
  },
);
