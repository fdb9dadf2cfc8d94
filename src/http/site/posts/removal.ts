// Removing one's own post, after a question.

import { html } from 'hono/html';
import { byMember } from '../../../audit/doer.ts';
import { type Post, removePost } from '../../../community/post.ts';
import type { User } from '../../../identity/user.ts';
import { notFoundPage } from '../../pages/failures.ts';
import { bilingual } from '../../pages/language.ts';
import { questionPage } from '../../pages/question.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { titleOf } from '../lists/item.ts';
import type { SiteParts } from '../site-parts.ts';
import { REMOVED_PATH } from './removed.ts';

export function removePostPage(_: SiteParts, c: PageContext, _user: User, post: Post): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  return questionPage(c, {
    title: t.title,
    explanation: html`<p class="quoted">${titleOf(post, language)}</p>
<p>${post.status === 'published' ? t.published : t.draft}</p>`,
    action: `/posts/${post.id}/remove`,
    button: t.remove,
    back: { path: `/posts/${post.id}`, text: t.keep },
  });
}

export async function removeOwnPost(
  site: SiteParts,
  c: PageContext,
  user: User,
  post: Post,
): Promise<Response> {
  if (!(await removePost(byMember(user, site.clock), site.community, post.id))) return notFoundPage(c);
  return c.redirect(REMOVED_PATH, 303);
}

const words = bilingual(
  {
    title: 'Remove this post?',
    published:
      'Nobody will see it any more, and the points for publishing it are taken back. For 30 days you can restore it as it was, from your drafts; then it is deleted.',
    draft: 'For 30 days you can restore it, from your drafts; then it is deleted.',
    keep: 'Keep it',
    remove: 'Remove',
  },
  {
    title: '移除这篇文章？',
    published:
      '所有人都将无法再看到它，发布它所得的经验值也会收回。30 天之内您可以从草稿页原样恢复，之后将被删除。',
    draft: '30 天之内您可以从草稿页恢复，之后将被删除。',
    keep: '保留',
    remove: '移除',
  },
);
