// The reference of the API: a page made from the OpenAPI document, with a button that sends each request.

import { html } from 'hono/html';
import { LANGUAGE_TAGS, type Language } from '../../pages/language.ts';
import { type Html, page } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { EXPLORER_SCRIPT } from '../../static-files.ts';
import { REFERENCE_PATH } from '../chapters.ts';
import { docsMenu } from '../docs-menu.ts';
import { sharingOfPage } from '../sharing.ts';
import type { SiteParts } from '../site-parts.ts';
import type { Endpoint } from './document.ts';
import { endpointSection, headersTable } from './endpoint.ts';
import { inWords } from './meanings.ts';
import { readReference } from './sections.ts';
import { referenceWords } from './words.ts';

/** Show all endpoints. */
export async function referencePage(site: SiteParts, c: PageContext): Promise<Response> {
  const { language } = c.get('visitor');
  const t = referenceWords[language];
  const { description, endpoints } = await readReference(site);
  return page(
    c,
    {
      title: t.title,
      menu: docsMenu(c),
      script: EXPLORER_SCRIPT,
      sharing: sharingOfPage(REFERENCE_PATH),
    },
    html`
      <article lang="${LANGUAGE_TAGS[language]}" class="reference">
        <h1>${t.title}</h1>
        <p>${t.means}</p>
        <p class="soft">${t.rules} <a href="/docs/api">${t.rulesTitle}</a> · <a
          href="/api/open/v1/openapi.json">openapi.json</a></p>
        ${description.tags.map(({ name }) => contents(endpoints, name, language))}
        ${tokenField(language)}
        ${description.tags.map(
          ({ name, description: means }) => html`
            <h2 id="${name}">${t.tags[name]}</h2>
            <p>${inWords(means, language)}</p>
            ${endpoints
              .filter(({ tag }) => tag === name)
              .map((endpoint) => endpointSection(endpoint, site.site.baseUrl, language))}`,
        )}
        <h2>${t.headers}</h2>
        <section class="card">${headersTable(description, language)}</section>
      </article>`,
  );
}

function contents(endpoints: readonly Endpoint[], name: string, language: Language): Html {
  const items = endpoints.filter(({ tag }) => tag === name);
  return html`
    <p class="contents"><strong>${referenceWords[language].tags[name]}</strong>
      ${items.map(({ id, path }) => html`<a href="${REFERENCE_PATH}#${id}"><code>${path}</code></a> `)}</p>`;
}

// Not in a form and without a name, so that no browser can send it in an address. Not of type password either, so that
// no browser offers to store it.
function tokenField(language: Language): Html {
  const t = referenceWords[language];
  const create = '/settings/tokens/new?name=Explorer&scopes=profile:read,posts:read&expires=1';
  return html`
    <section class="card" id="try" hidden data-explorer>
      <div class="field">
        <label for="token">${t.token}</label>
        <span class="hint soft small" id="token-hint">${t.tokenHint}
          <a href="${create}" target="_blank">${t.create}</a></span>
        <input type="text" id="token" aria-describedby="token-hint" autocomplete="off" autocapitalize="none"
          spellcheck="false">
      </div>
    </section>`;
}
