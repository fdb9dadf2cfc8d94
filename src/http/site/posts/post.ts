// A post's page. Only its author sees a draft.

import { html } from 'hono/html';
import { MASK } from '../../../audit/credential-notice.ts';
import { byMember } from '../../../audit/doer.ts';
import { type Post, postFor } from '../../../community/post.ts';
import { htmlOf } from '../../../community/rendering.ts';
import { canModerate } from '../../../identity/user.ts';
import { MINUTE, type Timestamp } from '../../../lib/clock.ts';
import { avatarPath } from '../../pages/avatar-path.ts';
import { maskedText } from '../../pages/credential-words.ts';
import { notFoundPage } from '../../pages/failures.ts';
import { MASKED, publishedWord, takeFlash } from '../../pages/flash.ts';
import { bilingual, type Language, type Locale } from '../../pages/language.ts';
import { agoElement, dayElement } from '../../pages/moments.ts';
import { idIn } from '../../pages/numbers.ts';
import { formTokenField, type Html, page } from '../../pages/page.ts';
import { memberPath, postPath } from '../../pages/post-path.ts';
import { proseToCopy } from '../../pages/prose.ts';
import type { PageContext } from '../../pages/visitor.ts';
import {
  COPY_SCRIPT,
  FRESH_SCRIPT,
  MARKDOWN_SCRIPTS,
  PICTURES_SCRIPT,
  PRESS_SCRIPT,
  QUOTE_SCRIPT,
} from '../../static-files.ts';
import { cardOfPost } from '../cards.ts';
import { categoryLink, countsOf, titleOf } from '../lists/item.ts';
import { shownNames } from '../lists/shown-tags.ts';
import { tagLinks } from '../lists/tag-links.ts';
import { notice } from '../notice.ts';
import { reactionsOf } from '../reactions/reactions.ts';
import { sharingOfPost } from '../sharing.ts';
import type { SiteParts } from '../site-parts.ts';
import { contentsOf, withHeadings } from './contents.ts';
import { moderationNotice, moderationPanel, removedNotice } from './moderation-panel.ts';
import { pictureOfPost } from './picture-of-post.ts';

/** Show the post whose id is in the path. */
export async function postPage(site: SiteParts, c: PageContext): Promise<Response> {
  const post = await visiblePost(site, c);
  return post === undefined ? notFoundPage(c) : pageOfPost(site, c, post);
}

/** Show a post at its readable address. An address with a different title redirects to it. */
export async function titledPostPage(site: SiteParts, c: PageContext): Promise<Response> {
  const post = await visiblePost(site, c);
  if (post === undefined) return notFoundPage(c);
  const path = postPath(post);
  const slug = c.req.param('slug') ?? '';
  if (path === `/posts/${post.id}/${encodeURIComponent(slug)}`) return pageOfPost(site, c, post);
  // Browsers must not cache the redirect: the author can change the title back.
  c.header('Cache-Control', 'no-store');
  return c.redirect(path + new URL(c.req.url).search, 301);
}

// Operators and moderators also see the posts that they removed.
async function visiblePost({ community }: SiteParts, c: PageContext): Promise<Post | undefined> {
  const { visit } = c.get('visitor');
  const post = await postFor(community, visit?.user.id, idIn(c));
  if (post !== undefined || visit === undefined || !canModerate(visit.user)) return post;
  return community.reads.findRemovedPost(idIn(c));
}

async function pageOfPost(site: SiteParts, c: PageContext, post: Post): Promise<Response> {
  const { language, visit } = c.get('visitor');
  const title = titleOf(post, language);
  const isOwn = post.userId === visit?.user.id && post.status !== 'removed';
  const reader = post.status !== 'published' && visit ? byMember(visit.user, site.clock) : undefined;
  const canReact = post.status === 'published' && visit !== undefined;
  const isModerated = post.status === 'published' && visit !== undefined && canModerate(visit.user);
  const rendered = await htmlOf(site.community, 'post', post, reader);
  const { body, headings } = withHeadings(rendered);
  const isPublished = takeFlash(c, publishedWord(post.id)) !== undefined && isOwn;
  const scripts = [
    ...(canReact ? [PRESS_SCRIPT] : []),
    ...(visit !== undefined && canComment(post) ? [...MARKDOWN_SCRIPTS, PICTURES_SCRIPT, QUOTE_SCRIPT] : []),
    ...(post.status === 'published' ? [FRESH_SCRIPT] : []),
    ...(isPublished || rendered.includes('<pre') ? [COPY_SCRIPT] : []),
  ];
  return page(
    c,
    {
      title,
      sharing: sharingOfPost(c, post, pictureOfPost(rendered) ?? cardOfPost(c, post)),
      script: scripts,
    },
    html`
      ${post.status === 'draft' ? await draftNotice(site, c, post) : ''}
      ${post.status === 'removed' ? removedNotice(c, post) : ''}
      ${isModerated ? moderationNotice(c, post) : ''}
      ${maskedNotice(c, isOwn ? post : undefined)}
      ${isPublished && publishedNotice(c, post)}
      <article class="reading h-entry">
        <header>
          ${categoryLink(post)}
          <div class="p-name"><h1>${title}</h1></div>
          ${byline(post, site.clock(), c.get('visitor'))}
        </header>
        ${contentsOf(headings, language)}
        <div class="e-content">${proseToCopy(body, language)}</div>
        <footer>
          ${tagLinks(post, await shownNames(site))}
          <p class="meta" id="counts">${countsOf(post, language)}</p>
          ${isOwn ? ownActions(post, language) : ''}
        </footer>
      </article>
      ${isModerated ? await moderationPanel(site, c, post) : ''}
      ${post.status === 'published' ? await reactionsOf(site, c, post) : ''}`,
  );
}

