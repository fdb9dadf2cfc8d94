// Percent-encoded texts.

/** Report whether all escapes of a text are well-formed, and encode UTF-8 (RFC 3986 §2.1). */
export function isEncodedUtf8(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Report whether more than `most` of the texts have malformed escapes. Decoding throws for each of them, which takes as
 * long as hundreds of others.
 */
export function areMoreMalformed(texts: readonly string[], most: number): boolean {
  let count = 0;
  for (const text of texts) {
    if (text.includes('%') && !isEncodedUtf8(text)) count += 1;
    if (count > most) return true;
  }
  return false;
}
