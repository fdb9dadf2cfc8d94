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
