// The form that makes an API token: what was asked for, and what is wrong with it.

import { html } from 'hono/html';
import {
  DEFAULT_PERSONAL_TOKEN_DAYS,
  MOST_PERSONAL_TOKENS,
  type PersonalTokenProblem,
} from '../../../oauth/personal-token.ts';
import { API_SCOPES, type ScopeSet, scopeSet } from '../../../oauth/scope.ts';
import { described, explanations, inputField, problemSummary, selectField } from '../../pages/fields.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import { scopeWords } from '../../pages/scope-words.ts';
import type { PageContext } from '../../pages/visitor.ts';

const LIFETIMES = ['7', '30', '90', '365', 'custom', 'none'] as const;

/** The form as it was filled in. */
export interface TokenForm {
  name: string;
  scopes: ScopeSet;
  expires: string;
  days: string;
  noExpiry: boolean;
  /** One form makes one token: a page that is loaded again sends its form again. */
  once: string;
}

export type TokenFormProblem = PersonalTokenProblem | 'no_expiry';

export function readTokenForm(form: PostedForm): TokenForm {
  return {
    name: form.text('name'),
    scopes: scopeSet(form.all('scope')),
    expires: form.text('expires'),
    days: form.text('days'),
    noExpiry: form.has('no_expiry'),
    once: form.text('once'),
  };
}

/** The form as a link asks for it to be filled in: `?name=…&scopes=profile:read,posts:read&expires=30`. */
export function prefilledTokenForm(c: PageContext, once: string): TokenForm {
  const expires = c.req.query('expires') ?? '';
  const isListed = (LIFETIMES as readonly string[]).includes(expires);
  const days = !isListed && /^\d{1,4}$/.test(expires) ? expires : '';
  const preset = days === '' ? String(DEFAULT_PERSONAL_TOKEN_DAYS) : 'custom';
  return {
    name: c.req.query('name') ?? '',
    scopes: scopeSet((c.req.query('scopes') ?? '').split(/[\s,]+/)),
    expires: isListed ? expires : preset,
    days,
    // A link can't tick it: whoever makes the token does.
    noExpiry: false,
    once,
  };
}

/** The lifetime that was chosen; undefined: none, and knowingly so. NaN if what was chosen is no number of days. */
export function chosenDays({ expires, days, noExpiry }: TokenForm): number | undefined | 'no_expiry' {
  if (expires === 'none') return noExpiry ? undefined : 'no_expiry';
  const text = expires === 'custom' ? days.trim() : expires || String(DEFAULT_PERSONAL_TOKEN_DAYS);
  return /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
}

export function tokenFormCard(c: PageContext, form: TokenForm, problem: TokenFormProblem | undefined): Html {
  const { language } = c.get('visitor');
  const t = words[language];
  const wrong = (...which: TokenFormProblem[]) =>
    problem !== undefined && which.includes(problem) ? t.problems[problem] : undefined;
  const options = LIFETIMES.map((value) => ({ value, label: t.lifetimes[value] }));
  const where = {
    name: 'name',
    scopes: 'scope',
    days: 'days',
    no_expiry: 'no_expiry',
    too_many: 'new',
    made_already: 'new',
  } as const;
  return html`<section class="card" id="new"><h2>${t.title}</h2>
<form method="post" action="/settings/tokens" class="lifetime">${formTokenField(c)}<input type="hidden" name="once" value="${form.once}">
${problem === undefined ? '' : problemSummary({ [where[problem]]: t.problems[problem] }, language)}
${inputField({ name: 'name', label: t.name, hint: t.nameHint, problem: wrong('name'), value: form.name, required: true })}
${scopeFields(form, wrong('scopes'), language)}
${selectField({ name: 'expires', label: t.expires, value: form.expires, options })}
<div class="when-custom">${inputField({ name: 'days', type: 'number', label: t.days, problem: wrong('days'), value: form.days, attributes: html`min="1" max="3650" inputmode="numeric"` })}</div>
<div class="when-none field">${explanations({ name: 'no_expiry', problem: wrong('no_expiry') })}<label class="check"><input type="checkbox" id="no_expiry" name="no_expiry" value="yes"${form.noExpiry ? html` checked` : ''}${described({ name: 'no_expiry', problem: wrong('no_expiry') })}> ${t.noExpiry}</label></div>
<div class="actions"><button class="primary">${t.create}</button></div></form></section>`;
}

function scopeFields(form: TokenForm, problem: string | undefined, language: Language): Html {
  const t = words[language];
  const boxes = API_SCOPES.map((scope, index) => {
    const { name, reads, doesNotRead } = scopeWords[language][scope];
    const id = index === 0 ? 'scope' : `scope-${index}`;
    return html`<li><label><input type="checkbox" id="${id}" name="scope" value="${scope}"${form.scopes.includes(scope) ? html` checked` : ''} aria-describedby="${id}-reads"${problem === undefined ? '' : html` aria-invalid="true"`}><span><strong>${name}</strong> <span class="chip">${scope}</span><br><span class="soft small" id="${id}-reads">${reads} ${doesNotRead}</span></span></label></li>`;
  });
  return html`<fieldset class="field"${described({ name: 'scopes', problem })}><legend>${t.scopes}</legend>${explanations({ name: 'scopes', problem })}<ul class="tick">${boxes}</ul></fieldset>`;
}

const words = bilingual(
  {
    title: 'New token',
    name: 'Name',
    nameHint: 'What it is for, so that you know it again: “backup script”.',
    scopes: 'What it can read',
    expires: 'It ends',
    lifetimes: {
      '7': 'in 7 days',
      '30': 'in 30 days',
      '90': 'in 90 days',
      '365': 'in 365 days',
      custom: 'in a number of days of my own',
      none: 'never',
    },
    days: 'Days (1 to 3650)',
    noExpiry: 'I know that it never ends',
    create: 'Create token',
    problems: {
      name: 'The token needs a name of 1 to 60 characters.',
      scopes: 'Tick at least one thing that it can read.',
      days: 'Give a whole number of days from 1 to 3650.',
      no_expiry: 'A token that never ends stays dangerous for ever: tick that you know it, or choose an end.',
      too_many: `You have ${MOST_PERSONAL_TOKENS} tokens already. Revoke one that you no longer need.`,
      made_already:
        'This form made its token already; it is in the list. To make another, open the page anew.',
    },
  },
  {
    title: '新建令牌',
    name: '名称',
    nameHint: '写明用途以便辨认，例如“备份脚本”。',
    scopes: '可以读取的内容',
    expires: '有效期',
    lifetimes: {
      '7': '7 天',
      '30': '30 天',
      '90': '90 天',
      '365': '365 天',
      custom: '自定义天数',
      none: '永不过期',
    },
    days: '天数（1 到 3650）',
    noExpiry: '我知道它永不过期',
    create: '创建令牌',
    problems: {
      name: '令牌需要 1 到 60 个字符的名称。',
      scopes: '请至少勾选一项可读取的内容。',
      days: '请填写 1 到 3650 之间的整数天数。',
      no_expiry: '永不过期的令牌会一直存在风险：请勾选确认，或选择有效期。',
      too_many: `您已有 ${MOST_PERSONAL_TOKENS} 个令牌，请先撤销不再需要的令牌。`,
      made_already: '此表单已创建过令牌，见列表。如需再建，请重新打开此页面。',
    },
  },
);
