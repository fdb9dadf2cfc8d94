// Markdown into safe HTML, and into plain text.

import { createRequire } from 'node:module';
import type MarkdownIt from 'markdown-it';
import type SanitizeHtml from 'sanitize-html';
import { lazily } from './remember.ts';

// Loaded with the first text that is read: together they take a tenth of the start.
const load = createRequire(import.meta.url);
const sanitizer = lazily(() => load('sanitize-html') as typeof SanitizeHtml);
// Whatever is written takes time by its length, and comes out not much longer: depth and tables are bounded by it.
const parser = lazily(() => {
  const made = new (load('markdown-it') as typeof MarkdownIt)({ html: true, linkify: true });
  // Whole addresses become links; "notes.md" in a sentence stays a name.
  made.linkify.set({ fuzzyLink: false });
  return made;
});

/** Safe HTML: no script, style, form, frame or image from elsewhere; links can't speak for the site. */
export function renderMarkdown(markdown: string): string {
  const sanitizeHtml = sanitizer();
  return sanitizeHtml(parse(markdown), {
    allowedTags: [
      ...['p', 'br', 'hr', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'pre', 'code', 'ul', 'ol', 'li'],
      ...['strong', 'em', 'del', 'a', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
    ],
    allowedAttributes: { a: ['href', 'title', 'rel'], ol: ['start'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    transformTags: {
      // The page's own title is its only first-level heading.
      h1: 'h2',
      s: 'del',
      a: sanitizeHtml.simpleTransform('a', { rel: 'nofollow ugc noopener' }),
    },
  });
}

/** The words alone, blocks separated by spaces. Not HTML: `<` and `&` stand for themselves. */
export function plainTextOf(markdown: string): string {
  const spaced = parse(markdown).replace(
    /<(?=\/?(?:p|br|hr|h[1-6]|blockquote|pre|ul|ol|li|table|tr|th|td|div)\b)/gi,
    ' <',
  );
  return decodeEntities(sanitizer()(spaced, { allowedTags: [], allowedAttributes: {} }));
}

function parse(markdown: string): string {
  return parser().render(markdown);
}

// What sanitize-html leaves escaped in text.
function decodeEntities(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}
