// Email addresses: what looks like one, and when two are the same.

import { normalForm } from '../lib/normal-form.ts';

// RFC 5321 §4.5.3.1.3, without the angle brackets.
const MOST_CHARACTERS = 254;

// Spaces, signs that can't be seen, and those that a mail header gives a meaning.
const NOT_IN_ADDRESSES = String.raw`\s\p{Cc}\p{Cf}@<>()[\]\\,;:"`;
const ADDRESS = new RegExp(
  `^[^${NOT_IN_ADDRESSES}]{1,64}@[^${NOT_IN_ADDRESSES}]+\\.[^${NOT_IN_ADDRESSES}.]+$`,
  'u',
);

/**
 * Catch typing errors, and characters that would break a mail header or can't be seen. Only a mail that arrives
 * proves an address. The length is checked first, since the pattern takes quadratic time.
 */
export function looksLikeEmail(text: string): boolean {
  return text.length <= MOST_CHARACTERS && ADDRESS.test(text);
}

/** Shorten an address for operators, who see enough to recognise a typing error in its domain. */
export function shortenedEmail(email: string): string {
  return `${[...email][0] ?? ''}…${email.slice(email.lastIndexOf('@'))}`;
}

/** Two addresses with the same key are the same address. */
export function emailKeyOf(email: string): string {
  return normalForm(email, 'NFKC').toLowerCase();
}
