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
    // Tasks, footnotes and coloured code.
    'label input sup section span',
  ].flatMap((names) => names.toUpperCase().split(' ')),
);
const ATTRIBUTES: Record<string, ReadonlySet<string>> = {
  A: new Set(['href', 'title', 'rel', 'id', 'role', 'aria-label', 'class']),
  INPUT: new Set(['type', 'disabled', 'checked']),
  LI: new Set(['id', 'class']),
  SECTION: new Set(['class', 'role']),
  SPAN: new Set(['class']),
  OL: new Set(['start']),
  // Wide ones scroll, which the keyboard can do only where the focus is.
  PRE: new Set(['tabindex', 'data-language']),
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
    if (element.tagName === 'INPUT') assert.ok(element.getAttribute('disabled') !== null, 'a box to tick');
    if (element.tagName !== 'A' || isOwnLink(element)) continue;
    assert.equal(element.getAttribute('rel'), 'nofollow ugc noopener');
  }
}

// To a footnote and back, and to a member.
function isOwnLink(link: ParsedElement): boolean {
  const address = link.getAttribute('href') ?? '';
  if (link.getAttribute('class') === 'mention') return /^\/members\/\d+$/.test(address);
  return /^doc-(noteref|backlink)$/.test(link.getAttribute('role') ?? '') && /^#(note|ref)-/.test(address);
}

function assertHarmlessAddress(address: string): void {
  // Addresses without a scheme stay on this site; the page's own address stands for any.
  const url = URL.parse(address, 'https://portico.example/posts/1');
  assert.ok(url === null || SCHEMES.has(url.protocol), `a link to ${address}`);
}
