// Liking a post, and taking it back.

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
import type { PageContext } from '../../pages/visitor.ts';
import { retryAfter, waitText } from '../../pages/waiting.ts';
import type { SiteParts } from '../site-parts.ts';

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

export async function unlike(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const post = await postFor(site.community, user.id, idIn(c));
  if (post?.status !== 'published') return notFoundPage(c);
  await unlikePost(byMember(user, site.clock), site.community, post.id);
  return c.redirect(`${postPath(post)}#reactions`, 303);
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
    html`<h1>${title}</h1><p>${text(waitText(waitSeconds, language))}</p><p><a class="button" href="${back}">${t.back}</a></p>`,
  );
}

const words = bilingual(
  {
    own: { title: 'This is your own post', text: () => 'Likes are for what others write.' },
    tooMany: {
      title: 'That was a lot of likes',
      text: (wait: string) => `There is room for 200 in an hour. Go on in ${wait}.`,
    },
    back: 'Back to the post',
  },
  {
    own: { title: '这是您自己的文章', text: () => '点赞是给别人的文章的。' },
    tooMany: { title: '点赞太多了', text: (wait) => `每小时最多 200 次。请在 ${wait}后继续。` },
    back: '返回文章',
  },
);
