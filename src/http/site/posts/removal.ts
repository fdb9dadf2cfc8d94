// Removing one's own post, after a question.

import { Hono } from 'hono';
import { html } from 'hono/html';
import { removePost } from '../../../community/post.ts';
import { bilingual } from '../../pages/language.ts';
import { idIn } from '../../pages/numbers.ts';
import { formTokenField, page } from '../../pages/page.ts';
import { POST_PATH } from '../../pages/post-path.ts';
import { forMember, fromMember } from '../../pages/signed-in.ts';
import type { PageEnv } from '../../pages/visitor.ts';
import type { SiteDoor } from '../door.ts';
import { notFoundPage } from '../failures.ts';
import { titleOf } from '../lists/item.ts';
import { ownPost } from './editing.ts';
import { REMOVED_PATH } from './removed.ts';

export function postRemoval(site: SiteDoor): Hono<PageEnv> {
  const door = new Hono<PageEnv>();
  door.get(
    `${POST_PATH}/remove`,
    forMember(async (c, user) => {
      const post = await ownPost(site, c, user);
      if (post === undefined) return notFoundPage(c);
      const { language } = c.get('visitor');
      const t = words[language];
      return page(
        c,
        { title: t.title },
        html`<div class="narrow"><h1>${t.title}</h1><p class="quoted">${titleOf(post, language)}</p>
<p>${post.status === 'published' ? t.published : t.draft}</p>
<form method="post" action="/posts/${post.id}/remove">${formTokenField(c)}
<div class="actions"><a class="button" href="/posts/${post.id}">${t.keep}</a><button class="danger">${t.remove}</button></div></form></div>`,
      );
    }),
  );
  door.post(
    `${POST_PATH}/remove`,
    fromMember(async (c, user) => {
      if (!(await removePost(site.community, user.id, idIn(c)))) return notFoundPage(c);
      return c.redirect(REMOVED_PATH, 303);
    }),
  );
  return door;
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
