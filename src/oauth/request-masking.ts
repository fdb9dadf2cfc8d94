// What may be shown of a request to the application's developer: never a secret, whatever parameter it came in.

import { byLikeness } from '../lib/text-difference.ts';
import type { BrokenRule } from './request-rules.ts';

const MOST_CHARACTERS = 300;
// A credential of any brand, also one that was cut short, and a signed token.
const CREDENTIALS = [/[a-z][a-z0-9]{1,11}[orpcs]_[A-Za-z0-9]{16,}/g, /\beyJ[\w-]{8,}(?:\.[\w-]*)*/g];
// Other random texts, such as session ids.
const LONG_RUN = /[A-Za-z0-9_~+-]{32,}/g;

// An application can have 20 addresses of 2,048 characters, and each line would have them all.
const MOST_EXPECTED = 3;

/** Mask what came, and shorten all texts. Values that are registered are kept, those most like what came. */
export function masked(broken: BrokenRule): BrokenRule {
  const { came, expected } = broken;
  const alike = expected && expected.length > MOST_EXPECTED ? byLikeness(came ?? '', expected) : expected;
  const few = alike?.slice(0, MOST_EXPECTED);
  const kept = few && { expected: few.map(cut) };
  return { ...broken, ...kept, ...(came !== undefined && { came: maskedText(broken, came, few) }) };
}

function maskedText(broken: BrokenRule, came: string, expected: readonly string[] = []): string {
  const registered = new Set(expected.flatMap((text) => [...text.matchAll(LONG_RUN)].map(([run]) => run)));
  let text = came.slice(0, 4 * MOST_CHARACTERS).replaceAll(CONTROL, '?');
  if (broken.rule.includes('redirect_uri')) text = withoutValues(text, expected);
  for (const pattern of CREDENTIALS) text = text.replaceAll(pattern, shortened);
  text = text.replaceAll(LONG_RUN, (run) => (registered.has(run) ? run : shortened(run)));
  return cut(text);
}

function cut(text: string): string {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}...` : text;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it replaces them
const CONTROL = /[\u0000-\u001F\u007F\u2028\u2029\u202A-\u202E\u2066-\u2069]/g;

const MASK = '***';

function shortened(text: string): string {
  return `${text.slice(0, 4)}${MASK}`;
}

// The query and the fragment of an address can carry anything, and so can the part before an @.
function withoutValues(address: string, expected: readonly string[]): string {
  const [, place = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(address) ?? [];
  const host = place.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, `$1${MASK}@`);
  const registered = new Set(expected.flatMap((uri) => uri.split(/[?&#]/).slice(1)));
  const parameters = rest.replaceAll(/([?&#][^=&#]{0,40})=([^&#]*)/g, (parameter, name, value) =>
    value === '' || registered.has(parameter.slice(1)) ? parameter : `${name}=${MASK}`,
  );
  return host + parameters;
}
