// The fields of an API token that its member can change later: name, note, what it reads, and from where.

import { html } from 'hono/html';
import { MOST_ADDRESSES, type SettingsProblem, type TokenSettings } from '../../../oauth/personal-token.ts';
import { API_SCOPES, type ApiScope, type ScopeSet, scopeSet } from '../../../oauth/scope.ts';
import { described, explanations, inputField, textField } from '../../pages/fields.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import type { Html } from '../../pages/page.ts';
import { scopeWords } from '../../pages/scope-words.ts';

/** The texts of the fields. */
export interface TokenFields {
  name: string;
  note: string;
  scopes: ScopeSet;
  addresses: string;
}

/** Read the values that were sent. */
export function readTokenFields(form: PostedForm): TokenFields {
  return {
    name: form.text('name'),
    note: form.text('note'),
    scopes: scopeSet(form.all('scope')),
    addresses: form.text('addresses'),
  };
}

/** The settings that the fields ask for. */
export function settingsIn({ name, note, scopes, addresses }: TokenFields): TokenSettings {
  const networks = addresses.split(/[\s,;]+/).filter((network) => network !== '');
  return { name: name.trim(), note: note.trim(), scopes, addresses: [...new Set(networks)] };
}

/** Where the summary of problems leads for each problem, and what it says. */
export const FIELD_OF: Record<SettingsProblem, string> = {
  name: 'name',
  note: 'note',
  scopes: 'scope',
  addresses: 'addresses',
};

export function settingsProblems(language: Language): Record<SettingsProblem, string> {
  return words[language].problems;
}

/** Make the fields, with the problem of one of them. `caller` is the member's own address. */
export function tokenFields(
  fields: TokenFields,
  problem: string | undefined,
  { language, caller }: { language: Language; caller: string },
): Html {
  const t = words[language];
  const problemOf = (name: SettingsProblem) => (name === problem ? t.problems[name] : undefined);
  const nameField = inputField({
    name: 'name',
    label: t.name,
    hint: t.nameHint,
    problem: problemOf('name'),
    value: fields.name,
    required: true,
  });
  return html`
    ${nameField}
    ${inputField({ name: 'note', label: t.note, hint: t.noteHint, problem: problemOf('note'), value: fields.note })}
    ${scopeFields(fields, problemOf('scopes'), language)}
    ${addressField(fields, problemOf('addresses'), caller, language)}`;
}

function scopeFields({ scopes }: TokenFields, problem: string | undefined, language: Language): Html {
  const field = { name: 'scopes', problem };
  const items = API_SCOPES.map((scope) => scopeItem(scope, scopes, problem !== undefined, language));
  return html`
    <fieldset class="field"${described(field)}>
      <legend>${words[language].scopes}</legend>
      ${explanations(field)}
      <ul class="tick">${items}</ul>
    </fieldset>`;
}

function scopeItem(scope: ApiScope, chosen: ScopeSet, isWrong: boolean, language: Language): Html {
  const { name, reads } = scopeWords[language][scope];
  const t = words[language];
  const id = scope === API_SCOPES[0] ? 'scope' : `scope-${API_SCOPES.indexOf(scope)}`;
  const checked = chosen.includes(scope) && html` checked`;
  const invalid = isWrong && html` aria-invalid="true"`;
  return html`
    <li>
      <label>
        <input type="checkbox" id="${id}" name="scope" value="${scope}"${checked}
          aria-describedby="${id}-reads"${invalid}>
        <span>
          <strong>${name}</strong>
          <span class="chip">${scope}</span>
          <span class="can small" id="${id}-reads">
            <span><b>${t.can}</b> ${reads}</span>
            <span><b>${t.cannot}</b> ${t.excluded[scope]}</span>
          </span>
        </span>
      </label>
    </li>`;
}

function addressField(
  fields: TokenFields,
  problem: string | undefined,
  caller: string,
  language: Language,
): Html {
  const t = words[language];
  const hint = t.addressesHint(caller);
  const field = { name: 'addresses', label: t.addresses, hint, problem, value: fields.addresses };
  return html`<div class="short">${textField({ ...field, required: false })}</div>`;
}

const words = bilingual(
  {
    name: 'Name',
    nameHint: 'What the token is for, such as “backup script”.',
    note: 'Note (optional)',
    noteHint: 'For yourself: where it is used, and what breaks without it.',
    scopes: 'What it can read',
    can: 'Can read:',
    cannot: 'Can’t read:',
    excluded: {
      'profile:read': 'Your email, account status or devices.',
      'posts:read': 'Your drafts, or unpublished content of other people.',
    },
    addresses: 'Allowed addresses (optional)',
    addressesHint: (caller: string) =>
      `IP addresses or ranges such as 192.0.2.0/24 or 2001:db8::/32, one on each line. From other addresses the token is refused as if it didn’t exist. Leave empty to allow all. Your address now is ${caller}.`,
    problems: {
      name: 'Enter a name of 1 to 60 characters.',
      note: 'Enter a note of at most 200 characters on one line.',
      scopes: 'Tick at least one thing that the token can read.',
      addresses: `Enter at most ${MOST_ADDRESSES} addresses, each like 192.0.2.7, 192.0.2.0/24 or 2001:db8::/32.`,
    },
  },
  {
    name: '名称',
    nameHint: '写明用途，例如“备份脚本”。',
    note: '备注（选填）',
    noteHint: '供您自己查看：用在哪里，停用会影响什么。',
    scopes: '可以读取的内容',
    can: '可以读取：',
    cannot: '不能读取：',
    excluded: {
      'profile:read': '您的邮箱、账号状态和设备。',
      'posts:read': '您的草稿，以及他人未发布的内容。',
    },
    addresses: '允许的地址（选填）',
    addressesHint: (caller: string) =>
      `IP 地址或网段，例如 192.0.2.0/24 或 2001:db8::/32，每行一个。从其他地址使用时，令牌会像不存在一样被拒绝。留空则不限制。您当前的地址是 ${caller}。`,
    problems: {
      name: '请填写 1 到 60 个字符的名称。',
      note: '备注最多 200 个字符，只能写一行。',
      scopes: '请至少勾选一项可读取的内容。',
      addresses: `最多填写 ${MOST_ADDRESSES} 个地址，格式如 192.0.2.7、192.0.2.0/24 或 2001:db8::/32。`,
    },
  },
);
