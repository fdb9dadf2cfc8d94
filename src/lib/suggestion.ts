// Suggestions for mistyped words.

/** The candidate that is most like the word. Undefined if no candidate is similar. */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  // If more than a third of the word is wrong, a guess confuses more than it helps.
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = candidate.startsWith(word) ? 1 : distanceBetween(word, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/** The number of letters to add, remove or replace between two words (Levenshtein). */
export function distanceBetween(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...a].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...b].entries()) {
      const replacement = (previous[column] ?? 0) + (letter === other ? 0 : 1);
      const gap = 1 + Math.min(previous[column + 1] ?? 0, current[column] ?? 0);
      current.push(Math.min(replacement, gap));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
