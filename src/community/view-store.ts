// What the counting of views asks of storage.

/** That somebody looked at a post on a day. `visitor` tells the same one again on that day, and nothing else. */
export interface View {
  postId: number;
  /** As in `siteDayOf`. */
  day: number;
  visitor: string;
}

export interface ViewStore {
  /** Counts each view of a published post once, in a step of its own. */
  countViews(views: readonly View[]): Promise<void>;
}
