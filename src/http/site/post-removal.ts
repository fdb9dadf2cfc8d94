// Removing one's own post, after a question.

import { Hono } from 'hono';
import { html } from 'hono/html';
import { removePost } from '../../community/post.ts';
import { bilingual } from '../language.ts';
import { formTokenField, page } from '../page.ts';
import { forMember, fromMember } from '../signed-in.ts';
import type { PageEnv } from '../visitor.ts';
import type { SiteDoor } from './door.ts';
import { notFoundPage } from './failures.ts';
import { POST_PATH } from './post.ts';
import { ownPost, postId } from './post-editing.ts';
import { memberPath } from './post-list.ts';

export function postRemoval(site: SiteDoor): Hono<PageEnv> {
  const door = new Hono<PageEnv>();
  door.get(
    `${POST_PATH}/remove`,
    forMember(async (c, user) => {
      const post = await ownPost(site, c, user);
      if (post === undefined) return notFoundPage(c);
      const t = words[c.get('visitor').language];
      return page(
        c,
        { title: t.title },
        html`<div class="narrow"><h1>${t.title}</h1><p class="quoted">${post.title}</p>
<p>${post.status === 'published' ? t.published : t.draft}</p>
<form method="post" action="/posts/${post.id}/remove">${formTokenField(c)}
<div class="actions"><a class="button" href="/posts/${post.id}">${t.keep}</a><button class="danger">${t.remove}</button></div></form></div>`,
      );
    }),
  );
  door.post(
    `${POST_PATH}/remove`,
    fromMember(async (c, user) => {
      if (!(await removePost(site.community, user.id, postId(c)))) return notFoundPage(c);
      return c.redirect(memberPath(user.username), 303);
    }),
  );
  return door;
}

const words = bilingual(
  {
    title: 'Remove this post?',
    published: 'Nobody will see it any more, and the points it earned you are taken back. This is for good.',
    draft: 'The draft can not be brought back.',
    keep: 'Keep it',
    remove: 'Remove',
  },
  {
    title: '移除这篇文章？',
    published: '所有人都将无法再看到它，它带来的经验值也会收回。此操作无法撤销。',
    draft: '草稿移除后无法恢复。',
    keep: '保留',
    remove: '移除',
  },
);
