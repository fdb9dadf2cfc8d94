// Turns Markdown into safe HTML and into plain text. HTML in the Markdown stays text. The worst texts take a
// good part of a second, so members' texts are rendered by `text-renderer.ts`, away from the event loop.

import { createRequire } from 'node:module';
import type { default as Library, MarkdownIt, StateBlock, StateInline, Token } from 'markdown-it';
import { codeLanguage, colouredCode, MOST_COLOURED } from './code-colours.ts';
import { findFootnotes } from './markdown-footnotes.ts';
import { findMentions } from './markdown-mentions.ts';
import { ruleNamed } from './markdown-rules.ts';
import { findTasks } from './markdown-tasks.ts';
import { versionAttributes } from './picture-path.ts';
import { lazily } from './remember.ts';

/** Raise it with every change of the HTML or of excerpts: texts of an older version are rendered again. */
export const MARKDOWN_VERSION = 5;

// What is nested deeper is left out, because the work grows with the square of the depth.
const MOST_NESTED = 40;

// The library is loaded with the first text, since it takes long to load.
const load = createRequire(import.meta.url);
const parser = lazily(() => {
  const options = { html: false, linkify: true, maxNesting: MOST_NESTED };
  const markdownIt = new (load('markdown-it') as typeof Library)(options);
  // Only addresses with a scheme become links; "notes.md" in a sentence stays text.
  markdownIt.linkify.set({ fuzzyLink: false });
  markdownIt.validateLink = isSafeAddress;
  boundTables(markdownIt);
  linkImages(markdownIt);
  findTasks(markdownIt);
  findFootnotes(markdownIt);
  findMentions(markdownIt);
  markdownIt.core.ruler.push('site', ({ tokens }) => adaptToSite(tokens));
  markdownIt.renderer.rules.fence = (tokens, index, _, env = {}) => codeBlock(tokens[index], env);
  markdownIt.renderer.rules.code_block = (tokens, index, _, env = {}) => codeBlock(tokens[index], env);
  return markdownIt;
});

/**
 * Render safe HTML: no script, style, form or frame, and no images but the site's own; links carry no endorsement of
 * the site.
 */
export function renderMarkdown(markdown: string): string {
  return parser().render(markdown);
}

/** Parse Markdown into the blocks of a text and what is in them. */
export function tokensOf(markdown: string): Token[] {
  return parser().parse(markdown, {});
}

/** As `renderMarkdown`, with each name behind an @ marked for `linkMentions`. */
export function renderWithMentions(markdown: string): { html: string; mentions: string[] } {
  const env = { mentions: [] };
  return { html: parser().render(markdown, env), mentions: env.mentions };
}

/** Extract the words, with spaces between blocks. The result isn't HTML: `<` and `&` are plain characters. */
export function plainTextOf(markdown: string): string {
  return tokensOf(markdown)
    .map((token) => (token.type === 'inline' ? inlineText(token.children ?? []) : token.content))
    .filter((text) => text !== '')
    .join(' ');
}

function inlineText(tokens: readonly Token[]): string {
  return tokens.map(({ type, content }) => (type.endsWith('break') ? ' ' : content)).join('');
}

/** The path of the first picture of the site in HTML that `renderMarkdown` made. */
export function firstPicturePath(html: string): string | undefined {
  // All other signs of this kind are escaped.
  return /<img src="(\/pictures\/[^"]+)"/.exec(html)?.[1];
}

