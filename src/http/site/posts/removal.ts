// Removing one's own post, after a confirmation.

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

/** Ask the author whether to remove the post. */
export function removePostPage(_: SiteParts, c: PageContext, _user: User, post: Post): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  return questionPage(c, {
    title: t.title,
    explanation: html`
      <p class="quoted">${titleOf(post, language)}</p>
      <p>${post.status === 'published' ? t.published : t.draft}</p>`,
    action: `/posts/${post.id}/remove`,
    button: t.remove,
    back: { path: `/posts/${post.id}`, text: t.cancel },
  });
}

/** Remove the author's post. */
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
      'Other people will no longer see the post, and you lose the points for publishing it. You can restore it from your removed posts for 30 days. After that, the post is deleted.',
    draft: 'You can restore the draft from your removed posts for 30 days. After that, the draft is deleted.',
    cancel: 'Cancel',
    remove: 'Remove post',
  },
  {
    title: '移除这篇文章？',
    published:
      '其他人将无法再看到这篇文章，发布时获得的经验值也会收回。30 天内，您可以在“已移除的文章”中恢复；之后文章将被删除。',
    draft: '30 天内，您可以在“已移除的文章”中恢复草稿；之后草稿将被删除。',
    cancel: '取消',
    remove: '移除文章',
  },
);
