// Guessing what was meant by a mistyped word.

/** The candidate that differs least from the word; undefined if none is near. */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  // A third of the word may be wrong: beyond it a guess confuses more than it helps.
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

/** How many letters must be added, left out or replaced to make one word of the other (Levenshtein). */
function distanceBetween(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...a].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...b].entries()) {
      const replaced = (previous[column] ?? 0) + (letter === other ? 0 : 1);
      const shifted = 1 + Math.min(previous[column + 1] ?? 0, current[column] ?? 0);
      current.push(Math.min(replaced, shifted));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
