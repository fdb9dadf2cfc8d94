// Credentials with small faults.

/** Return copies of a text that are cut short, extended, and in the other case. */
export function damagedCopies(text: string): string[] {
  const flipped = [...text].map((letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  return [
    text.slice(1),
    text.slice(0, -1),
    text.slice(6),
    text.slice(0, -6),
    `${text}a`,
    `a${text}`,
    flipped.join(''),
  ];
}
