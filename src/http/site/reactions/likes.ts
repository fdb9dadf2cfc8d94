// Liking a post, and taking the like back.

import { html } from 'hono/html';
import { byMember } from '../../../audit/doer.ts';
import { likePost, unlikePost } from '../../../community/like.ts';
import { postFor } from '../../../community/post.ts';
import type { User } from '../../../identity/user.ts';
import { notFoundPage } from '../../pages/failures.ts';
import { bilingual } from '../../pages/language.ts';
import { idIn } from '../../pages/numbers.ts';
import { page } from '../../pages/page.ts';
import { postPath } from '../../pages/post-path.ts';
import { tooOftenPage } from '../../pages/too-often.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { retryAfter, waitText } from '../../pages/waiting.ts';
import type { SiteParts } from '../site-parts.ts';

/** Like the post in the path. */
export async function like(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const post = await postFor(site.community, user.id, idIn(c));
  if (post?.status !== 'published') return notFoundPage(c);
  const path = `${postPath(post)}#reactions`;
  if (post.userId === user.id) return refusal(c, 'own', path);
  const tooFast = await likePost(byMember(user, site.clock), site.community, post.id);
  if (tooFast === undefined) return c.redirect(path, 303);
  retryAfter(c, tooFast.retryAfterSeconds);
  return refusal(c, 'tooMany', path, tooFast.retryAfterSeconds);
}

/** Take back the member's like of the post in the path. */
export async function unlike(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const post = await postFor(site.community, user.id, idIn(c));
  if (post?.status !== 'published') return notFoundPage(c);
  const path = `${postPath(post)}#reactions`;
  const tooFast = await unlikePost(byMember(user, site.clock), site.community, post.id);
  return tooFast === undefined ? c.redirect(path, 303) : tooOftenPage(c, tooFast, path);
}

function refusal(
  c: PageContext,
  reason: 'own' | 'tooMany',
  back: string,
  waitSeconds = 0,
): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const { title, text } = t[reason];
  return page(
    c,
    { title, status: reason === 'own' ? 403 : 429 },
    html`
      <h1>${title}</h1>
      <p>${text(waitText(waitSeconds, language))}</p>
      <p><a class="button" href="${back}">${t.back}</a></p>`,
  );
}

const words = bilingual(
  {
    own: { title: 'You can’t like your own post', text: () => 'Likes are for other members’ posts.' },
    tooMany: {
      title: 'You’ve liked a lot of posts',
      text: (wait: string) => `You can like up to 200 posts an hour. You can like more in ${wait}.`,
    },
    back: 'Back to the post',
  },
  {
    own: { title: '不能给自己的文章点赞', text: () => '您可以给其他成员的文章点赞。' },
    tooMany: { title: '您已点赞很多文章', text: (wait) => `每小时最多点赞 200 次，${wait}后可以继续点赞。` },
    back: '返回文章',
  },
);
