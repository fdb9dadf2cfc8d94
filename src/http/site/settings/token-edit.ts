// Editing an API token. Whatever lets it do more needs a proof that it is the member.

import { html } from 'hono/html';
import { byMember } from '../../../audit/doer.ts';
import type { User } from '../../../identity/user.ts';
import { canChange, type EditProblem, editPersonalToken } from '../../../oauth/personal-token-changes.ts';
import type { PersonalToken } from '../../../oauth/personal-token-store.ts';
import { notFoundPage } from '../../pages/failures.ts';
import { problemSummary, selectField } from '../../pages/fields.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { dayOf } from '../../pages/moments.ts';
import { formTokenField } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { retryAfter } from '../../pages/waiting.ts';
import { isProven, proven } from '../proof.ts';
import type { SiteParts } from '../site-parts.ts';
import { settingsPage, settingsTitle } from './page.ts';
import {
  FIELD_OF,
  readTokenFields,
  settingsIn,
  settingsProblems,
  type TokenFields,
  tokenFields,
} from './token-fields.ts';
import { chosenDays, daysField, LIFETIMES, lifetimeWords, noExpiryField } from './token-form.ts';
import { tooManyEdits } from './token-limit.ts';
import { tokenInPath } from './token-revoke.ts';
import { shortForm } from './token-table.ts';
import { TOKENS_PATH as PATH } from './tokens.ts';

interface EditForm extends TokenFields {
  /** One of the lifetimes, or `keep`. */
  expires: string;
  days: string;
  noExpiry: boolean;
}

type FormProblem = Exclude<EditProblem, 'must_prove'> | 'no_expiry' | 'too_fast';

/** Show the form with the token's settings. */
export async function editTokenPage(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const token = await tokenInPath(site, c, user);
  if (token === undefined || !canChange(token, site.clock())) return notFoundPage(c);
  return formPage(site, c, token, formOf(token));
}

/** Save the token's settings. */
export async function saveToken(
  site: SiteParts,
  c: PageContext,
  user: User,
  posted: PostedForm,
): Promise<Response> {
  const token = await tokenInPath(site, c, user);
  if (token === undefined || !canChange(token, site.clock())) return notFoundPage(c);
  const form = {
    ...readTokenFields(posted),
    expires: posted.text('expires') || 'keep',
    days: posted.text('days'),
    noExpiry: posted.has('no_expiry'),
  };
  const days = form.expires === 'keep' ? undefined : (chosenDays(form) ?? ('never' as const));
  if (days === 'no_expiry') return formPage(site, c, token, form, 'no_expiry');
  const edit = { ...settingsIn(form), ...(days !== undefined && { days }) };
  const by = byMember(user, site.clock, site.clientAddress(c));
  const tooFast = await tooManyEdits(site, by);
  if (tooFast !== undefined) {
    retryAfter(c, tooFast.retryAfterSeconds);
    return formPage(site, c, token, form, 'too_fast');
  }
  let problem = await editPersonalToken(by, site.oauth, token, edit, isProven(site, c));
  if (problem === 'must_prove') {
    const facts = await proven(site, c, [user, posted]);
    if (facts instanceof Response) return facts;
    problem = await editPersonalToken(by, site.oauth, token, edit, true);
  }
  if (problem === undefined) return c.redirect(`${PATH}?saved`, 303);
  return formPage(site, c, token, form, problem as FormProblem);
}

function formOf({ name, note, scopes, addresses }: PersonalToken): EditForm {
  return { name, note, scopes, addresses: addresses.join('\n'), expires: 'keep', days: '', noExpiry: false };
}

function formPage(
  site: SiteParts,
  c: PageContext,
  token: PersonalToken,
  form: EditForm,
  problem?: FormProblem,
): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const { expires, lifetimes, problems } = lifetimeWords(language);
  const { expiresAt } = token;
  const end = expiresAt === undefined ? t.never : t.until(dayOf(expiresAt, c.get('visitor')));
  const options = [
    { value: 'keep', label: end },
    ...LIFETIMES.map((value) => ({ value, label: lifetimes[value] })),
  ];
  const texts = {
    ...settingsProblems(language),
    ...problems,
    changed: t.changed,
    too_fast: t.tooFast,
  };
  const problemOf = (name: FormProblem) => (name === problem ? texts[name] : undefined);
  const field = problem && (FIELDS[problem] ?? problem);
  return settingsPage(
    c,
    PATH,
    { title: t.title, status: statusOf(problem) },
    html`
      <p class="eyebrow"><a href="${PATH}">${settingsTitle(c, PATH)}</a></p>
      <h1>${t.title}</h1>
      <p class="soft"><code>${shortForm(token, site.oauth.brand)}</code></p>
      <form method="post" action="${PATH}/${token.id}/edit" class="lifetime">
        ${formTokenField(c)}
        ${problem && field && problemSummary({ [field]: texts[problem] }, language)}
        ${tokenFields(form, problem, { language, caller: site.clientAddress(c) })}
        ${selectField({ name: 'expires', label: expires, value: form.expires, options })}
        ${daysField(form, problemOf('days'), language)}
        ${noExpiryField(form, problemOf('no_expiry'), language)}
        <div class="actions">
          <a class="button" href="${PATH}">${t.cancel}</a>
          <button class="primary">${t.save}</button>
        </div>
      </form>`,
  );
}

const FIELDS: Partial<Record<FormProblem, string>> = {
  ...FIELD_OF,
  changed: 'name',
  too_fast: 'name',
};

function statusOf(problem: FormProblem | undefined): 200 | 400 | 409 | 429 {
  if (problem === undefined) return 200;
  if (problem === 'too_fast') return 429;
  return problem === 'changed' ? 409 : 400;
}

const words = bilingual(
  {
    title: 'Edit token',
    until: (day: string) => `As now: on ${day}`,
    never: 'As now: never',
    changed:
      'The token was changed or revoked in another window after you opened this page. Nothing was saved. Check the fields and save again.',
    tooFast: 'You’ve edited tokens many times already. Try again in an hour.',
    save: 'Save token',
    cancel: 'Cancel',
  },
  {
    title: '编辑令牌',
    until: (day: string) => `不变：${day}`,
    never: '不变：永不过期',
    changed: '您打开此页后，此令牌已在别处被修改或撤销。没有保存任何内容，请核对后再次保存。',
    tooFast: '您编辑令牌的次数过多，请一小时后再试。',
    save: '保存令牌',
    cancel: '取消',
  },
);
