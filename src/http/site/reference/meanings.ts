// The descriptions of the OpenAPI document in the visitor's language.

import { html } from 'hono/html';
import type { Language } from '../../pages/language.ts';
import type { Html } from '../../pages/page.ts';
import { CHINESE } from './chinese.ts';

/** Show a description, with what is between backticks as code. */
export function inWords(description: string, language: Language): Html {
  const parts = plainly(description, language).split('`');
  return html`${parts.map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

/** The description as it is written. */
export function plainly(description: string, language: Language): string {
  return language === 'zh' ? (CHINESE[description] ?? description) : description;
}
