// Where visitors reach the operators, on each page that tells them to ask.

import { html } from 'hono/html';
import { contactLink } from '../../site/contact.ts';
import { bilingual } from './language.ts';
import type { Html } from './page.ts';
import type { PageContext } from './visitor.ts';

/** Show where to reach the operators. Empty if they have set no contact. */
export function contactLine(c: PageContext): Html | '' {
  const { contact, baseUrl } = c.get('site');
  if (contact === '') return '';
  const t = words[c.get('visitor').language];
  return html`<p class="soft">${t.operators} <a href="${contactLink(contact, baseUrl)}">${contact}</a></p>`;
}

const words = bilingual({ operators: 'Contact the operators:' }, { operators: '联系管理员：' });
