// What is registered about an application. Its owner can change it at any time; members' consents stay as they are.

import { html } from 'hono/html';
import type { User } from '../../../identity/user.ts';
import { InvalidRegistration } from '../../../oauth/client.ts';
import { changeClient } from '../../../oauth/client-change.ts';
import type { Client, ScopeReasons } from '../../../oauth/client-store.ts';
import { SCOPES, type Scope, scopeSet } from '../../../oauth/scope.ts';
import { inputField, problemSummary, textField } from '../../pages/fields.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import { scopeWords } from '../../pages/scope-words.ts';
import type { Upload, UploadProblem } from '../../pages/upload.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { CALLBACKS_SCRIPT } from '../../static-files.ts';
import { notice } from '../notice.ts';
import { proven } from '../proof.ts';
import type { SiteParts } from '../site-parts.ts';
import {
  type AppFields,
  type AppProblems,
  appFieldsOf,
  callbackFields,
  introductionFields,
  problemsOf,
  readAppFields,
  registrationIn,
  scopeFields,
} from './app-fields.ts';
import { changedElsewhere, changer, type Refusal } from './changer.ts';
import { appPage, appPathOf } from './frame.ts';
import { logoCard, logoRemoved, logoUploaded } from './logo.ts';

const TAB = '/settings';

/** The fields, with those that a new application doesn't need yet. */
interface Form extends AppFields {
  postLogout: string;
  required: readonly Scope[];
  reasons: ScopeReasons;
}

interface Mistake {
  problems: AppProblems & { reasons?: string; logo?: string };
  status: Refusal['status'];
  text?: string;
}

/** Show the forms. */
export function appSettingsPage(_: SiteParts, c: PageContext, __: User, client: Client): Promise<Response> {
  return pageOfSettings(c, client, formOf(client));
}

/** Save an uploaded logo. */
export async function saveAppLogo(
  site: SiteParts,
  c: PageContext,
  user: User,
  client: Client,
  upload: Upload | UploadProblem,
): Promise<Response> {
  return afterLogo(c, client, await logoUploaded(site, c, user, client, upload));
}

/** Remove the logo. */
export async function removeAppLogo(
  site: SiteParts,
  c: PageContext,
  user: User,
  client: Client,
): Promise<Response> {
  return afterLogo(c, client, await logoRemoved(site, c, user, client));
}

function afterLogo(
  c: PageContext,
  client: Client,
  refusal: Refusal | undefined,
): Response | Promise<Response> {
  if (refusal === undefined) return c.redirect(`${appPathOf(client, TAB)}?saved`, 303);
  const mistake = { problems: { logo: refusal.text }, status: refusal.status };
  return pageOfSettings(c, client, formOf(client), mistake);
}

function formOf(client: Client): Form {
  return {
    ...appFieldsOf(client),
    postLogout: client.postLogoutRedirectUris.join('\n'),
    required: client.requiredScopes,
    reasons: client.scopeReasons,
  };
}

/** Save the settings. */
export async function saveAppSettings(
  site: SiteParts,
  c: PageContext,
  user: User,
  client: Client,
  posted: PostedForm,
): Promise<Response> {
  const { language } = c.get('visitor');
  const form: Form = {
    ...readAppFields(posted),
    postLogout: posted.text('post_logout'),
    required: scopeSet(posted.all('required')),
    reasons: reasonsIn(posted),
  };
  const { introduction, ...registration } = registrationIn(form);
  const postLogoutRedirectUris = form.postLogout.split(/\s+/).filter((uri) => uri !== '');
  // Members and their codes go to these addresses, so a stolen session must not add one to either list.
  const addsAddress =
    registration.redirectUris.some((uri) => !client.redirectUris.includes(uri)) ||
    postLogoutRedirectUris.some((uri) => !client.postLogoutRedirectUris.includes(uri));
  const proof = addsAddress && (await proven(site, c, [user, posted]));
  if (proof instanceof Response) return proof;
  const by = await changer(site, c, user, client);
  if ('refusal' in by) return pageOfSettings(c, client, form, { problems: {}, ...by.refusal });
  try {
    const change = {
      ...registration,
      ...introduction,
      postLogoutRedirectUris,
      requiredScopes: form.required,
      // Those of a scope that the application no longer asks for go with it.
      scopeReasons: Object.fromEntries(
        SCOPES.map((scope) => [scope, form.scopes.includes(scope) ? form.reasons[scope] : NO_REASONS]),
      ),
    };
    const needsApproval = c.get('site').applications === 'approval' && !user.isOperator;
    const isChanged = await changeClient(by, site.oauth, client.id, change, { needsApproval, seen: client });
    if (isChanged) return c.redirect(`${appPathOf(client, TAB)}?saved`, 303);
    return pageOfSettings(c, client, form, { problems: {}, ...changedElsewhere(language) });
  } catch (error) {
    if (!(error instanceof InvalidRegistration)) throw error;
    const problems =
      error.field === 'reasons' ? { reasons: words[language].badReason } : problemsOf(error, language);
    return pageOfSettings(c, client, form, { problems, status: 400 });
  }
}

