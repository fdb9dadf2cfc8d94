// Liking a post, and taking it back.

import { Hono } from 'hono';
import { html } from 'hono/html';
import { likePost, unlikePost } from '../../../community/like.ts';
import { postFor } from '../../../community/post.ts';
import { bilingual } from '../../pages/language.ts';
import { idIn } from '../../pages/numbers.ts';
import { page } from '../../pages/page.ts';
import { POST_PATH, postPath } from '../../pages/post-path.ts';
import { fromMember } from '../../pages/signed-in.ts';
import type { PageContext, PageEnv } from '../../pages/visitor.ts';
import { retryAfter, waitText } from '../../pages/waiting.ts';
import type { SiteDoor } from '../door.ts';
import { notFoundPage } from '../failures.ts';

export function likes(site: SiteDoor): Hono<PageEnv> {
  const door = new Hono<PageEnv>();
  for (const verb of ['like', 'unlike'] as const) {
    door.post(
      `${POST_PATH}/${verb}`,
      fromMember(async (c, user) => {
        const post = await postFor(site.community, user.id, idIn(c));
        if (post?.status !== 'published') return notFoundPage(c);
        const path = `${postPath(post)}#reactions`;
        if (verb === 'unlike') await unlikePost(site.community, user.id, post.id);
        else if (post.userId === user.id) return refusal(c, 'own', path);
        else {
          const tooFast = await likePost(site.community, user.id, post.id);
          if (tooFast !== undefined) {
            retryAfter(c, tooFast.retryAfterSeconds);
            return refusal(c, 'tooMany', path, tooFast.retryAfterSeconds);
          }
        }
        return c.redirect(path, 303);
      }),
    );
    // Who signs in first, and would then come back to what only takes a form.
    door.get(`${POST_PATH}/${verb}`, (c) => c.redirect(`/posts/${c.req.param('id')}#reactions`, 303));
  }
  return door;
}

function refusal(
  c: PageContext,
  reason: 'own' | 'tooMany',
  back: string,
  waitSeconds = 0,
): Response | Promise<Response> {
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
