// The reference as a chapter that the search of the documentation reads.

import type { Language } from '../../pages/language.ts';
import { prose } from '../../pages/prose.ts';
import { type Chapter, REFERENCE_PATH } from '../chapters.ts';
import type { SiteParts } from '../site-parts.ts';
import { type Description, type Endpoint, endpointsOf } from './document.ts';
import { plainly } from './meanings.ts';
import { referenceWords } from './words.ts';

/** The document, and its endpoints in the order of the page. */
export interface Reference {
  description: Description;
  endpoints: readonly Endpoint[];
}

/** Read the OpenAPI document. */
export async function readReference({ describeApi, site }: SiteParts): Promise<Reference> {
  const description = (await describeApi()) as Description;
  return { description, endpoints: endpointsOf(description, site.baseUrl) };
}

/** Return the endpoints as sections. Their text has the names and the meanings of all fields, without markup. */
export async function referenceSections(site: SiteParts, language: Language): Promise<Chapter> {
  const { endpoints } = await readReference(site);
  const { title } = referenceWords[language];
  return {
    title,
    path: REFERENCE_PATH,
    hasCode: false,
    text: () => prose(''),
    sections: () => endpoints.map((endpoint) => sectionOf(endpoint, language)),
  };
}

function sectionOf({ id, methods, path, operation, fields, form }: Endpoint, language: Language) {
  const parameters = (operation.parameters ?? []).map(({ name, description }) => [name, description]);
  const named = [...form, ...fields].map(({ name, schema }) => [name, schema.description ?? '']);
  const meanings = [...parameters, ...named].map(
    ([name, meaning = '']) => `${name}: ${plainly(meaning, language)}`,
  );
  const about = [operation.summary, operation.description ?? ''].map((text) => plainly(text, language));
  return {
    heading: `${methods.join('/').toUpperCase()} ${path}`,
    anchor: id,
    text: [...about, ...meanings].join(' ').replaceAll('`', ''),
  };
}
