// A request as a command to copy, and a form that sends it from the page. The script `static/explorer.js` shows the
// form; without it there is the command.

import { html } from 'hono/html';
import type { Language } from '../../pages/language.ts';
import type { Html } from '../../pages/page.ts';
import type { Endpoint, Parameter } from './document.ts';
import { referenceWords } from './words.ts';

/** Show both, for an endpoint that a program can call with GET. */
export function sampleAndExplorer(endpoint: Endpoint, baseUrl: string, language: Language): Html | '' {
  const t = referenceWords[language];
  const { id, path, isCallable, needsToken, operation } = endpoint;
  if (!isCallable)
    return id in SAMPLES ? html`<p>${t.samples} <a href="${SAMPLES[id]}">${t.walkThrough}</a></p>` : '';
  const header = needsToken ? '-H "Authorization: Bearer $TOKEN" ' : '';
  return html`
    <pre tabindex="0" aria-label="curl">curl -i ${header}${baseUrl}${path}</pre>
    <form class="send" hidden data-explorer data-send="${path}" data-failed="${t.failed}"${
      needsToken && html` data-token data-missing="${t.missing}"`
    }>
      ${(operation.parameters ?? []).map((parameter) => parameterField(id, parameter))}
      <button>${t.send}</button>
      <p role="status" class="small"></p>
      <pre hidden tabindex="0" aria-label="${t.answer}"></pre>
    </form>`;
}

// Requests with a body, which need values that only a sign-in has.
const SAMPLES: Record<string, string> = {
  authorize: '/docs/walk-through#2-send-the-member-here',
  getTokens: '/docs/walk-through#4-exchange-it-for-tokens',
  revokeToken: '/docs/walk-through#7-sign-out',
  signOut: '/docs/openid#signing-out',
  revokeCredentials: '/docs/tokens#you-found-a-token',
};

function parameterField(endpoint: string, { name, in: place, schema }: Parameter): Html {
  const id = `${endpoint}-${name}`;
  return html`
    <label for="${id}"><code>${name}</code>
      <input type="text" id="${id}" data-name="${name}" data-in="${place}" autocomplete="off" spellcheck="false"${
        schema.type === 'integer' && html` inputmode="numeric"`
      }>
    </label>`;
}
