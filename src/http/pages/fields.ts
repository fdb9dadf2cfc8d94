// Form fields. Label, hint and problem are tied to the input, so that a screen reader reads them together.

import { html } from 'hono/html';
import { bilingual, type Language } from './language.ts';
import type { Html } from './page.ts';

export interface FieldText {
  name: string;
  label: string;
  hint?: string;
  /** The problem with the typed text, in words. */
  problem?: string | undefined;
}

export interface InputField extends FieldText {
  type?: 'text' | 'password' | 'email' | 'number';
  /** The text typed before. Never set for a password. */
  value?: string;
  autocomplete?: string;
  required?: boolean;
  /** Further attributes of the input, already escaped. */
  attributes?: Html;
}

/** A labelled one-line input. */
export function inputField(field: InputField): Html {
  const { name, type = 'text', value = '', autocomplete = 'off', required = false, attributes = '' } = field;
  return labelled(
    field,
    html`
      <input
        type="${type}" id="${name}" name="${name}" value="${value}" autocomplete="${autocomplete}"
        ${requiredAttribute(required)}${described(field)} ${attributes}>`,
  );
}

export interface TextField extends FieldText {
  value: string;
  required?: boolean;
  /** Further attributes of the text, already escaped. */
  attributes?: Html;
  /** What is between the label and the text. */
  above?: Html;
}

/** A labelled multi-line text. */
export function textField(field: TextField): Html {
  const { name, value, required = true, above = '' } = field;
  const attributes = html`${requiredAttribute(required)}${described(field)}${field.attributes ?? ''}`;
  // Browsers drop one line break after the tag. Without ours, a text that begins with one would lose it.
  return labelled(
    field,
    html`${above}<textarea id="${name}" name="${name}"${attributes}>\n${value}</textarea>`,
  );
}

/** A labelled choice of one option. */
export function selectField(
  field: FieldText & { value: string; options: readonly { value: string; label: string }[] },
): Html {
  const options = field.options.map(({ value, label }) => {
    const selected = value === field.value ? html` selected` : '';
    return html`
      <option value="${value}"${selected}>${label}</option>`;
  });
  return labelled(
    field,
    html`
      <select id="${field.name}" name="${field.name}"${described(field)}>
        ${options}
      </select>`,
  );
}

/** The attributes that tie an input to its hint and its problem. */
export function described({ name, hint, problem }: Omit<FieldText, 'label'>): Html {
  const ids = [problem && `${name}-problem`, hint && `${name}-hint`].filter(Boolean).join(' ');
  const description = ids === '' ? '' : html` aria-describedby="${ids}"`;
  const invalid = problem === undefined ? '' : html` aria-invalid="true"`;
  return html`${description}${invalid}`;
}

/** The problem and the hint, with the ids that `described` names. */
export function explanations({ name, hint, problem }: Omit<FieldText, 'label'>): Html {
  return html`
    ${problem !== undefined && html`<span class="error" id="${name}-problem">${problem}</span>`}
    ${hint !== undefined && html`<span class="hint soft small" id="${name}-hint">${hint}</span>`}`;
}

/** The problems of a form, listed at its head, each with a link to its field. Empty if there are none. */
export function problemSummary(
  problems: Record<string, string | undefined>,
  language: Language,
): Html | string {
  const entries = Object.entries(problems).filter(([, problem]) => problem !== undefined);
  if (entries.length === 0) return '';
  return html`
    <div class="notice wrong" role="alert">
      <h2>${words[language].title}</h2>
      <ul>
        ${entries.map(([name, problem]) => html`<li><a href="#${name}">${problem}</a></li>`)}
      </ul>
    </div>`;
}

const words = bilingual({ title: 'Please check the following' }, { title: '请检查以下内容' });

function requiredAttribute(required: boolean): Html | string {
  return required ? html` required` : '';
}

function labelled(field: FieldText, input: Html): Html {
  return html`
    <div class="field">
      <label for="${field.name}">${field.label}</label>
      ${explanations(field)}
      ${input}
    </div>`;
}
