// Where members reach the operators: an email address, an https address, or a page of the site.

import { looksLikeEmail } from '../identity/email-address.ts';

const LONGEST_ADDRESS = 200;

/** Read the address of an operator. Returns undefined for anything else. */
export function readContact(text: string): string | undefined {
  const address = text.trim();
  return isEmail(address) && address.length <= LONGEST_ADDRESS ? address : readPageAddress(address);
}

/** Read an https address or a path of the site. Returns undefined for anything else. */
export function readPageAddress(text: string): string | undefined {
  if (text.length > LONGEST_ADDRESS || !/^[\x21-\x7E]+$/.test(text)) return undefined;
  // Two slashes, or a backslash, which browsers treat the same, would lead to another site.
  if (/^\/(?!\/)[^\\]*$/.test(text)) return text;
  const url = URL.parse(text);
  return url?.protocol === 'https:' && url.username === '' ? text : undefined;
}

/** Return the address that a link to the contact leads to. */
export function contactLink(contact: string, baseUrl: string): string {
  if (isEmail(contact)) return `mailto:${contact}`;
  return contact.startsWith('/') ? `${baseUrl}${contact}` : contact;
}

// Without the signs that would add to the query of a mailto: address.
function isEmail(text: string): boolean {
  return looksLikeEmail(text) && !/[/?&%#]/.test(text);
}
