// Markdown into safe HTML, and into plain text.

import { createRequire } from 'node:module';
import type MarkdownIt from 'markdown-it';
import type { StateBlock } from 'markdown-it';
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
  boundTables(made);
  return made;
});

// Rows are filled up to the width of the head, so that few characters would make very many cells. A table with more
// cells than characters is none.
function boundTables(made: InstanceType<typeof MarkdownIt>): void {
  const { ruler } = made.block;
  const asTable = ruler.getRules('').find(({ name }) => name === 'table');
  if (asTable === undefined) throw new Error('markdown-it reads no tables.');
  const alt = ['paragraph', 'reference'];
  ruler.at(
    'table',
    (state, line, end, silent) => {
      const widest = state.src.slice(state.bMarks[line + 1], state.eMarks[line + 1]).split('|').length;
      const last = endOfBlock(state, line + 1);
      const characters = (state.eMarks[last] ?? 0) - (state.bMarks[line] ?? 0);
      if (widest * (last - line) > characters + SMALL_TABLE) return false;
      return asTable(state, line, end, silent);
    },
    { alt },
  );
}

const SMALL_TABLE = 200;

// The last line before an empty one, looked for once for each.
function endOfBlock(state: StateBlock, line: number): number {
  const env = state.env as { ends?: Int32Array };
  env.ends ??= endsOfBlocks(state);
  return env.ends[line] ?? line;
}

function endsOfBlocks({ src, bMarks, eMarks, lineMax }: StateBlock): Int32Array {
  const ends = new Int32Array(lineMax + 2);
  let last = lineMax - 1;
  for (let line = lineMax - 1; line >= 0; line -= 1) {
    if (src.slice(bMarks[line], eMarks[line]).trim() === '') last = line - 1;
    ends[line] = Math.max(line, last);
  }
  return ends;
}

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
