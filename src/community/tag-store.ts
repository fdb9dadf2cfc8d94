// Tags, as reads from storage, and what operators change about them. The writes of posts store them.

import type { Doer } from '../audit/doer.ts';
import type { Timestamp } from '../lib/clock.ts';
import type { Cursor } from './feed.ts';
import type { PopularPost } from './feed-store.ts';
import type { PostLanguage } from './post-language.ts';
import type { PostSummary } from './post-store.ts';

export interface Tag {
  id: number;
  /** In the form of `tag.ts`. */
  name: string;
  /** How many published posts have it. */
  postCount: number;
  /** Since when nobody sees it. */
  hiddenAt: Timestamp | undefined;
}

/** A name that posts have and that no page shows. */
export interface ChangedTag {
  name: string;
  /** The present name of the tag. Undefined if it is hidden. */
  shownAs: string | undefined;
}

export interface TagChangeReads {
  /** The hidden tags, and the names that other tags had before they were renamed or merged, in no order. */
  changedTags(limit: number): Promise<ChangedTag[]>;
}

export interface TagReads extends TagChangeReads {
  /** A tag that a published post has, or had, by its name or an earlier one. It may be hidden. */
  findTag(name: string): Promise<Tag | undefined>;
  /** The tags whose names begin with a text, in their order, hidden ones among them. */
  tagsBeginning(text: string, limit: number): Promise<Tag[]>;
  /** The tags that published posts have and that are not hidden, the most used first. */
  mostUsedTags(limit: number): Promise<Tag[]>;
  /** The names of the tags whose ids are in this range, both ends included, of those in `mostUsedTags`. */
  tagNamesBetween(firstId: number, lastId: number): Promise<string[]>;
  /** The highest id of a tag; 0 if there is none. */
  lastTagId(): Promise<number>;
  /** Published posts with a tag after a cursor, newest first. Without a language: in all. */
  postsWithTag(tagId: number, after: Cursor, limit: number, language?: PostLanguage): Promise<PostSummary[]>;
  /** The same, most popular first. */
  popularWithTag(
    tagId: number,
    after: Cursor,
    limit: number,
    language?: PostLanguage,
  ): Promise<PopularPost[]>;
}

export interface TagWrites {
  /**
   * Renames a tag. Its name becomes an earlier one, which leads to it. `hadName`: the new name is such a name now.
   * Returns false if the tag was renamed or merged meanwhile, or another has the name.
   */
  renameTag(by: Doer, tag: Tag, name: string, hadName: boolean): Promise<boolean>;
  /**
   * Merges a tag into another. Its posts and followers move to the other one in steps, the first of them at once.
   * Returns false if one of them was merged meanwhile.
   */
  mergeTag(by: Doer, tag: Tag, into: Tag): Promise<boolean>;
  /** Returns false if the tag is hidden. */
  hideTag(by: Doer, tag: Tag): Promise<boolean>;
  /** Returns false if the tag isn't hidden. */
  showTag(by: Doer, tag: Tag): Promise<boolean>;
}
