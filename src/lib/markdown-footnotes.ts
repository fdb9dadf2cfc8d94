// Footnotes: "Bread[^1]" in the text, and "[^1]: Of rye." on a line of its own. They are listed below the text, with
// links there and back.

import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { MarkdownIt, StateBlock, StateInline, Token } from 'markdown-it';
import { ruleNamed } from './markdown-rules.ts';

const load = createRequire(import.meta.url);

// Their list is put together anew with each, and the links are several times as long as what they are written as.
const MOST_FOOTNOTES = 200;
const MOST_REFERENCES = 500;

const REFERENCE = /\[\^[^\s\]]{1,50}\]/y;
const DEFINITION = /^\[\^[^\s\]]{1,50}\]:/;

interface FootnoteEnv {
  footnoteCount?: number;
  footnoteLinks?: number;
  /** Distinguishes the ids of texts that are on one page. */
  textId?: string;
}

/** Let the parser find footnotes. */
export function findFootnotes(markdownIt: MarkdownIt): void {
  const plugin = load('markdown-it-footnote') as (markdownIt: MarkdownIt) => void;
  plugin(markdownIt);
  // A text in brackets behind ^, which is rare, and takes long to search.
  markdownIt.inline.ruler.disable('footnote_inline');
  boundDefinitions(markdownIt);
  boundReferences(markdownIt);
  markdownIt.core.ruler.after('footnote_tail', 'text_id', ({ src, env }) => {
    if (Number(env.footnoteLinks) > 0)
      env.textId = createHash('sha256').update(src).digest('hex').slice(0, 8);
  });
  Object.assign(markdownIt.renderer.rules, RULES);
}

// Only on the first level: the library takes a footnote out of its quotation or list together with the end of it. Any
// definition ends the paragraph above.
function boundDefinitions({ block: { ruler } }: MarkdownIt): void {
  const parse = ruleNamed(ruler, 'footnote_def');
  const bounded = (state: StateBlock, line: number, end: number, silent: boolean) => {
    const env = state.env as FootnoteEnv;
    if ((!silent && state.level > 0) || (env.footnoteCount ?? 0) >= MOST_FOOTNOTES) return false;
    const start = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
    if (!DEFINITION.test(state.src.slice(start, start + 60))) return false;
    if (!parse(state, line, end, silent)) return false;
    if (!silent) env.footnoteCount = (env.footnoteCount ?? 0) + 1;
    return true;
  };
  ruler.at('footnote_def', bounded, { alt: ['paragraph', 'reference'] });
}

function boundReferences({ inline: { ruler } }: MarkdownIt): void {
  const parse = ruleNamed(ruler, 'footnote_ref');
  ruler.at('footnote_ref', (state: StateInline, silent: boolean) => {
    const env = state.env as FootnoteEnv;
    REFERENCE.lastIndex = state.pos;
    if ((env.footnoteLinks ?? 0) >= MOST_REFERENCES || !REFERENCE.test(state.src)) return false;
    if (!parse(state, silent)) return false;
    if (!silent) env.footnoteLinks = (env.footnoteLinks ?? 0) + 1;
    return true;
  });
}

// The words are signs, since the HTML is the same for readers of every language. Assistive technology says what the
// roles mean in its own words.
const RULES = {
  footnote_ref: (...[tokens, index, , env]: Rendered) => {
    const { number, note, reference } = namesOf(tokens[index], env);
    return `<sup><a href="#${note}" id="${reference}" role="doc-noteref">[${number}]</a></sup>`;
  },
  footnote_block_open: () => '<section class="footnotes" role="doc-endnotes">\n<ol>\n',
  footnote_block_close: () => '</ol>\n</section>\n',
  footnote_open: (...[tokens, index, , env]: Rendered) => `<li id="${namesOf(tokens[index], env).note}">`,
  footnote_close: () => '</li>\n',
  footnote_anchor: (...[tokens, index, , env]: Rendered) => {
    const { place, reference } = namesOf(tokens[index], env);
    // U+FE0E: not as an emoji.
    return ` <a href="#${reference}" role="doc-backlink" aria-label="↩ ${place}">↩\uFE0E</a>`;
  },
};

type Rendered = [tokens: Token[], index: number, options: unknown, env: FootnoteEnv];

/** The number of a footnote and of a place that leads to it, and the ids of both. */
function namesOf(token: Token | undefined, { textId }: FootnoteEnv) {
  const { id = 0, subId = 0 }: { id?: number; subId?: number } = token?.meta ?? {};
  const number = id + 1;
  const place = subId === 0 ? number : `${number}-${subId + 1}`;
  return { number, place, note: `note-${textId}-${number}`, reference: `ref-${textId}-${place}` };
}
