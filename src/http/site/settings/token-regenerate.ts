// Regenerating an API token: a new one takes its place, and the old one works for some hours more, if at all.

import { html } from 'hono/html';
import { byMember } from '../../../audit/doer.ts';
import type { User } from '../../../identity/user.ts';
import {
  canChange,
  endOfReplacement,
  OVERLAPS,
  regeneratePersonalToken,
} from '../../../oauth/personal-token-changes.ts';
import type { PersonalToken } from '../../../oauth/personal-token-store.ts';
import { notFoundPage } from '../../pages/failures.ts';
import { selectField } from '../../pages/fields.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { dayOf } from '../../pages/moments.ts';
import { questionPage } from '../../pages/question.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { retryAfter } from '../../pages/waiting.ts';
import type { SiteParts } from '../site-parts.ts';
import { settingsMenu } from './page.ts';
import { tooManyTokens } from './token-limit.ts';
import { tokenInPath } from './token-revoke.ts';
import { newTokenPage, TOKENS_PATH as PATH } from './tokens.ts';

/** Ask how long the old token may go on working. */
export async function regenerateTokenPage(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const token = await tokenInPath(site, c, user);
  if (token === undefined || !canChange(token, site.clock())) return notFoundPage(c);
  return formPage(site, c, token, '0');
}

/** Replace the token, and show the new one. */
export async function regenerateToken(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  const token = await tokenInPath(site, c, user);
  const t = words[c.get('visitor').language];
  if (token === undefined) return notFoundPage(c);
  const overlap = form.text('overlap');
  const overlapHours = OVERLAPS.find((hours) => String(hours) === overlap) ?? 0;
  const by = byMember(user, site.clock, site.clientAddress(c));
  const refusal = await tooManyTokens(site, by);
  if (refusal !== undefined) {
    retryAfter(c, refusal.retryAfterSeconds);
    return formPage(site, c, token, overlap, { status: 429, text: t.tooFast });
  }
  const { language } = c.get('visitor');
  const text = await regeneratePersonalToken(by, site.oauth, token, { overlapHours, language });
  if (text === undefined) return formPage(site, c, token, overlap, { status: 409, text: t.gone });
  return newTokenPage(site, c, user, { token: text, scopes: token.scopes });
}

function formPage(
  site: SiteParts,
  c: PageContext,
  token: PersonalToken,
  overlap: string,
  problem?: { status: 409 | 429; text: string },
): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const end = endOfReplacement(token, site.clock());
  const options = OVERLAPS.map((hours) => ({ value: String(hours), label: t.overlaps[hours] }));
  return questionPage(c, {
    title: t.title,
    ...(problem !== undefined && { status: problem.status }),
    menu: settingsMenu(c, PATH),
    problem: problem?.text,
    explanation: html`
      <p class="quoted">${token.name}</p>
      <p>${t.explanation} ${end === undefined ? t.never : t.until(dayOf(end, c.get('visitor')))}</p>`,
    fields: selectField({ name: 'overlap', label: t.overlap, hint: t.overlapHint, value: overlap, options }),
    action: `${PATH}/${token.id}/regenerate`,
    button: t.regenerate,
    isDangerous: false,
    back: { path: PATH, text: t.cancel },
  });
}

const words = bilingual(
  {
    title: 'Regenerate this token?',
    explanation: 'You get a new token with the same name, scopes and addresses.',
    until: (day: string) => `It expires on ${day}.`,
    never: 'It never expires.',
    overlap: 'The old token stops working',
    overlapHint: 'Choose “at once” if it may have leaked.',
    overlaps: { 0: 'At once', 1: 'In one hour', 24: 'In 24 hours' },
    tooFast: 'You’ve made many tokens already. Try again in an hour.',
    gone: 'This token was replaced, or has ended, in another window. Nothing was changed.',
    cancel: 'Cancel',
    regenerate: 'Regenerate token',
  },
  {
    title: '重新生成此令牌？',
    explanation: '您会得到一个新令牌，名称、权限和允许的地址不变。',
    until: (day) => `新令牌将于 ${day} 到期。`,
    never: '新令牌永不过期。',
    overlap: '旧令牌何时失效',
    overlapHint: '如果可能已泄露，请选择“立即”。',
    overlaps: { 0: '立即', 1: '一小时后', 24: '24 小时后' },
    tooFast: '您已多次创建令牌，请一小时后再试。',
    gone: '此令牌已在别处被替换或失效，没有更改任何内容。',
    cancel: '取消',
    regenerate: '重新生成',
  },
);
