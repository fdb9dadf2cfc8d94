// The text at the beginning of a Markdown text, in one line, for excerpts.

import type { Token } from 'markdown-it';
import { tokensOf } from './markdown.ts';

// The Markdown behind an ordinary excerpt is shorter than this, even with links and pictures. Reading all of a long
// text takes most of a second.
const MOST_READ = 5_000;

type Kind = 'prose' | 'item' | 'other';

interface Piece {
  kind: Kind;
  text: string;
}

/**
 * Extract the prose and the items of lists. Headings, code, tables and descriptions of pictures are left out, unless
 * there is nothing else. The result isn't HTML: `<` and `&` are plain characters.
 */
export function openingOf(markdown: string): string {
  const pieces = piecesOf(tokensOf(markdown.slice(0, MOST_READ)));
  const prose = pieces.filter(({ kind }) => kind !== 'other');
  return inOneText((prose.length > 0 ? prose : pieces).map(({ text }) => text));
}

/** Join blocks of text, so that no two of them become one sentence. White space in them becomes single spaces. */
export function inOneText(blocks: readonly string[]): string {
  const lines = blocks.map(inOneLine).filter((line) => line !== '');
  return lines.map((line, index) => line + markAfter(line, lines[index + 1])).join('');
}

// The name of a block's tokens without `_open` and `_close`. Footnotes are not part of the text.
const ITEM = 'list_item';
const NOT_PROSE = ['heading', 'table', 'footnote_block'];

function piecesOf(tokens: readonly Token[]): Piece[] {
  const open: string[] = [];
  const pieces: Piece[] = [];
  for (const { type, nesting, children, content } of tokens) {
    if (nesting > 0) open.push(type.replace(/_open$/, ''));
    if (nesting < 0) open.pop();
    if (nesting !== 0 || open.includes('footnote_block')) continue;
    const text = inOneLine(children === null ? content : inlineText(children));
    if (text !== '') {
      const isProse = children !== null && !open.some((block) => NOT_PROSE.includes(block));
      pieces.push({
        kind: isProse ? (open.includes(ITEM) ? 'item' : 'prose') : 'other',
        text: withoutBox(text, open),
      });
    } else if (children !== null) {
      const descriptions = children
        .filter(({ type: inline }) => inline === 'image')
        .map((image) => image.content);
      pieces.push(
        ...descriptions.filter((each) => each !== '').map((each) => ({ kind: 'other', text: each }) as const),
      );
    }
  }
  return pieces;
}

function inlineText(tokens: readonly Token[]): string {
  return tokens
    .filter(({ type }) => type !== 'image' && type !== 'html_inline')
    .map(({ type, content }) => (type.endsWith('break') ? '\n' : content))
    .join('');
}

// The box of a task is no word.
function withoutBox(text: string, open: readonly string[]): string {
  return open.includes(ITEM) ? text.replace(/^\[[ xX]\] /, '') : text;
}

// Scripts that have no spaces between words, and their punctuation, which includes the space after it.
const WIDE = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u3000-\\u303f\\uff00-\\uffef';
const SPACE_AFTER_MARK = /(?<=[\u3001\u3002\uff01\uff0c\uff1a\uff1b\uff1f])\s+/g;

// Line by line: one pattern for a line break and the white space around it takes cubic time, since U+3000 is white
// space and wide.
function inOneLine(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const spaced = lines.map((line, index) => {
    const next = lines[index + 1];
    return next === undefined || isWideBetween(line, next) ? line : `${line} `;
  });
  return spaced.join('').replace(/\s+/g, ' ').replace(SPACE_AFTER_MARK, '');
}

const BEGINS_WIDE = new RegExp(`^[${WIDE}]`, 'u');
// In Thai, Lao, Khmer and Burmese, a space is the mark between sentences.
const ENDS_IN_SPACED_SENTENCE = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]$/u;
const ENDS_IN_MARK = /[\p{P}\p{S}]$/u;

// Where a block ends without a mark, there is one between it and the next.
function markAfter(line: string, next: string | undefined): string {
  if (next === undefined) return '';
  const end = lastSignOf(line);
  const isWide = isWideBetween(line, next);
  if (ENDS_IN_MARK.test(end)) return isWide ? '' : ' ';
  if (ENDS_IN_SPACED_SENTENCE.test(end)) return ' ';
  return isWide ? '；' : ' · ';
}

function isWideBetween(line: string, next: string): boolean {
  return BEGINS_WIDE.test(lastSignOf(line)) && BEGINS_WIDE.test(next);
}

// A pattern for the end of a long text would try every place in it.
function lastSignOf(text: string): string {
  return [...text.slice(-2)].at(-1) ?? '';
}
