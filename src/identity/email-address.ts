// E-mail addresses: what can be one, and when two are the same.

// RFC 5321 §4.5.3.1.3, without the brackets around it.
const MOST_CHARACTERS = 254;

/**
 * Only a mail that arrives proves an address; this catches typing errors, and what a header would take apart. The
 * length goes first: the pattern takes time by its square.
 */
export function looksLikeEmail(text: string): boolean {
  return (
    text.length <= MOST_CHARACTERS &&
    /^[^\s\p{Cc}@<>()[\]\\,;:"]{1,64}@[^\s\p{Cc}@<>()[\]\\,;:"]+\.[^\s\p{Cc}@<>()[\]\\,;:"]+$/u.test(text)
  );
}

/** Two addresses with the same key are the same address. */
export function emailKeyOf(email: string): string {
  return email.normalize('NFKC').toLowerCase();
}
