// Where what came differs from what is registered or expected.

import { compareTexts, mostAlike, type Piece } from '../../../lib/text-difference.ts';

/** The text that is most like the one that came, and the pieces of both. */
export interface Comparison {
  alike: string;
  left: readonly Piece[];
  right: readonly Piece[];
}

/** `none`: no text is like the one that came. `later`: the page has enough comparisons. */
export type Compare = (
  came: string,
  expected: readonly string[],
  isWanted: boolean,
) => Comparison | 'none' | 'later';

// Each takes a millisecond. Strangers can send a hundred different texts; a developer's mistake is the same each time.
const MOST_ON_PAGE = 10;

/** Make the function that compares texts for one page: ten different ones, and those of the line that is wanted. */
export function comparisonsOfPage(): Compare {
  const known = new Map<string, Comparison | 'none'>();
  return (came, expected, isWanted) => {
    const key = JSON.stringify([came, ...expected]);
    const earlier = known.get(key);
    if (earlier !== undefined) return earlier;
    if (known.size >= MOST_ON_PAGE && !isWanted) return 'later';
    const comparison = compared(came, expected);
    known.set(key, comparison);
    return comparison;
  };
}

function compared(came: string, expected: readonly string[]): Comparison | 'none' {
  const alike = mostAlike(came, expected);
  if (alike === undefined) return 'none';
  const [left, right] = compareTexts(came, alike);
  return { alike, left, right };
}
