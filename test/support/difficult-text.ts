// Text that is easily damaged on its way.

/** A text with everything that could get lost between two databases. */
export const DIFFICULT_TEXT = `quotes ' " \\ {braces}, NULL \\x00 \r\n\t 早上好 𝄞 \u{10FFFF} \u0001`;
