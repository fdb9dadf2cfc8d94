// The fields of an application that its owner fills in, when it is registered and later.

import { html } from 'hono/html';
import type { Client } from '../../../oauth/client-store.ts';
import type { InvalidRegistration } from '../../../oauth/invalid-registration.ts';
import { MOST_REDIRECT_URIS } from '../../../oauth/registration-rules.ts';
import { SCOPES, type Scope, scopeSet } from '../../../oauth/scope.ts';
import { described, explanations, inputField } from '../../pages/fields.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import type { Html } from '../../pages/page.ts';
import { scopeWords } from '../../pages/scope-words.ts';
import { CALLBACK_CHECK_PATH, callbackCheck } from './callback-check.ts';

const EMPTY_ROWS = 2;
const MOST_ROWS_SHOWN = MOST_REDIRECT_URIS + EMPTY_ROWS;

/** The texts of the fields. */
export interface AppFields {
  name: string;
  description: string;
  homePage: string;
  redirectUris: readonly string[];
  scopes: readonly Scope[];
}

/** Read the values that were sent. */
export function readAppFields(form: PostedForm): AppFields {
  return {
    name: form.text('name'),
    description: form.text('description'),
    homePage: form.text('home_page').trim(),
    redirectUris: form
      .all('redirect_uri')
      .map((uri) => uri.replaceAll('\0', '\uFFFD').trim())
      .filter((uri) => uri !== '')
      .slice(0, MOST_ROWS_SHOWN),
    scopes: scopeSet(form.all('scope')),
  };
}

/** The fields of an application as it is. */
export function appFieldsOf(client: Client): AppFields {
  return { ...client, homePage: client.homePage ?? '' };
}

/** What the fields ask for. */
export function registrationIn({ name, description, homePage, redirectUris, scopes }: AppFields) {
  const introduction = { description, homePage: homePage === '' ? undefined : homePage };
  return { name, redirectUris, scopes, introduction };
}

export type AppField = 'name' | 'description' | 'home_page' | 'callback-0' | 'scope';

export type AppProblems = Partial<Record<AppField, string>>;

/** What is wrong, in words, for a registration that was refused. */
export function problemsOf({ field }: InvalidRegistration, language: Language): AppProblems {
  const t = words[language].problems;
  switch (field) {
    case 'name':
      return { name: t.name };
    case 'description':
      return { description: t.description };
    case 'homePage':
      return { home_page: t.homePage };
    case 'redirectUris':
      return { 'callback-0': t.redirectUris };
    default:
      return { scope: t.scopes };
  }
}

/** Make the fields for the name, the description and the home page. */
export function introductionFields(fields: AppFields, problems: AppProblems, language: Language): Html {
  const t = words[language];
  return html`
    ${inputField({
      name: 'name',
      label: t.name,
      hint: t.nameHint,
      value: fields.name,
      problem: problems.name,
      required: true,
    })}
    ${inputField({
      name: 'description',
      label: t.description,
      hint: t.descriptionHint,
      value: fields.description,
      problem: problems.description,
    })}
    ${inputField({
      name: 'home_page',
      label: t.homePage,
      value: fields.homePage,
      problem: problems.home_page,
      attributes: html`inputmode="url" placeholder="https://"`,
    })}`;
}

/** Make a row for each callback address, and two more. The page needs the script that checks them. */
export function callbackFields(fields: AppFields, problems: AppProblems, language: Language): Html {
  const t = words[language];
  const field = { name: 'callbacks', hint: t.callbacksHint, problem: problems['callback-0'] };
  const rows = [...fields.redirectUris, ...Array.from({ length: EMPTY_ROWS }, () => '')];
  return html`
    <fieldset class="field"${described(field)}>
      <legend>${t.callbacks}</legend>
      ${explanations(field)}
      <ul class="rows" data-check="${CALLBACK_CHECK_PATH}" data-most="${MOST_REDIRECT_URIS}">
        ${rows.map((uri, index) => callbackRow(rows, uri, index, language))}
      </ul>
      <datalist id="callback-presets">
        ${PRESETS.map((preset) => html`<option value="${preset}"></option>`)}
      </datalist>
    </fieldset>`;
}

