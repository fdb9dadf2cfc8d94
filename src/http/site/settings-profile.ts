// What a member shows of themselves.

import { Hono } from 'hono';
import { html } from 'hono/html';
import { problemWithBio, type User } from '../../identity/user.ts';
import { avatarPath } from '../avatar-path.ts';
import { inputField, problemSummary } from '../fields.ts';
import { bilingual } from '../language.ts';
import { formTokenField } from '../page.ts';
import { forMember, fromMember } from '../signed-in.ts';
import type { PageContext, PageEnv } from '../visitor.ts';
import type { SiteDoor } from './door.ts';
import { memberPath } from './post-list.ts';
import { settingsPage, settingsTitle } from './settings-page.ts';

const PATH = '/settings/profile';

export function profileSettings(site: SiteDoor): Hono<PageEnv> {
  const door = new Hono<PageEnv>();
  door.get(
    PATH,
    forMember((c, user) => profilePage(c, user, user.bio, undefined)),
  );
  door.post(
    PATH,
    fromMember(async (c, user, form) => {
      const bio = form.text('bio').trim();
      const problem = problemWithBio(bio);
      if (problem !== undefined) return profilePage(c, user, bio, problem);
      await site.identity.store.setBio(user.id, bio);
      return c.redirect(`${PATH}?saved`, 303);
    }),
  );
  return door;
}

function profilePage(
  c: PageContext,
  user: User,
  bio: string,
  problem: ReturnType<typeof problemWithBio>,
): Response | Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const title = settingsTitle(c, PATH);
  const bioProblem = problem && t.problems[problem];
  return settingsPage(
    c,
    PATH,
    { title, status: problem === undefined ? 200 : 400 },
    html`<h1>${title}</h1>
${c.req.query('saved') === undefined ? '' : html`<p class="notice" role="status">${t.saved}</p>`}
<section class="card"><div class="row"><img class="avatar" width="64" height="64" alt="" src="${avatarPath(user.id, user.avatar)}">
<div><strong>${user.username}</strong><p class="links"><a href="${memberPath(user.username)}">${t.see}</a></p></div></div>
<p class="soft small">${t.fixed}</p>
<form method="post" action="${PATH}">${formTokenField(c)}
${problemSummary({ bio: bioProblem }, language)}
${inputField({ name: 'bio', label: t.bio, hint: t.bioHint, problem: bioProblem, value: bio })}
<div class="actions"><button class="primary">${t.save}</button></div></form></section>`,
  );
}

const words = bilingual(
  {
    saved: 'Saved.',
    see: 'See your page',
    fixed: 'Your username stays, and your picture is drawn from your number.',
    bio: 'Bio',
    bioHint: 'One line about you, at most 160 characters. Everyone sees it.',
    save: 'Save',
    problems: {
      too_long: 'The bio can have at most 160 characters.',
      hidden_characters: 'The bio contains a hidden character. It is a single line of text.',
    },
  },
  {
    saved: '已保存。',
    see: '查看您的主页',
    fixed: '用户名不可更改，头像由您的编号绘制而成。',
    bio: '简介',
    bioHint: '用一句话介绍自己，最多 160 个字符。所有人可见。',
    save: '保存',
    problems: {
      too_long: '简介最多 160 个字符。',
      hidden_characters: '简介中含有不可见字符，它应当只有一行文字。',
    },
  },
);
