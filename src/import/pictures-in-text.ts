// The pictures that a Markdown text shows from elsewhere.

import { pictureIn } from '../community/picture.ts';
import { outsideCode } from './outside-code.ts';

/** More pictures of one text stay where they are. */
export const MOST_PICTURES_OF_TEXT = 50;

// No part can contain the sign that ends it, so this takes linear time.
const DESCRIPTION = /((?:\\.|[^[\]\\\n]){0,300})/.source;
const ADDRESS = /<?((?:[^\s()<>]|\([^\s()<>]{0,300}\)){1,2000})>?/.source;
const TITLE = /(?:\s{1,9}(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'))?/.source;
const PICTURE = new RegExp(`!\\[${DESCRIPTION}\\]\\(\\s{0,9}${ADDRESS}${TITLE}\\s{0,9}\\)`, 'g');

/**
 * The addresses of pictures on other sites, in the order of the text, each once. An address without a host belongs to
 * the site that the text comes from, if it is known.
 */
export function picturesIn(markdown: string, site?: string): string[] {
  const addresses = new Set<string>();
  if (!markdown.includes('![')) return [];
  outsideCode(markdown, (text) => {
    for (const [, , written = ''] of text.matchAll(PICTURE)) {
      const address = addressFrom(written, site);
      if (address !== undefined) addresses.add(address);
    }
    return text;
  });
  return [...addresses].slice(0, MOST_PICTURES_OF_TEXT);
}

/** Show the picture at this path in place of the one at the address, which `picturesIn` returned. */
export function withPicture(markdown: string, address: string, path: string, site?: string): string {
  return outsideCode(markdown, (text) =>
    text.replaceAll(PICTURE, (whole, description: string, written: string) =>
      addressFrom(written, site) === address ? `![${withoutSize(description)}](${path})` : whole,
    ),
  );
}

// The form that the Markdown renderer understands. Undefined for pictures that aren't on another site.
function addressFrom(written: string, site: string | undefined): string | undefined {
  const address = written.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1').replaceAll('&amp;', '&');
  if (/^https?:\/\//i.test(address)) return address;
  const isOfSite = address.startsWith('/') && pictureIn(address) === undefined;
  return isOfSite && site !== undefined ? URL.parse(address, site)?.href : undefined;
}

// Discourse notes a size after the description.
function withoutSize(description: string): string {
  return description.replace(/\|\d{1,5}x\d{1,5}(?:, ?\d{1,3}%)?$/, '');
}
