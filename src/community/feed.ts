// Endless lists of published posts. Each page starts after the last post of the page before, so the
// thousandth page costs no more than the first.

/** A position in a list: the last post's sort value (such as its time of publication) and its id. */
export interface Cursor {
  at: number;
  id: number;
}

/** The cursor before the first post of a list. */
export const BEGINNING: Cursor = { at: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };
