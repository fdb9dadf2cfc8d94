// Views of posts, as a write to storage.

/** A visitor's view of a post on a day. */
export interface View {
  postId: number;
  /** As in `siteDayOf`. */
  day: number;
  /** A digest, the same for all views of one visitor on one day. */
  visitor: string;
}

export interface ViewWrites {
  /** Counts each view of a published post once, in a step of its own. */
  countViews(views: readonly View[]): Promise<void>;
}
