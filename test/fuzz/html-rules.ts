// What rendered text may contain, judged by another HTML parser than the one that cleans it: one that follows the
// standard's algorithm, as browsers do.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';

/** What is used of a document; its own types are those of browsers. */
interface ParsedElement {
  tagName: string;
  attributes: ArrayLike<{ name: string; value: string }>;
  getAttribute(name: string): string | null;
}
type CreateDocument = (html: string) => { querySelectorAll(selector: string): ArrayLike<ParsedElement> };

// It comes with turndown, which reads imported HTML with it.
const requireFromTurndown = createRequire(createRequire(import.meta.url).resolve('turndown'));
const { createDocument } = requireFromTurndown('@mixmark-io/domino') as { createDocument: CreateDocument };

// Browsers add <tbody>. <html>, <head> and <body> are the document around the text.
const TAGS: ReadonlySet<string> = new Set(
  [
    'html head body',
    'p br hr h2 h3 h4 h5 h6 blockquote pre code ul ol li strong em del a',
    'table thead tbody tr th td',
  ].flatMap((names) => names.toUpperCase().split(' ')),
);
const ATTRIBUTES: Record<string, ReadonlySet<string>> = {
  A: new Set(['href', 'title', 'rel']),
  OL: new Set(['start']),
  // Wide ones scroll, which the keyboard can do only where the focus is.
  PRE: new Set(['tabindex']),
  TABLE: new Set(['tabindex']),
};
const SCHEMES = new Set(['http:', 'https:', 'mailto:']);

/** Fails if HTML has an element, an attribute or an address that members' texts may not have. */
export function assertHarmless(html: string): void {
  const document = createDocument(`<!doctype html><body>${html}`);
  for (const element of Array.from(document.querySelectorAll('*'))) {
    assert.ok(TAGS.has(element.tagName), `an element ${element.tagName}`);
    for (const { name, value } of Array.from(element.attributes)) {
      assert.ok(ATTRIBUTES[element.tagName]?.has(name), `${element.tagName} with ${name}`);
      if (name === 'href') assertHarmlessAddress(value);
    }
    if (element.tagName !== 'A') continue;
    assert.equal(element.getAttribute('rel'), 'nofollow ugc noopener');
  }
}

function assertHarmlessAddress(address: string): void {
  // Addresses without a scheme stay on this site; the page's own address stands for any.
  const url = URL.parse(address, 'https://portico.example/posts/1');
  assert.ok(url === null || SCHEMES.has(url.protocol), `a link to ${address}`);
}
