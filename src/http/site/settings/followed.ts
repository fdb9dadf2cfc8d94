// The members and tags that a member follows, each with a button to unfollow.

import { html } from 'hono/html';
import type { FollowedMember, FollowedTag } from '../../../community/following.ts';
import type { User } from '../../../identity/user.ts';
import { avatarPath } from '../../pages/avatar-path.ts';
import { bilingual } from '../../pages/language.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import { askedPage, pageLinks } from '../../pages/pagination.ts';
import { memberPath, tagPath } from '../../pages/post-path.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { settingsPage, settingsTitle } from './page.ts';

export const FOLLOWED_PATH = '/settings/following';

// An entry takes up to a kilobyte, with its form.
const PAGE_SIZE = 60;

/** Show whom and what the member follows: all members, then all tags, in pages. */
export async function followedPage({ community }: SiteParts, c: PageContext, user: User): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const title = settingsTitle(c, FOLLOWED_PATH);
  const [members, tags] = await Promise.all([
    community.reads.followedMembers(user.id),
    community.reads.followedTags(user.id),
  ]);
  const pageNumber = askedPage(c);
  const start = pageNumber * PAGE_SIZE;
  const shownMembers = members.slice(start, start + PAGE_SIZE);
  const startOfTags = Math.max(0, start - members.length);
  const shownTags = tags.slice(startOfTags, startOfTags + PAGE_SIZE - shownMembers.length);
  const pages = Math.ceil((members.length + tags.length) / PAGE_SIZE);
  return settingsPage(
    c,
    FOLLOWED_PATH,
    { title },
    html`
      <h1>${title}</h1>
      <p class="soft">${t.explanation} <a href="/following">${t.posts}</a></p>
      ${(shownMembers.length > 0 || members.length === 0) && memberSection(c, shownMembers)}
      ${(shownTags.length > 0 || tags.length === 0) && tagSection(c, shownTags)}
      ${pageLinks(FOLLOWED_PATH, pageNumber, pages, language)}`,
  );
}

function memberSection(c: PageContext, members: readonly FollowedMember[]): Html {
  const t = words[c.get('visitor').language];
  const items = members.map(({ id, username, avatar }) => {
    const picture = html`
      <img class="avatar" width="28" height="28" alt="" loading="lazy" src="${avatarPath(id, avatar)}">`;
    return item(c, memberPath(username), html`${picture} ${username}`, username);
  });
  return section(t.members, items, t.noMembers);
}

function tagSection(c: PageContext, tags: readonly FollowedTag[]): Html {
  const t = words[c.get('visitor').language];
  const items = tags.map(({ name, postCount }) =>
    item(c, tagPath(name), `#${name}`, `#${name}`, postCount > 0),
  );
  return section(t.tags, items, t.noTags);
}

function section(title: string, items: readonly Html[], none: string): Html {
  return html`
    <section class="card">
      <h2>${title}</h2>
      ${items.length === 0 ? html`<p class="soft">${none}</p>` : html`<ul class="plain followed">${items}</ul>`}
    </section>`;
}

// A tag that no post has at the moment has no page.
function item(c: PageContext, path: string, text: Html | string, name: string, hasPage = true): Html {
  const t = words[c.get('visitor').language];
  return html`
    <li class="row spread">
      ${hasPage ? html`<a class="row" href="${path}">${text}</a>` : html`<span>${text}</span>`}
      <form method="post" action="${path}/unfollow">
        ${formTokenField(c)}
        <input type="hidden" name="return_to" value="${FOLLOWED_PATH}">
        <button class="link" aria-label="${t.unfollow}: ${name}">${t.unfollow}</button>
      </form>
    </li>`;
}

const words = bilingual(
  {
    explanation: 'Only you can see this list. The members you follow aren’t told.',
    posts: 'Their newest posts',
    members: 'Members',
    tags: 'Tags',
    noMembers: 'You follow no members. The button is on each member’s page.',
    noTags: 'You follow no tags. The button is on each tag’s page.',
    unfollow: 'Unfollow',
  },
  {
    explanation: '只有您能看到这份名单，您关注的成员不会收到通知。',
    posts: '他们的最新文章',
    members: '成员',
    tags: '标签',
    noMembers: '您没有关注任何成员。关注按钮在每位成员的主页上。',
    noTags: '您没有关注任何标签。关注按钮在每个标签的页面上。',
    unfollow: '取消关注',
  },
);
