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
