// Guards for important changes: the member must have proved within ten minutes who they are. If not, a page asks
// for it, with the fields of the form that was sent, and the act goes on afterwards.

import { html } from 'hono/html';
import { byMember, type MemberDoer } from '../../audit/doer.ts';
import {
  isRecent,
  type ProofProblem,
  proveIdentity,
  proveWithPasskey,
} from '../../identity/reauthentication.ts';
import type { User } from '../../identity/user.ts';
import { inputField, problemSummary } from '../pages/fields.ts';
import { localPath, type PostedForm } from '../pages/form-page.ts';
import {
  member,
  memberForm,
  moderatorForm,
  operatorForm,
  operatorText,
  operatorUpload,
} from '../pages/guards.ts';
import { bilingual } from '../pages/language.ts';
import { formTokenField, type Html, page } from '../pages/page.ts';
import { CONFIRM_PATH, confirmPath } from '../pages/return-path.ts';
import { type PageContext, sessionKeyOf } from '../pages/visitor.ts';
import { retryAfter, waitText } from '../pages/waiting.ts';
import { pathOf } from '../request-form.ts';
import { PASSKEY_SCRIPT } from '../static-files.ts';
import { knownBrowser } from './joining/known-browser.ts';
import { challengeUse, passkeyAnswer, siteOfPasskeys, usePasskeyButton } from './passkey-button.ts';
import type { SiteParts } from './site-parts.ts';

type FormFacts = [User, PostedForm];

/** A member who has proved who they are. Others do so first, and then come back to the page. */
export function provenMember(site: SiteParts, c: PageContext): [User] | Response | Promise<Response> {
  const facts = member(site, c);
  if (facts instanceof Response || isProven(site, c)) return facts;
  return proofPage(site, c, facts[0], { action: CONFIRM_PATH, fields: [['return_to', pathOf(c)]] });
}

/** A member who has proved who they are, with a form that one of our pages gave to this session. */
export function provenForm(site: SiteParts, c: PageContext): Promise<FormFacts | Response> {
  return withProof(site, c, memberForm);
}

/** The same for a form that asks for the password itself. That is enough for a member without a second factor. */
export async function passwordForm(site: SiteParts, c: PageContext): Promise<FormFacts | Response> {
  const facts = await memberForm(site, c);
  return facts instanceof Response || !facts[0].hasFactor ? facts : proven(site, c, facts);
}

/** An operator who has proved who they are, with a form. */
export function provenOperatorForm(site: SiteParts, c: PageContext): Promise<FormFacts | Response> {
  return withProof(site, c, operatorForm);
}

/** An operator who has proved who they are, with a form that has a long text. */
export function provenOperatorText(site: SiteParts, c: PageContext): Promise<FormFacts | Response> {
  return withProof(site, c, operatorText);
}

/** The same for a form with a file, from this page. The file is chosen again after the proof. */
export function provenOperatorUpload(field: string, mostBytes: number, page: string) {
  const upload = operatorUpload(field, mostBytes);
  return async function provenOperatorUpload(site: SiteParts, c: PageContext) {
    const facts = await upload(site, c);
    return facts instanceof Response || isProven(site, c) ? facts : c.redirect(confirmPath(page), 303);
  };
}

/** An operator or a moderator who has proved who they are, with a form. */
export function provenModeratorForm(site: SiteParts, c: PageContext): Promise<FormFacts | Response> {
  return withProof(site, c, moderatorForm);
}

/** Report whether the member has proved within ten minutes who they are. */
export function isProven(site: SiteParts, c: PageContext): boolean {
  return isRecent(c.get('visitor').visit?.provenAt ?? 0, site.clock());
}

/** Go back to the page that asked for the proof. */
export function confirmed(_: SiteParts, c: PageContext, __: User, form?: PostedForm): Response {
  return c.redirect(localPath(form?.text('return_to') ?? c.req.query('return_to')), 303);
}

async function withProof(
  site: SiteParts,
  c: PageContext,
  guard: (site: SiteParts, c: PageContext) => Promise<FormFacts | Response>,
): Promise<FormFacts | Response> {
  const facts = await guard(site, c);
  return facts instanceof Response ? facts : proven(site, c, facts);
}

/** Ask for the proof, unless there is a recent one. Then the act on the form goes on. */
export async function proven(
  site: SiteParts,
  c: PageContext,
  facts: FormFacts,
): Promise<FormFacts | Response> {
  const { visit } = c.get('visitor');
  const [user, form] = facts;
  if (visit === undefined || isProven(site, c)) return facts;
  const action = pathOf(c);
  const fields = form.entries().filter(([name]) => !NOT_REPEATED.includes(name));
  if (!form.has('proof_password')) return proofPage(site, c, user, { action, fields });
  const by = byMember(user, site.clock, site.clientAddress(c));
  const refusal =
    form.text('passkey') === ''
      ? await proofByPassword(site, c, by, user, form)
      : await proofByPasskey(site, c, by, form);
  if (refusal === undefined) {
    visit.provenAt = by.at;
    return facts;
  }
  return proofPage(site, c, user, { action, fields, refusal });
}

async function proofByPassword(
  site: SiteParts,
  c: PageContext,
  by: MemberDoer,
  user: User,
  form: PostedForm,
): Promise<ProofRefusal | undefined> {
  return proveIdentity(by, site.identity, user, {
    password: form.text('proof_password'),
    code: form.text('proof_code'),
    address: site.clientAddress(c),
    browser: await knownBrowser(site, c),
    sessionKey: sessionKeyOf(c),
  });
}

