// An endpoint in the reference: what it takes, what it answers, and how it refuses.

import { html } from 'hono/html';
import type { Language } from '../../pages/language.ts';
import type { Html } from '../../pages/page.ts';
import { PATHS } from '../../routes.ts';
import type { SiteParts } from '../site-parts.ts';
import { table } from '../table.ts';
import type { Description, Endpoint, Field, Schema } from './document.ts';
import { sampleAndExplorer } from './explorer.ts';
import { inWords } from './meanings.ts';
import { referenceWords } from './words.ts';

/** Show an endpoint. */
export function endpointSection(
  site: SiteParts,
  endpoint: Endpoint,
  description: Description,
  language: Language,
): Html {
  const t = referenceWords[language];
  const { id, methods, path, operation, fields, form } = endpoint;
  const parameters = (operation.parameters ?? []).map(
    ({ name, in: place, required, description, schema }) => ({
      name,
      type: schema.type ?? '',
      schema: { ...schema, description },
      isRequired: required,
      place,
    }),
  );
  return html`
    <section class="card endpoint" id="${id}">
      <h3><span class="badge">${methods.join(t.or).toUpperCase()}</span> <code>${path}</code></h3>
      <p><strong>${inWords(operation.summary, language)}.</strong>
        ${operation.description !== undefined && inWords(operation.description, language)}</p>
      ${sampleAndExplorer(endpoint, site.site.baseUrl, language)}
      ${parameters.length > 0 && html`<h4>${t.parameters}</h4>${fieldTable(parameters, language)}`}
      ${form.length > 0 && html`<h4>${t.form}</h4>${fieldTable(form, language)}`}
      ${fields.length > 0 && html`<h4>${t.answer}</h4>${fieldTable(fields, language, true)}`}
      ${headersTable(endpoint, description, language)}
      ${errorsTable(site, endpoint, language)}
    </section>`;
}

function fieldTable(
  fields: readonly (Field & { place?: string })[],
  language: Language,
  isAnswer = false,
): Html {
  const t = referenceWords[language];
  return table(
    [t.name, t.type, t.meaning],
    fields.map(({ name, type, schema, isRequired, place }) => {
      const note = isAnswer ? !isRequired && t.optional : isRequired && t.required;
      const head = html`<code>${name}</code>${note && html` <span class="soft small">${note}</span>`}`;
      return row(head, [
        cell(t.type, html`${t.types[type] ?? type}${place === 'header' && html`, ${t.header}`}`),
        cell(t.meaning, html`${inWords(schema.description ?? '', language)} ${limits(schema, language)}`),
      ]);
    }),
  );
}

// On one line: the page has hundreds of them.
function row(head: Html, cells: readonly Html[]): Html {
  return html`<tr><th scope="row">${head}</th>${cells}</tr>`;
}

// One element: as a card, a cell has its heading beside it.
function cell(label: string, content: Html): Html {
  return html`<td data-label="${label}"><span>${content}</span></td>`;
}

function limits(schema: Schema, language: Language): Html {
  const t = referenceWords[language];
  const { default: usual, minLength, maxLength, minimum, maximum, enum: values, example } = schema;
  const facts = [
    usual !== undefined && t.usual(String(usual)),
    maxLength !== undefined && t.length(minLength ?? 0, maxLength),
    maximum !== undefined && t.range(minimum ?? 0, maximum),
    values !== undefined && values.length > 1 && t.oneOf(values.join(', ')),
  ].filter((fact) => fact !== false);
  const shown = typeof example === 'object' ? JSON.stringify(example) : String(example);
  return html`<span class="soft small">${facts.join(' ')}${
    example !== undefined && html` ${t.example} <code>${shown}</code>`
  }</span>`;
}

function headersTable({ headers }: Endpoint, { components }: Description, language: Language): Html | '' {
  const t = referenceWords[language];
  if (headers.length === 0) return '';
  const rows = headers.map((name) => {
    const { description = '', example = '' } = components.headers[name] ?? {};
    const shown = html`<span class="soft small">${t.example} <code>${example}</code></span>`;
    return row(html`<code>${name}</code>`, [
      cell(t.meaning, html`${inWords(description, language)} ${shown}`),
    ]);
  });
  return html`<h4>${t.headers}</h4>${table([t.name, t.meaning], rows)}`;
}

function errorsTable({ chapters }: SiteParts, { errors }: Endpoint, language: Language): Html | '' {
  const t = referenceWords[language];
  if (errors.length === 0) return '';
  const rows = errors.map(({ code, status }) => {
    const path = `${PATHS.docs}/errors/${code}`;
    const [first] = chapters.get(path)?.[language].sections() ?? [];
    return row(html`<a href="${path}"><code>${code}</code></a>`, [
      cell(t.status, html`${status}`),
      cell(t.meaning, html`${firstSentence(first?.text ?? '')}`),
    ]);
  });
  return html`<h4>${t.errors}</h4>${table([t.code, t.status, t.meaning], rows)}`;
}

function firstSentence(text: string): string {
  return /^.*?(?:\.(?= |$)|。)/.exec(text)?.[0] ?? text;
}
