// A community that is not set up yet offers nothing but the set-up and the documentation.

import type { MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import type { Identity } from '../../../identity/identity.ts';
import { bilingual } from '../../pages/language.ts';
import { page } from '../../pages/page.ts';
import type { PageContext, PageEnv } from '../../pages/visitor.ts';

/** Lead every visitor of a community without any account to the page that says how to set it up. */
export function untilSetUp({ identity }: { identity: Identity }): MiddlewareHandler<PageEnv> {
  // Accounts are never deleted, so this is asked no more once there is one.
  let isSetUp = false;
  return async (c, next) => {
    isSetUp ||= (await identity.reads.countMembers(1)).total > 0;
    if (isSetUp) return next();
    return c.req.path === '/' ? notSetUpPage(c) : c.redirect('/', 303);
  };
}

/** Say how to set the community up. */
export function notSetUpPage(c: PageContext): Promise<Response> {
  const t = words[c.get('visitor').language];
  return page(
    c,
    { title: t.notSetUp },
    html`
      <h1>${t.notSetUp}</h1>
      <p>${t.openLink}</p>
      <p class="soft">${t.whyLink}</p>`,
  );
}

const words = bilingual(
  {
    notSetUp: 'This community is not set up yet',
    openLink: 'To set it up, open the link that the server printed in the terminal when it started.',
    whyLink:
      'The link works once and creates the first operator’s account. Visitors who don’t have the link can’t set up the community.',
  },
  {
    notSetUp: '社区尚未完成设置',
    openLink: '请打开程序启动时在终端中显示的链接。',
    whyLink: '该链接只能使用一次，用于创建第一个管理员账号。没有该链接的访客无法完成设置。',
  },
);
