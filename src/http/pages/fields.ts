// Fields of forms: label, hint and problem tied to the input, so that a screen reader tells them together.

import { html } from 'hono/html';
import { bilingual, type Language } from './language.ts';
import type { Html } from './page.ts';

export interface FieldText {
  name: string;
  label: string;
  hint?: string;
  /** What is wrong with what was typed, in words. */
  problem?: string | undefined;
}

export interface InputField extends FieldText {
  type?: 'text' | 'password' | 'email' | 'number';
  /** What was typed before. Never given for a password. */
  value?: string;
  autocomplete?: string;
  required?: boolean;
  /** Further attributes of the input, already escaped. */
  attributes?: Html;
}

/** A labelled input of one line. */
export function inputField(field: InputField): Html {
  const { name, type = 'text', value = '', autocomplete = 'off', required = false, attributes = '' } = field;
  return framed(
    field,
    html`<input type="${type}" id="${name}" name="${name}" value="${value}" autocomplete="${autocomplete}"${required ? html` required` : ''}${described(field)} ${attributes}>`,
  );
}

/** A labelled text of many lines. */
export function textField(field: FieldText & { value: string; required?: boolean }): Html {
  const { required = true } = field;
  // Browsers drop one line break after the tag: without one of our own, a text that begins with one would lose it.
  return framed(
    field,
    html`<textarea id="${field.name}" name="${field.name}"${required ? html` required` : ''}${described(field)}>
${field.value}</textarea>`,
  );
}

/** A labelled choice of one. */
export function selectField(
  field: FieldText & { value: string; options: readonly { value: string; label: string }[] },
): Html {
  const options = field.options.map(
    ({ value, label }) =>
      html`<option value="${value}"${value === field.value ? html` selected` : ''}>${label}</option>`,
  );
  return framed(
    field,
    html`<select id="${field.name}" name="${field.name}"${described(field)}>${options}</select>`,
  );
}

/** The attributes that tie an input to its hint and its problem. */
export function described({ name, hint, problem }: Omit<FieldText, 'label'>): Html {
  const ids = [problem && `${name}-problem`, hint && `${name}-hint`].filter(Boolean).join(' ');
  return html`${ids === '' ? '' : html` aria-describedby="${ids}"`}${problem === undefined ? '' : html` aria-invalid="true"`}`;
}

/** The words that `described` points at. */
export function explanations({ name, hint, problem }: Omit<FieldText, 'label'>): Html {
  return html`${problem === undefined ? '' : html`<span class="error" id="${name}-problem">${problem}</span>`}${hint === undefined ? '' : html`<span class="hint soft small" id="${name}-hint">${hint}</span>`}`;
}

/** Says at the head of a form what is wrong in it, each with a link to its field. Nothing if nothing is wrong. */
export function problemSummary(
  problems: Record<string, string | undefined>,
  language: Language,
): Html | string {
  const named = Object.entries(problems).filter(([, problem]) => problem !== undefined);
  if (named.length === 0) return '';
  const items = named.map(([name, problem]) => html`<li><a href="#${name}">${problem}</a></li>`);
  return html`<div class="notice wrong" role="alert"><h2>${words[language].title}</h2><ul>${items}</ul></div>`;
}

const words = bilingual({ title: 'This needs another look' }, { title: '请检查以下内容' });

function framed(field: FieldText, input: Html): Html {
  return html`<div class="field"><label for="${field.name}">${field.label}</label>${explanations(field)}${input}</div>`;
}