/** Return a text as HTML that shows it as it was written. */
export function unformatted(text: string): string {
  return `<p class="unformatted">${text.replaceAll(/[&<>]/g, (sign) => ENTITIES[sign] ?? '')}</p>\n`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

// The address is percent-encoded already, so it contains no space, backslash or control character. A path is on
// this site; two slashes would lead to another.
function isSafeAddress(address: string): boolean {
  const [, scheme] = /^([^/?#]*):/.exec(address) ?? [];
  if (scheme === undefined) return !address.startsWith('//');
  return ['http', 'https', 'mailto'].includes(scheme.toLowerCase());
}

// A picture of the site, whose address tells its size. The pattern allows no other address, and no brackets in the
// description, so it takes linear time.
const OWN_PICTURE =
  /!\[((?:\\.|[^[\]\\\n]){0,300})\]\((\/pictures\/([0-9a-f]{32})-([1-9]\d{0,3})x([1-9]\d{0,3})\.webp)\)/y;

// A reader's browser asks for each, whether it exists or not. Those beyond are links.
const MOST_PICTURES = 100;

// Any other image becomes a link to it, so that a page loads nothing from elsewhere.
function linkImages(markdownIt: MarkdownIt): void {
  const parseLink = ruleNamed(markdownIt.inline.ruler, 'link');
  markdownIt.inline.ruler.at('image', (state: StateInline, silent: boolean) => {
    if (!state.src.startsWith('![', state.pos)) return false;
    if (parseOwnPicture(state, silent)) return true;
    const start = state.pos;
    state.pos = start + 1;
    if (parseLink(state, silent)) return true;
    state.pos = start;
    return false;
  });
}

function parseOwnPicture(state: StateInline, silent: boolean): boolean {
  OWN_PICTURE.lastIndex = state.pos;
  const [whole, description = '', address = '', digest = '', width = '', height = ''] =
    OWN_PICTURE.exec(state.src) ?? [];
  if (whole === undefined || state.pos + whole.length > state.posMax) return false;
  const env = state.env as { pictures?: number };
  const { pictures = 0 } = env;
  if (pictures === MOST_PICTURES) return false;
  if (!silent) {
    env.pictures = pictures + 1;
    const token = state.push('image', 'img', 0);
    // The renderer sets the description.
    const versions = versionAttributes({ digest, width: Number(width), height: Number(height) });
    token.attrs = Object.entries({ src: address, ...versions, alt: '', width, height, loading: 'lazy' });
    token.content = description.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1');
    token.children = [Object.assign(new state.Token('text', '', 0), { content: token.content })];
  }
  state.pos += whole.length;
  return true;
}

// Code can be focused, so that the keyboard can scroll wide lines.
function codeBlock({ info = '', content = '' }: Partial<Token> = {}, env: object): string {
  const count = env as { coloured?: number };
  const language = codeLanguage(info);
  const plain = escapeHtml(content);
  if (language === undefined) return `<pre tabindex="0"><code>${plain}</code></pre>\n`;
  const length = (count.coloured ?? 0) + content.length;
  const code = length > MOST_COLOURED.ofText ? undefined : colouredCode(content, language);
  if (code !== undefined) count.coloured = length;
  return `<pre tabindex="0" data-language="${language.title}"><code>${code ?? plain}</code></pre>\n`;
}

function escapeHtml(text: string): string {
  return parser().utils.escapeHtml(text);
}

function adaptToSite(tokens: Token[]): void {
  for (const token of tokens) {
    // Only the page's own title is a first-level heading.
    if (token.tag === 'h1') token.tag = 'h2';
    // As code.
    if (token.type === 'table_open') token.attrSet('tabindex', '0');
    // The alignment would be a style.
    if (token.tag === 'td' || token.tag === 'th') token.attrs = null;
    if (token.children !== null) token.children = adaptedInline(token.children);
  }
}

// An image inside a link would be a link inside a link: the outer one stays.
function adaptedInline(tokens: readonly Token[]): Token[] {
  let depth = 0;
  return tokens.flatMap((token, index) => {
    if (token.tag === 's') token.tag = 'del';
    if (token.type === 'link_close') {
      depth -= 1;
      return depth === 0 ? [token] : [];
    }
    if (token.type !== 'link_open') return [token];
    depth += 1;
    if (depth > 1) return [];
    token.attrSet('rel', 'nofollow ugc noopener');
    return isEmptyLink(tokens, index) ? [token, addressAsText(token)] : [token];
  });
}

// An image without a description inside a link leaves nothing to click either.
function isEmptyLink(tokens: readonly Token[], index: number): boolean {
  let next = index + 1;
  while (tokens[next]?.type === 'link_open') next += 1;
  return tokens.slice(next, next * 2 - index).every(({ type }) => type === 'link_close');
}

// An image without a description shows its address.
function addressAsText(link: Token): Token {
  const text = new (link.constructor as typeof Token)('text', '', 0);
  text.content = String(link.attrGet('href') ?? '');
  return text;
}

// The parser fills each row up to the width of the head, so a few characters could make very many cells. A
// table with more cells than characters stays plain text.
function boundTables(markdownIt: MarkdownIt): void {
  const { ruler } = markdownIt.block;
  const parseTable = ruleNamed(ruler, 'table');
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
