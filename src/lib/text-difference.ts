// Where two texts differ, character by character.

/** A piece of a text. The other text lacks the characters of one that differs. */
export interface Piece {
  text: string;
  differs: boolean;
}

// More would take too long: the work grows with the square.
const MOST_COMPARED = 300;

/** Compare two texts. Where one lacks characters of the other, it has an empty piece that differs. */
export function compareTexts(a: string, b: string): [Piece[], Piece[]] {
  const [left, right] = [[...a].slice(0, MOST_COMPARED), [...b].slice(0, MOST_COMPARED)];
  const common = commonLengths(left, right);
  const [ofLeft, ofRight]: [Piece[], Piece[]] = [[], []];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    const isSame = i < left.length && left[i] === right[j];
    const takesLeft = isSame || j === right.length || (i < left.length && !keepsMore(common, i, j));
    const takesRight = isSame || !takesLeft;
    add(ofLeft, takesLeft ? left[i] : '', !isSame);
    add(ofRight, takesRight ? right[j] : '', !isSame);
    if (takesLeft) i += 1;
    if (takesRight) j += 1;
  }
  return [ofLeft, ofRight];
}

function add(pieces: Piece[], text = '', differs: boolean): void {
  const last = pieces.at(-1);
  if (last?.differs === differs) last.text += text;
  else pieces.push({ text, differs });
}

// Whether the texts have more in common without the right character than without the left one.
function keepsMore(common: readonly Uint16Array[], i: number, j: number): boolean {
  return (common[i]?.[j + 1] ?? 0) > (common[i + 1]?.[j] ?? 0);
}

// How many characters, in the same order, the rests of both texts from i and j on have in common.
function commonLengths(left: readonly string[], right: readonly string[]): Uint16Array[] {
  const lengths = Array.from({ length: left.length + 1 }, () => new Uint16Array(right.length + 1));
  for (let i = left.length - 1; i >= 0; i -= 1) {
    const [row, below] = [lengths[i] as Uint16Array, lengths[i + 1] as Uint16Array];
    for (let j = right.length - 1; j >= 0; j -= 1) {
      row[j] = left[i] === right[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return lengths;
}

// Texts that share less are two different things, and not one with a mistake.
const LEAST_SHARE = 0.5;

/** Return the text that is most like another one. Undefined if none is like it. */
export function mostAlike(text: string, others: readonly string[]): string | undefined {
  const [best] = ranked(text, others);
  return best !== undefined && best.share >= LEAST_SHARE ? best.other : undefined;
}

/** Sort texts by how much they are like another one, the most alike first. */
export function byLikeness(text: string, others: readonly string[]): string[] {
  return ranked(text, others).map(({ other }) => other);
}

function ranked(text: string, others: readonly string[]): { other: string; share: number }[] {
  const pairs = pairsOf(text);
  const shares = others.map((other) => ({ other, share: shareOf(pairs, pairsOf(other)) }));
  return shares.toSorted((a, b) => b.share - a.share);
}

// Of all pairs of neighbouring characters, the share that both texts have.
function shareOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return (2 * a.intersection(b).size) / Math.max(1, a.size + b.size);
}

function pairsOf(text: string): Set<string> {
  // A character has two units at most.
  const characters = [...text.slice(0, 2 * MOST_COMPARED)].slice(0, MOST_COMPARED);
  return new Set(characters.slice(1).map((character, index) => `${characters[index]}${character}`));
}
