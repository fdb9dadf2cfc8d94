// The form that creates an API token: its fields, and what is wrong with them.

import { html } from 'hono/html';
import {
  DEFAULT_PERSONAL_TOKEN_DAYS,
  MOST_PERSONAL_TOKENS,
  type PersonalTokenProblem,
} from '../../../oauth/personal-token.ts';
import { scopeSet } from '../../../oauth/scope.ts';
import { described, explanations, inputField, problemSummary, selectField } from '../../pages/fields.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import {
  FIELD_OF,
  readTokenFields,
  settingsProblems,
  type TokenFields,
  tokenFields,
} from './token-fields.ts';

export const LIFETIMES = ['7', '30', '90', '365', 'custom', 'none'] as const;

/** The form's values. */
export interface TokenForm extends TokenFields {
  expires: string;
  days: string;
  noExpiry: boolean;
  /** The form's own key: a form that the browser sends twice creates one token only. */
  once: string;
}

/** Why the form was refused. */
export type TokenFormProblem = PersonalTokenProblem | 'no_expiry' | 'too_fast';

/** Read the values that were sent. */
export function readTokenForm(form: PostedForm): TokenForm {
  return {
    ...readTokenFields(form),
    expires: form.text('expires'),
    days: form.text('days'),
    noExpiry: form.has('no_expiry'),
    once: form.text('once'),
  };
}

/** Fill in the form from a link such as `?name=…&scopes=profile:read,posts:read&expires=30`. */
export function prefilledTokenForm(c: PageContext, once: string): TokenForm {
  const expires = c.req.query('expires') ?? '';
  const isListed = (LIFETIMES as readonly string[]).includes(expires);
  const days = !isListed && /^\d{1,4}$/.test(expires) ? expires : '';
  const preset = days === '' ? String(DEFAULT_PERSONAL_TOKEN_DAYS) : 'custom';
  return {
    name: c.req.query('name') ?? '',
    note: c.req.query('note') ?? '',
    addresses: c.req.query('addresses') ?? '',
    scopes: scopeSet((c.req.query('scopes') ?? '').split(/[\s,]+/)),
    expires: isListed ? expires : preset,
    days,
    // A link can't tick the box: the member confirms that the token never expires.
    noExpiry: false,
    once,
  };
}

/**
 * Work out the lifetime in days. Undefined means that the token never expires, `no_expiry` that the member
 * hasn't confirmed this yet, and NaN that the text is not a number.
 */
export function chosenDays({
  expires,
  days,
  noExpiry,
}: Pick<TokenForm, 'expires' | 'days' | 'noExpiry'>): number | undefined | 'no_expiry' {
  if (expires === 'none') return noExpiry ? undefined : 'no_expiry';
  const text = expires === 'custom' ? days.trim() : expires || String(DEFAULT_PERSONAL_TOKEN_DAYS);
  return /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
}

/** Make the form, with its problem if it was refused. */
export function tokenFormCard(
  c: PageContext,
  form: TokenForm,
  problem: TokenFormProblem | undefined,
  caller: string,
): Html {
  const { language } = c.get('visitor');
  const t = words[language];
  const problems = { ...t.problems, ...settingsProblems(language) };
  const problemOf = (name: TokenFormProblem) => (name === problem ? problems[name] : undefined);
  const options = LIFETIMES.map((value) => ({ value, label: t.lifetimes[value] }));
  return html`
    <section class="card" id="new">
      <h2>${t.title}</h2>
      <form method="post" action="/settings/tokens" class="lifetime">
        ${formTokenField(c)}
        <input type="hidden" name="once" value="${form.once}">
        ${problem && problemSummary({ [PROBLEM_FIELDS[problem]]: problems[problem] }, language)}
        ${tokenFields(form, problem, { language, caller })}
        ${selectField({ name: 'expires', label: t.expires, value: form.expires, options })}
        ${daysField(form, problemOf('days'), language)}
        ${noExpiryField(form, problemOf('no_expiry'), language)}
        <div class="actions">
          <button class="primary">${t.create}</button>
        </div>
      </form>
    </section>`;
}

// The fields that the summary of problems links to.
const PROBLEM_FIELDS: Record<TokenFormProblem, string> = {
  ...FIELD_OF,
  days: 'days',
  no_expiry: 'no_expiry',
  too_many: 'new',
  too_fast: 'new',
  made_already: 'new',
};

export function daysField(
  form: Pick<TokenForm, 'days'>,
  problem: string | undefined,
  language: Language,
): Html {
  const field = inputField({
    name: 'days',
    type: 'number',
    label: words[language].days,
    problem,
    value: form.days,
    attributes: html`min="1" max="3650" inputmode="numeric"`,
  });
  return html`<div class="when-custom">${field}</div>`;
}

export function noExpiryField(
  form: Pick<TokenForm, 'noExpiry'>,
  problem: string | undefined,
  language: Language,
): Html {
  const field = { name: 'no_expiry', problem };
  const checked = form.noExpiry && html` checked`;
  return html`
    <div class="when-none field">
      ${explanations(field)}
      <label class="check">
        <input type="checkbox" id="no_expiry" name="no_expiry" value="yes"${checked}${described(field)}>
        ${words[language].noExpiry}
      </label>
    </div>`;
}

/** The words for the lifetimes, and for the problems of a chosen one. */
export function lifetimeWords(language: Language) {
  const { expires, lifetimes, problems } = words[language];
  return { expires, lifetimes, problems: { days: problems.days, no_expiry: problems.no_expiry } };
}

const words = bilingual(
  {
    title: 'New token',
    expires: 'Expires',
    lifetimes: {
      '7': 'In 7 days',
      '30': 'In 30 days',
      '90': 'In 90 days',
      '365': 'In 365 days',
      custom: 'In a custom number of days',
      none: 'Never',
    },
    days: 'Days (1 to 3650)',
    noExpiry: 'I understand that this token never expires',
    create: 'Create token',
    problems: {
      days: 'Enter a whole number of days from 1 to 3650.',
      no_expiry:
        'If this token leaks, it stays valid until you revoke it. Tick the box to confirm, or choose another expiry.',
      too_many: `You already have ${MOST_PERSONAL_TOKENS} tokens. Revoke one that you no longer need.`,
      too_fast: 'You’ve sent this form many times already. Try again in an hour.',
      made_already:
        'This form has already created a token, which is in the list below. To create another, open this page again.',
    },
  },
  {
    title: '新建令牌',
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
    noExpiry: '我知道此令牌永不过期',
    create: '创建令牌',
    problems: {
      days: '请填写 1 到 3650 之间的整数天数。',
      no_expiry: '永不过期的令牌一旦泄露，就会一直有效。请勾选确认，或选择其他有效期。',
      too_many: `您已有 ${MOST_PERSONAL_TOKENS} 个令牌，请先撤销不再需要的令牌。`,
      too_fast: '您提交此表单的次数过多，请一小时后再试。',
      made_already: '此表单已创建过令牌，见下方列表。如需再建，请重新打开此页面。',
    },
  },
);
