// How this browser is signed in.

import { Hono } from 'hono';
import { html } from 'hono/html';
import { SESSION_IDLE, SESSION_LIFETIME } from '../../identity/session.ts';
import { DAY } from '../../lib/clock.ts';
import { bilingual } from '../language.ts';
import { clockTimeOf, dayElement } from '../moments.ts';
import { formTokenField } from '../page.ts';
import { forMember } from '../signed-in.ts';
import type { PageEnv } from '../visitor.ts';
import { settingsPage, settingsTitle } from './settings-page.ts';

const PATH = '/settings/security';

export function securitySettings(): Hono<PageEnv> {
  const door = new Hono<PageEnv>();
  door.get(
    PATH,
    forMember((c) => {
      const { visit, language } = c.get('visitor');
      const since = visit?.authenticatedAt ?? 0;
      const t = words[language];
      const title = settingsTitle(c, PATH);
      return settingsPage(
        c,
        PATH,
        { title },
        html`<h1>${title}</h1>
<section class="card"><h2>${t.thisBrowser}</h2>
<p>${t.since} ${dayElement(since, language)}, ${clockTimeOf(since)} (UTC+8)</p>
<p class="soft">${t.ends(SESSION_IDLE / DAY, SESSION_LIFETIME / DAY)}</p>
<form method="post" action="/logout">${formTokenField(c)}<button>${t.signOut}</button></form></section>`,
      );
    }),
  );
  return door;
}

const words = bilingual(
  {
    thisBrowser: 'This browser',
    since: 'Signed in since',
    ends: (idle: number, most: number) =>
      `You stay signed in until you sign out, or stay away for ${idle} days; after ${most} days you are asked again in any case.`,
    signOut: 'Sign out',
  },
  {
    thisBrowser: '此浏览器',
    since: '登录于',
    ends: (idle: number, most: number) =>
      `登录状态会一直保持，直到您退出，或连续 ${idle} 天没有访问；无论如何，${most} 天后都需要重新登录。`,
    signOut: '退出',
  },
);
