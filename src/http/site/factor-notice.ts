// Tells members who need a second factor until when they can set it up.

import { html } from 'hono/html';
import { factorDue, lacksFactor } from '../../identity/required-factor.ts';
import type { User } from '../../identity/user.ts';
import { bilingual } from '../pages/language.ts';
import { dayElement } from '../pages/moments.ts';
import type { Html } from '../pages/page.ts';
import type { PageContext } from '../pages/visitor.ts';
import type { SiteParts } from './site-parts.ts';

/** Show the notice, with a link except in the settings. Empty for a member who has a factor or needs none. */
export async function factorNotice(
  { identity }: SiteParts,
  c: PageContext,
  user: User,
  hasLink = false,
): Promise<Html | ''> {
  const mode = c.get('site').secondFactor;
  if (!lacksFactor(user, mode)) return '';
  const visitor = c.get('visitor');
  const t = words[visitor.language];
  const due = await factorDue(identity, user);
  const link = hasLink && html`<a href="/settings/security#second-factor">${t.setUp}</a>`;
  const who = mode === 'everyone' ? t.everyone : t.operators;
  return due > identity.clock()
    ? html`<p class="notice">${who} ${t.until} ${dayElement(due, visitor)}${t.stop} ${link}</p>`
    : html`<p class="notice wrong" role="alert">${who} ${t.late} ${link}</p>`;
}

const words = bilingual(
  {
    everyone: 'This community requires two-step verification.',
    operators: 'This community requires two-step verification of operators and moderators.',
    until: 'Set it up by',
    stop: '.',
    late: 'Set it up to go on.',
    setUp: 'Set up now',
  },
  {
    everyone: '本社区要求启用两步验证。',
    operators: '本社区要求管理员和版主启用两步验证。',
    until: '请在此日期前设置：',
    stop: '。',
    late: '请先设置，然后继续。',
    setUp: '立即设置',
  },
);