// A comment on the post leaves the word.
function maskedNotice(c: PageContext, own: Post | undefined): Html | '' {
  const isMasked =
    own !== undefined && own.status === 'published' && `${own.title}${own.body}`.includes(MASK);
  const isLeft = takeFlash(c, MASKED) !== undefined;
  return notice(isMasked || isLeft ? maskedText[c.get('visitor').language] : undefined);
}

function canComment({ status, lockedAt }: Post): boolean {
  return status === 'published' && lockedAt === undefined;
}

function publishedNotice(c: PageContext, post: Post): Html {
  const t = words[c.get('visitor').language];
  return html`
    <div class="notice" role="status">
      <p><strong>${t.published}</strong> ${t.share}</p>
      <div class="copied">
        <pre class="once" id="post-address">${c.get('site').baseUrl}${postPath(post)}</pre>
        <button type="button" hidden data-copy="post-address" data-done="${t.copied}"
          aria-live="polite">${t.copy}</button>
      </div>
    </div>`;
}

// Mistakes that authors find at once are no news to readers.
const UNTOLD_EDITS = 5 * MINUTE;

function editedElement(at: Timestamp, now: Timestamp, locale: Locale): Html {
  const when = agoElement(at, now, locale, 'dt-updated');
  return html`<span class="soft">${words[locale.language].edited} ${when}</span>`;
}

function byline(post: Post, now: Timestamp, locale: Locale): Html {
  const { authorName, authorAvatar, userId, publishedAt, updatedAt } = post;
  return html`
    <p class="byline">
      <a class="row p-author h-card" href="${memberPath(authorName)}">
        <img class="avatar u-photo" width="36" height="36" alt="" src="${avatarPath(userId, authorAvatar)}">
        ${authorName}
      </a>
      <a class="u-url soft" href="${postPath(post)}">${dayElement(publishedAt ?? updatedAt, locale, 'dt-published')}</a>
      ${
        publishedAt !== undefined &&
        updatedAt - publishedAt > UNTOLD_EDITS &&
        editedElement(updatedAt, now, locale)
      }
    </p>`;
}

async function draftNotice(site: SiteParts, c: PageContext, post: Post): Promise<Html> {
  const t = words[c.get('visitor').language];
  const reviews = await site.community.reads.draftReviewsOf(post.userId);
  const review = reviews.find(({ postId }) => postId === post.id);
  if (review?.isWaiting) {
    return html`<p class="notice" role="status"><strong>${t.waiting}</strong> ${t.untilApproved}</p>`;
  }
  const returned = review?.note;
  const isComplete = post.title !== '' && post.body !== '';
  return html`
    ${returned !== undefined && html`<p class="notice wrong"><strong>${t.returned}</strong> ${returned}</p>`}
    <div class="notice row spread" role="status">
      <span><strong>${t.draft}</strong> ${t.onlyYou}</span>
      ${isComplete ? publishButton(c, post) : html`<a class="button" href="/posts/${post.id}/edit">${t.resume}</a>`}
    </div>`;
}

function publishButton(c: PageContext, post: Post): Html {
  return html`
    <form method="post" action="/posts/${post.id}/publish">
      ${formTokenField(c)}
      <button class="primary">${words[c.get('visitor').language].publish}</button>
    </form>`;
}

function ownActions(post: Post, language: Language): Html {
  const t = words[language];
  return html`
    <ul class="links">
      <li><a href="/posts/${post.id}/edit">${t.edit}</a></li>
      <li><a href="/posts/${post.id}/remove">${t.remove}</a></li>
    </ul>`;
}

const words = bilingual(
  {
    draft: 'This is a draft.',
    onlyYou: 'Only you can see it.',
    waiting: 'This post waits for approval.',
    untilApproved:
      'Moderators look at the first posts of new members. Until they approve it, only you, moderators and operators can see it. We’ll notify you.',
    returned: 'A moderator returned this post. You can change it and publish it again. Reason:',
    published: 'Published.',
    share: 'Share it with this link:',
    copy: 'Copy link',
    copied: 'Copied',
    edited: 'edited',
    publish: 'Publish',
    resume: 'Continue writing',
    edit: 'Edit',
    remove: 'Remove',
  },
  {
    draft: '这是草稿。',
    onlyYou: '只有您能看到。',
    waiting: '这篇文章正在等待审核。',
    untilApproved:
      '版主会查看新成员最初的文章。审核通过之前，只有您、版主和管理员能看到它。有结果时会通知您。',
    returned: '版主退回了这篇文章。您可以修改后再次发布。原因：',
    published: '已发布。',
    share: '您可以用这个链接分享：',
    copy: '复制链接',
    copied: '已复制',
    edited: '编辑于',
    publish: '发布',
    resume: '继续写作',
    edit: '编辑',
    remove: '移除',
  },
);
