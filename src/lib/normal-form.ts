// The normal forms of Unicode, in linear time.

// Normalizing sorts each row of combining marks, which takes quadratic time. The two halfwidth marks are no
// combining ones, but become such. No word of any language has a row of this length.
const LONG_ROW = /([\p{M}\uFF9E\uFF9F]{64})[\p{M}\uFF9E\uFF9F]+/gu;

/** Bring a text into a normal form. Of a longer row of combining marks only the first 64 stay. */
export function normalForm(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  return text.replace(LONG_ROW, '$1').normalize(form);
}
