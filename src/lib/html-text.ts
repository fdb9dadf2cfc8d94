// The text of HTML that `markdown.ts` rendered.

import { inOneText } from './opening.ts';

const END_OF_BLOCK = /<\/(?:p|h\d|li|blockquote|pre|td|th)>|<br>/;
const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** Extract the text, in one line. The HTML can end anywhere. */
export function textOfHtml(html: string): string {
  const begunTag = html.indexOf('<', html.lastIndexOf('>') + 1);
  const whole = begunTag === -1 ? html : html.slice(0, begunTag);
  return inOneText(whole.split(END_OF_BLOCK).map(textOfBlock));
}

// As much as makes an excerpt.
const MOST_READ = 12_000;
const NOT_PROSE = ['h2', 'h3', 'h4', 'h5', 'h6', 'pre', 'table', 'section', 'sup'];
const DESCRIPTION = /<img [^<>]*alt="([^"<>]*)"/g;

/**
 * Extract what `openingOf` extracts from the Markdown: the text at the beginning, without headings, code, tables,
 * footnotes and descriptions of pictures, unless there is nothing else. The HTML can end anywhere.
 */
export function openingOfHtml(html: string): string {
  const read = html.slice(0, MOST_READ);
  const opening = textOfHtml(proseOf(read)) || textOfHtml(read);
  if (opening !== '') return opening;
  return inOneText([...read.matchAll(DESCRIPTION)].map(([, description = '']) => textOfBlock(description)));
}

function proseOf(html: string): string {
  let open: string | undefined;
  let prose = '';
  // Every second piece is a tag, since the pattern has one group.
  html.split(/(<[^<>]*>)/).forEach((piece, index) => {
    const tag = index % 2 === 1 ? /^<\/?([a-z\d]+)/.exec(piece)?.[1] : undefined;
    const isEnd = open !== undefined && piece === `</${open}>`;
    if (open === undefined && tag !== undefined && NOT_PROSE.includes(tag)) open = tag;
    if (open === undefined) prose += piece;
    if (isEnd) open = undefined;
  });
  return prose;
}

/** Return the path and the description of the first picture of the site. */
export function firstPicture(html: string): { path: string; alt: string } | undefined {
  const [, path, alt = ''] = /<img src="(\/pictures\/[^"]+)"[^>]* alt="([^"]*)"/.exec(html) ?? [];
  return path === undefined ? undefined : { path, alt: unescaped(alt) };
}

function unescaped(html: string): string {
  return html.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? '');
}

function textOfBlock(html: string): string {
  return unescaped(html.replaceAll(/<[^<>]*>/g, ''));
}
