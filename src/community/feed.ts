// Lists of published posts without an end. Each page starts below the last post of the page before, so the
// thousandth page costs no more than the first.

/** The end of a page: the value that the list is ordered by, and the post's number. */
export interface Place {
  at: number;
  id: number;
}

/** The place before the first post of a list. */
export const BEGINNING: Place = { at: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };
