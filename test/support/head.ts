// Reads the head of a page, as search engines and previews of links do.

import assert from 'node:assert/strict';

/** The meta elements by name or property, in their order, with entities decoded. */
export function metaOf(page: string): Map<string, string> {
  const elements = headOf(page).matchAll(/<meta (?:name|property)="([^"]*)" content="([^"]*)">/g);
  return new Map([...elements].map(([, name = '', content = '']) => [name, decoded(content)]));
}

/** The address in the link of this kind. */
export function linkOf(page: string, rel: string): string | undefined {
  return new RegExp(`<link rel="${rel}"[^>]* href="([^"]*)"`).exec(headOf(page))?.[1];
}

/** The things that the page describes in the words of schema.org. */
export function thingsOf(page: string): Record<string, unknown>[] {
  const [, text] = /<script type="application\/ld\+json">([\s\S]*?)<\/script>/.exec(headOf(page)) ?? [];
  if (text === undefined) return [];
  const data = JSON.parse(text);
  assert.equal(data['@context'], 'https://schema.org');
  return data['@graph'];
}

/** The thing of a type. */
export function thingOf(page: string, type: string): Record<string, unknown> {
  const thing = thingsOf(page).find((one) => one['@type'] === type);
  assert.ok(thing, `no ${type}`);
  return thing;
}

function headOf(page: string): string {
  const [, head] = /<head>([\s\S]*?)<\/head>/.exec(page) ?? [];
  assert.ok(head !== undefined, page);
  return head;
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

function decoded(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name) => ENTITIES[name] ?? '');
}
