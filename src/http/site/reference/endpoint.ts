// An endpoint in the reference: what it takes, what it answers, and how it refuses.

import { html } from 'hono/html';
import type { Language } from '../../pages/language.ts';
import type { Html } from '../../pages/page.ts';
import { PATHS } from '../../routes.ts';
import { table } from '../table.ts';
import type { Description, Endpoint, Field, Schema } from './document.ts';
import { sampleAndExplorer } from './explorer.ts';
import { inWords } from './meanings.ts';
import { referenceWords } from './words.ts';

/** Show an endpoint. */
export function endpointSection(endpoint: Endpoint, baseUrl: string, language: Language): Html {
  const t = referenceWords[language];
  const { id, methods, path, operation, fields, form, sameAnswer } = endpoint;
  const parameters = (operation.parameters ?? []).map(
    ({ name, in: place, required, description, schema }) => ({
      name,
      type: schema.type ?? '',
      schema: { ...schema, description },
      isRequired: required,
      place,
    }),
  );
  const answer =
    sameAnswer === undefined
      ? fieldTable(fields, language, true)
      : html`<p>${t.sameAs} <a href="#${sameAnswer.id}"><code>${sameAnswer.path}</code></a></p>`;
  return html`
    <section class="card endpoint" id="${id}">
      <h3><span class="badge">${methods.join(t.or).toUpperCase()}</span> <code>${path}</code></h3>
      <p><strong>${inWords(operation.summary, language)}.</strong>
        ${operation.description !== undefined && inWords(operation.description, language)}</p>
      ${sampleAndExplorer(endpoint, baseUrl, language)}
      ${parameters.length > 0 && html`<h4>${t.parameters}</h4>${fieldTable(parameters, language)}`}
      ${form.length > 0 && html`<h4>${t.form}</h4>${fieldTable(form, language)}`}
      ${fields.length > 0 && html`<h4>${t.answer}</h4>${answer}`}
      ${headersOf(endpoint, language)}
      ${errorsOf(endpoint, language)}
    </section>`;
}

/** Show what the headers of all answers mean. */
export function headersTable({ components }: Description, language: Language): Html {
  const t = referenceWords[language];
  const rows = Object.entries(components.headers).map(([name, { description, example }]) => {
    return row(
      html`<code id="${headerId(name)}">${name}</code>`,
      html`${inWords(description, language)} <small>${exampleOf(example, language)}</small>`,
    );
  });
  return table([t.name, t.meaning], rows);
}

function fieldTable(
  fields: readonly (Field & { place?: string })[],
  language: Language,
  isAnswer = false,
): Html {
  const t = referenceWords[language];
  return table(
    [t.name, t.meaning],
    fields.map(({ name, type, schema, isRequired, place }) => {
      const note = isAnswer ? !isRequired && t.optional : isRequired && t.required;
      const about = [t.types[type] ?? type, place === 'header' && t.header, note].filter(Boolean);
      return row(
        html`<code>${name}</code> <small>${about.join(t.comma)}</small>`,
        html`${inWords(schema.description ?? '', language)}${limits(schema, language)}`,
      );
    }),
  );
}

// On one line and without more: the page has hundreds of them. A card on a narrow screen needs no heading in front of
// what its name means.
function row(head: Html, meaning: Html): Html {
  return html`<tr><th scope="row">${head}</th><td>${meaning}</td></tr>`;
}

function limits(schema: Schema, language: Language): Html | '' {
  const t = referenceWords[language];
  const { default: usual, minLength, maxLength, minimum, maximum, enum: values, example } = schema;
  const facts = [
    usual !== undefined && t.usual(String(usual)),
    maxLength !== undefined && t.length(minLength ?? 0, maxLength),
    maximum !== undefined && t.range(minimum ?? 0, maximum),
    values !== undefined && values.length > 1 && t.oneOf(values.join(', ')),
  ].filter((fact) => fact !== false);
  const shown = typeof example === 'object' ? JSON.stringify(example) : String(example);
  if (facts.length === 0 && example === undefined) return '';
  return html` <small>${facts.join(' ')}${example !== undefined && exampleOf(shown, language)}</small>`;
}

function exampleOf(text: string, language: Language): Html {
  return html` ${referenceWords[language].example} <code>${text}</code>`;
}

// Most endpoints have the same ones, so their meanings are on the page once.
function headersOf({ headers }: Endpoint, language: Language): Html | '' {
  if (headers.length === 0) return '';
  const links = headers.map((name) => html` <a href="#${headerId(name)}"><code>${name}</code></a>`);
  return html`<h4>${referenceWords[language].headers}</h4><p class="contents">${links}</p>`;
}

function headerId(name: string): string {
  return `header-${name.toLowerCase()}`;
}

// Each error has a page of its own.
function errorsOf({ errors }: Endpoint, language: Language): Html | '' {
  const t = referenceWords[language];
  if (errors.length === 0) return '';
  const rows = Object.entries(Object.groupBy(errors, ({ status }) => status)).map(
    ([status, together = []]) => {
      const links = together.map(
        ({ code }) => html` <a href="${PATHS.docs}/errors/${code}"><code>${code}</code></a>`,
      );
      return row(html`${status}`, html`<span class="contents">${links}</span>`);
    },
  );
  return html`<h4>${t.errors}</h4>${table([t.status, t.codes], rows)}`;
}
