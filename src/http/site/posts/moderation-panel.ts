// What operators and moderators see below a post: the notice about their last act, and the buttons for the next.

import { html } from 'hono/html';
import { MOST_PINNED } from '../../../community/moderation.ts';
import type { Post } from '../../../community/post.ts';
import { selectField } from '../../pages/fields.ts';
import { bilingual } from '../../pages/language.ts';
import { numberIn } from '../../pages/numbers.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { notice } from '../notice.ts';
import { restoreForm } from '../operator/removed.ts';
import type { SiteParts } from '../site-parts.ts';

/** Say what the moderator just did, with a button that undoes the removal of a comment. */
export function moderationNotice(c: PageContext, post: Post): Html | '' {
  const t = words[c.get('visitor').language];
  const done = c.req.query('done') ?? '';
  if (done === 'too_many') return html`<p class="notice wrong" role="alert">${t.tooMany}</p>`;
  if (done === 'too_fast') return html`<p class="notice wrong" role="alert">${t.tooFast}</p>`;
  const commentId = numberIn(c.req.query('comment'));
  if (done === 'remove_comment' && commentId !== undefined) {
    return html`
      <div class="notice row spread" role="status">
        <span>${t.done.remove_comment}</span>
        ${restoreForm(c, { postId: post.id, commentId })}
      </div>`;
  }
  return notice(Object.hasOwn(t.done, done) ? t.done[done as keyof typeof t.done] : undefined);
}

/** Above a removed post: that it is removed, and the button that restores it. */
export function removedNotice(c: PageContext, { id }: Post): Html {
  const t = words[c.get('visitor').language];
  return html`
    <div class="notice row spread" role="status">
      <span><strong>${t.removed}</strong> ${t.onlyModerators}</span>
      ${restoreForm(c, { postId: id, commentId: undefined })}
    </div>`;
}

/** The acts on a published post. */
export async function moderationPanel(site: SiteParts, c: PageContext, post: Post): Promise<Html> {
  const { language, visit } = c.get('visitor');
  const t = words[language];
  const { id, userId, lockedAt, pinnedAt } = post;
  const categories = await site.community.reads.categories();
  const options = categories.map((category) => ({ value: String(category.id), label: category.name }));
  const current = categories.find(({ slug }) => slug === post.categorySlug);
  const isOwn = visit?.user.id === userId;
  return html`
    <details class="card moderation"${c.req.query('done') === undefined ? '' : html` open`}>
      <summary>${t.title}</summary>
      <ul class="links">
        <li><a href="/operator/posts/${id}/remove">${t.remove}</a></li>
        ${!isOwn && html`<li><a href="/operator/members/${userId}/suspend">${t.suspend}</a></li>`}
      </ul>
      <form method="post" action="/operator/posts/${id}/change">
        ${formTokenField(c)}
        <div class="row">
          <button name="change" value="${lockedAt === undefined ? 'lock' : 'unlock'}">
            ${lockedAt === undefined ? t.lock : t.unlock}
          </button>
          <button name="change" value="${pinnedAt === undefined ? 'pin' : 'unpin'}">
            ${pinnedAt === undefined ? t.pin : t.unpin}
          </button>
        </div>
        <div class="find">
          ${selectField({ name: 'category', label: t.category, value: String(current?.id), options })}
          <button name="change" value="move">${t.move}</button>
        </div>
      </form>
    </details>`;
}

const words = bilingual(
  {
    title: 'Moderate this post',
    remove: 'Remove post',
    suspend: 'Suspend author',
    lock: 'Lock comments',
    unlock: 'Unlock comments',
    pin: 'Pin post',
    unpin: 'Unpin post',
    category: 'Category',
    move: 'Change category',
    removed: 'A moderator removed this post.',
    onlyModerators: 'Only operators and moderators can see it.',
    tooMany: `Not pinned: ${MOST_PINNED} posts are pinned already. Unpin one of them first.`,
    tooFast: 'Not changed: you’ve changed very many posts this hour. Try again later, or ask an operator.',
    done: {
      restore: 'Post restored. The author was told.',
      remove_comment: 'Comment removed. The author was told.',
      lock: 'Comments locked. Members can’t add new ones.',
      unlock: 'Comments unlocked. Members can comment again.',
      pin: 'Post pinned. It is on top of the newest posts and of its category.',
      unpin: 'Post unpinned.',
      move: 'Category changed.',
    },
  },
  {
    title: '管理这篇文章',
    remove: '移除文章',
    suspend: '暂停作者账号',
    lock: '关闭评论',
    unlock: '重新开放评论',
    pin: '置顶文章',
    unpin: '取消置顶',
    category: '分类',
    move: '更改分类',
    removed: '这篇文章已被版主移除。',
    onlyModerators: '只有管理员和版主能看到。',
    tooMany: `未置顶：已有 ${MOST_PINNED} 篇置顶文章，请先取消其中一篇。`,
    tooFast: '未更改：您这一小时更改文章的次数过多。请稍后再试，或联系管理员。',
    done: {
      restore: '文章已恢复，已告知作者。',
      remove_comment: '评论已移除，已告知作者。',
      lock: '评论已关闭，成员不能发表新评论。',
      unlock: '评论已重新开放。',
      pin: '文章已置顶，会显示在最新文章和所属分类的最前面。',
      unpin: '已取消置顶。',
      move: '分类已更改。',
    },
  },
);