const NO_REASONS = { en: '', zh: '' };

function reasonsIn(posted: PostedForm): ScopeReasons {
  return Object.fromEntries(
    SCOPES.map((scope) => {
      const text = (language: string) => posted.text(`reason_${language}_${scope}`).trim();
      return [scope, { en: text('en'), zh: text('zh') }];
    }),
  );
}

function pageOfSettings(c: PageContext, client: Client, form: Form, mistake?: Mistake): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const problems = mistake?.problems ?? {};
  return appPage(
    c,
    client,
    TAB,
    { script: CALLBACKS_SCRIPT, status: mistake?.status ?? 200 },
    html`
      ${notice(c.req.query('saved') === undefined ? undefined : t.saved)}
      ${mistake?.text !== undefined && html`<p class="notice wrong" role="alert">${mistake.text}</p>`}
      ${problemSummary({ ...problems }, language)}
      <form method="post" action="${appPathOf(client, TAB)}" class="card">
        ${formTokenField(c)}
        ${c.get('site').applications === 'approval' && html`<p class="notice">${t.needsApproval}</p>`}
        ${introductionFields(form, problems, language)}
        ${callbackFields(form, problems, language)}
        <div class="short">
          ${textField({
            name: 'post_logout',
            label: t.postLogout,
            hint: t.postLogoutHint,
            value: form.postLogout,
            required: false,
          })}
        </div>
        ${scopeFields(form, problems, language)}
        ${reasonFields(c, form, problems.reasons)}
        <div class="actions"><button class="primary">${t.save}</button></div>
      </form>
      ${!c.get('site').isSandbox && logoCard(c, client, problems.logo)}`,
  );
}

function reasonFields(c: PageContext, form: Form, problem: string | undefined): Html {
  const { language } = c.get('visitor');
  const t = words[language];
  return html`
    <fieldset class="field" id="reasons">
      <legend>${t.why}</legend>
      ${problem !== undefined && html`<span class="error">${problem}</span>`}
      <span class="hint soft small">${t.whyHint}</span>
      ${SCOPES.map((scope) => {
        const checked = form.required.includes(scope) && html` checked`;
        const field = (of: 'en' | 'zh') =>
          inputField({
            name: `reason_${of}_${scope}`,
            label: `${scopeWords[language][scope].name}: ${t.reasons[of]}`,
            value: form.reasons[scope]?.[of] ?? '',
          });
        return html`
          ${field('en')}
          ${field('zh')}
          <div class="field">
            <label class="check">
              <input type="checkbox" name="required" value="${scope}"${checked}>
              ${t.required(scope)}
            </label>
          </div>`;
      })}
    </fieldset>`;
}

const words = bilingual(
  {
    saved: 'Settings saved. They hold from the next request on.',
    needsApproval:
      'Operators approve a new name, description, home page or reason, another host, another scope, and one that is newly required. Until then the application is deactivated.',
    save: 'Save settings',
    postLogout: 'Addresses after signing out (optional)',
    postLogoutHint: 'One on each line. Only for applications that sign members out through Portico.',
    why: 'Why it asks',
    whyHint:
      'Members read your reason beside each item when they are asked. Write it in one language or both, in at most 200 characters.',
    reasons: { en: 'reason in English (optional)', zh: 'reason in Chinese (optional)' },
    required: (scope: string) => `It can’t work without ${scope}, so members can’t untick it`,
    badReason: 'Write each reason on one line of at most 200 characters.',
  },
  {
    saved: '设置已保存，从下一次请求开始生效。',
    needsApproval:
      '更改名称、说明、主页或理由，添加主机、权限，或将权限设为必需后，需要管理员批准。批准之前，应用处于停用状态。',
    save: '保存设置',
    postLogout: '退出后返回的地址（选填）',
    postLogoutHint: '每行一个。仅用于通过 Portico 让成员退出的应用。',
    why: '请求的理由',
    whyHint: '成员被请求授权时，会在每一项旁看到您的理由。可以只写一种语言，最多 200 个字符。',
    reasons: { en: '英文理由（选填）', zh: '中文理由（选填）' },
    required: (scope) => `没有 ${scope} 就无法工作，因此成员不能取消勾选`,
    badReason: '每条理由请写在一行内，最多 200 个字符。',
  },
);