async function proofByPasskey(
  site: SiteParts,
  c: PageContext,
  by: MemberDoer,
  form: PostedForm,
): Promise<ProofRefusal | undefined> {
  const passkeys = siteOfPasskeys(c);
  if (passkeys === undefined) return { problem: 'refused' };
  return proveWithPasskey(by, site.identity, {
    site: passkeys,
    use: await challengeUse(site, c, 'proof'),
    answer: passkeyAnswer(form),
    sessionKey: sessionKeyOf(c),
  });
}

type ProofRefusal = ProofProblem | { problem: 'refused' };

// No page repeats a password, nor the token, which it gets anew.
const NOT_REPEATED = [
  'form_token',
  'proof_password',
  'proof_code',
  'proof_username',
  'passkey',
  'passkey_challenge',
  'password',
  'current',
  'new_password',
  'email_password',
];

interface ProofForm {
  action: string;
  /** What the member sent, or where the member wants to go. */
  fields: readonly [string, string][];
  refusal?: ProofRefusal;
}

async function proofPage(
  site: SiteParts,
  c: PageContext,
  user: User,
  { action, fields, refusal }: ProofForm,
): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const isTooMany = refusal !== undefined && 'retryAfterSeconds' in refusal;
  if (isTooMany) retryAfter(c, refusal.retryAfterSeconds);
  const passkeys =
    user.hasFactor && siteOfPasskeys(c) !== undefined ? await site.identity.reads.passkeysOf(user.id) : [];
  const button =
    passkeys.length > 0 && (await usePasskeyButton(site, c, 'proof', { text: t.passkey }, passkeys));
  const hidden = fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
  return page(
    c,
    {
      title: t.title,
      status: refusal === undefined ? 200 : isTooMany ? 429 : 400,
      ...(button !== false && { script: PASSKEY_SCRIPT }),
    },
    html`
      <div class="narrow">
        <h1>${t.title}</h1>
        <p>${t.why}${action !== CONFIRM_PATH && t.kept}</p>
        <form method="post" action="${action}">
          ${formTokenField(c)}
          ${hidden}
          ${proofFields(c, user, refusal)}
          <div class="actions"><button class="primary">${t.confirm}</button></div>
          ${button && html`<div class="passkey">${button}</div>`}
        </form>
      </div>`,
  );
}

function proofFields(c: PageContext, { username, hasFactor }: User, refusal: ProofRefusal | undefined): Html {
  const { language } = c.get('visitor');
  const t = words[language];
  const problems = problemsOf(refusal, language);
  const password = inputField({
    name: 'proof_password',
    type: 'password',
    label: t.password,
    problem: problems.proof_password,
    autocomplete: 'current-password',
    required: true,
    attributes: html`autofocus`,
  });
  const code = inputField({
    name: 'proof_code',
    label: t.code,
    hint: t.codeHint,
    problem: problems.proof_code,
    autocomplete: 'one-time-code',
    required: true,
    attributes: html`autocapitalize="none" spellcheck="false"`,
  });
  return html`
    <input type="text" name="proof_username" value="${username}" autocomplete="username" readonly hidden>
    ${problemSummary(problems, language)}
    ${password}
    ${hasFactor && code}`;
}

function problemsOf(refusal: ProofRefusal | undefined, language: 'en' | 'zh') {
  const t = words[language];
  if (refusal === undefined) return { proof_password: undefined, proof_code: undefined };
  const { problem } = refusal;
  if (problem === 'wrong_password') return { proof_password: t.wrongPassword, proof_code: undefined };
  if (problem === 'refused') return { proof_password: t.refused, proof_code: undefined };
  if (problem === 'wrong_code') return { proof_password: undefined, proof_code: t.wrongCode };
  const wait = t.tooMany(waitText(refusal.retryAfterSeconds, language));
  return problem === 'too_many_attempts'
    ? { proof_password: wait, proof_code: undefined }
    : { proof_password: undefined, proof_code: wait };
}

const words = bilingual(
  {
    title: 'Confirm your identity',
    why: 'This is an important change, so we ask again. We won’t ask in this browser for the next ten minutes.',
    kept: ' What you entered is kept.',
    confirm: 'Confirm and continue',
    password: 'Your password',
    code: 'Code',
    codeHint: 'The six digits that your authenticator app shows, or a recovery code.',
    passkey: 'Use a passkey',
    refused: 'The passkey was not accepted. Try again, or enter your password.',
    wrongPassword: 'The password is incorrect.',
    wrongCode: 'The code is incorrect, or it was used before. Wait for the next one.',
    tooMany: (wait: string) => `Too many attempts. Try again in ${wait}.`,
  },
  {
    title: '确认身份',
    why: '这是一项重要操作，需要再次确认。之后十分钟内，此浏览器不会再次询问。',
    kept: '您填写的内容会保留。',
    confirm: '确认并继续',
    password: '您的密码',
    code: '验证码',
    codeHint: '验证器应用显示的六位数字，或一个恢复代码。',
    passkey: '使用通行密钥',
    refused: '通行密钥未被接受。请重试，或输入密码。',
    wrongPassword: '密码不正确。',
    wrongCode: '验证码不正确，或已使用过。请等待下一个验证码。',
    tooMany: (wait) => `尝试次数过多，请在 ${wait}后再试。`,
  },
);
