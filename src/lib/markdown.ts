// Turns Markdown into safe HTML and into plain text.

import { createRequire } from 'node:module';
import type MarkdownIt from 'markdown-it';
import type { StateBlock } from 'markdown-it';
import type SanitizeHtml from 'sanitize-html';
import { lazily } from './remember.ts';

// Both libraries are loaded with the first text, since they take long to load.
const load = createRequire(import.meta.url);
const sanitizer = lazily(() => load('sanitize-html') as typeof SanitizeHtml);
// Time and output must grow with the length of the text and no faster, so nesting and tables are bounded.
const parser = lazily(() => {
  const markdownIt = new (load('markdown-it') as typeof MarkdownIt)({ html: true, linkify: true });
  // Only addresses with a scheme become links; "notes.md" in a sentence stays text.
  markdownIt.linkify.set({ fuzzyLink: false });
  boundTables(markdownIt);
  return markdownIt;
});

// The parser fills each row up to the width of the head, so a few characters could make very many cells. A
// table with more cells than characters stays plain text.
function boundTables(markdownIt: InstanceType<typeof MarkdownIt>): void {
  const { ruler } = markdownIt.block;
  const parseTable = ruler.getRules('').find(({ name }) => name === 'table');
  if (parseTable === undefined) throw new Error('markdown-it has no rule for tables.');
  const alt = ['paragraph', 'reference'];
  ruler.at(
    'table',
    (state, line, end, silent) => {
      const widest = state.src.slice(state.bMarks[line + 1], state.eMarks[line + 1]).split('|').length;
      const last = endOfBlock(state, line + 1);
      const characters = (state.eMarks[last] ?? 0) - (state.bMarks[line] ?? 0);
      if (widest * (last - line) > characters + SMALL_TABLE) return false;
      return parseTable(state, line, end, silent);
    },
    { alt },
  );
}

const SMALL_TABLE = 200;

// The last line before an empty one. All are computed at once, since a search from each line would be
// quadratic.
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

/** Render safe HTML: no script, style, form, frame or image; links carry no endorsement of the site. */
export function renderMarkdown(markdown: string): string {
  const sanitizeHtml = sanitizer();
  return sanitizeHtml(parse(markdown), {
    allowedTags: ALLOWED_TAGS,
    allowedAttributes: { a: ['href', 'title', 'rel'], ol: ['start'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    transformTags: {
      // Only the page's own title is a first-level heading.
      h1: 'h2',
      s: 'del',
      a: sanitizeHtml.simpleTransform('a', { rel: 'nofollow ugc noopener' }),
    },
  });
}

/** Extract the words, with spaces between blocks. The result isn't HTML: `<` and `&` are plain characters. */
export function plainTextOf(markdown: string): string {
  const spacedHtml = parse(markdown).replace(
    /<(?=\/?(?:p|br|hr|h[1-6]|blockquote|pre|ul|ol|li|table|tr|th|td|div)\b)/gi,
    ' <',
  );
  return decodeEntities(sanitizer()(spacedHtml, { allowedTags: [], allowedAttributes: {} }));
}

const ALLOWED_TAGS = [
  'p',
  'br',
  'hr',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'blockquote',
  'pre',
  'code',
  'ul',
  'ol',
  'li',
  'strong',
  'em',
  'del',
  'a',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
];

function parse(markdown: string): string {
  return parser().render(markdown);
}

// The characters that sanitize-html leaves escaped.
function decodeEntities(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}