// Where programs on the developer's own computer usually listen.
const PRESETS = [
  'http://localhost:3000/callback',
  'http://127.0.0.1:8080/callback',
  'http://[::1]:8080/callback',
];

function callbackRow(rows: readonly string[], uri: string, index: number, language: Language): Html {
  const { problem, note } = callbackCheck(uri, language, rows.slice(0, index));
  const id = `callback-${index}`;
  const invalid = problem !== undefined && html` aria-invalid="true"`;
  return html`
    <li>
      <input type="text" id="${id}" name="redirect_uri" value="${uri}" list="callback-presets"
        aria-label="${words[language].callback}" aria-describedby="${id}-text"${invalid} inputmode="url"
        autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="https://">
      <span id="${id}-text" role="status" class="${problem === undefined ? 'hint soft small' : 'error'}">${
        problem ?? note ?? ''
      }</span>
    </li>`;
}

/** Make a box for each scope. */
export function scopeFields(fields: AppFields, problems: AppProblems, language: Language): Html {
  const t = words[language];
  const field = { name: 'scopes', hint: t.scopesHint, problem: problems.scope };
  return html`
    <fieldset class="field"${described(field)}>
      <legend>${t.scopes}</legend>
      ${explanations(field)}
      <ul class="tick">${SCOPES.map((scope, index) => scopeItem(fields, scope, index, language))}</ul>
    </fieldset>`;
}

/** Make the box of a scope, with what it lets an application read. */
export function scopeItem(
  { scopes }: Pick<AppFields, 'scopes'>,
  scope: Scope,
  index: number,
  language: Language,
): Html {
  const { name, reads } = scopeWords[language][scope];
  const checked = scopes.includes(scope) && html` checked`;
  const id = index === 0 ? 'scope' : `scope-${index}`;
  return html`
    <li>
      <label>
        <input type="checkbox" id="${id}" name="scope" value="${scope}"${checked}>
        <span>
          <strong>${name}</strong> <span class="chip">${scope}</span><br>
          <span class="soft small">${reads}</span>
        </span>
      </label>
    </li>`;
}

const words = bilingual(
  {
    name: 'Name',
    nameHint: 'Members read it when they sign in with your application.',
    description: 'What it does (optional)',
    descriptionHint: 'One sentence of at most 200 characters, for the members whom it asks.',
    homePage: 'Home page (optional)',
    callbacks: 'Callback addresses',
    callback: 'Callback address',
    callbacksHint:
      'Where members return after they sign in. A request must name one of these addresses exactly, with the same path and port. You can change them at any time.',
    scopes: 'What it may ask for',
    scopesHint: 'Ask for no more than you need. Members can refuse each of these.',
    problems: {
      name: 'Enter a name of 1 to 60 visible characters.',
      description: 'Enter one line of at most 200 characters.',
      homePage: 'Enter an address that begins with https://.',
      redirectUris: `Enter 1 to ${MOST_REDIRECT_URIS} callback addresses, without mistakes.`,
      scopes: 'Tick at least one.',
    },
  },
  {
    name: '名称',
    nameHint: '成员使用您的应用登录时会看到它。',
    description: '用途（选填）',
    descriptionHint: '用不超过 200 个字符的一句话，向被请求授权的成员说明。',
    homePage: '主页（选填）',
    callbacks: '回调地址',
    callback: '回调地址',
    callbacksHint:
      '成员登录后返回的地址。请求中的地址必须与其中一个完全一致，包括路径和端口。您可以随时更改。',
    scopes: '可以请求的内容',
    scopesHint: '只请求需要的内容。成员可以逐项拒绝。',
    problems: {
      name: '请填写 1 到 60 个可见字符的名称。',
      description: '请填写一行不超过 200 个字符的文字。',
      homePage: '请填写以 https:// 开头的网址。',
      redirectUris: `请填写 1 到 ${MOST_REDIRECT_URIS} 个正确的回调地址。`,
      scopes: '请至少勾选一项。',
    },
  },
);
