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
  return inOneText(
    html
      .replace(/<[^>]*$/, '')
      .split(END_OF_BLOCK)
      .map(textOfBlock),
  );
}

function textOfBlock(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? '');
}
