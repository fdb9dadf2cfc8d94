// The links that operators add to the footer, one on each line: a title, a space, and an address.

import { hasHiddenCharacters } from '../lib/one-line.ts';
import { readPageAddress } from './contact.ts';

export interface SiteLink {
  title: string;
  /** An https address, or a path of the site. */
  address: string;
}

const MOST_LINKS = 8;
const LONGEST_TITLE = 40;

/** Read the lines. Returns them tidied, or undefined if one is not a link, or there are too many. */
export function readLinks(text: string): string | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const links = lines.map(readLink);
  if (links.length > MOST_LINKS || links.includes(undefined)) return undefined;
  return links.map((link) => `${link?.title} ${link?.address}`).join('\n');
}

/** List the links of lines that `readLinks` has tidied. */
export function linksIn(text: string): SiteLink[] {
  return text
    .split('\n')
    .map(readLink)
    .filter((link) => link !== undefined);
}

function readLink(line: string): SiteLink | undefined {
  const [, title = '', last = ''] = /^\s*(\S.*?)\s+(\S+)\s*$/.exec(line) ?? [];
  const address = readPageAddress(last);
  const isTitle = title !== '' && [...title].length <= LONGEST_TITLE && !hasHiddenCharacters(title);
  return address !== undefined && isTitle ? { title, address } : undefined;
}
