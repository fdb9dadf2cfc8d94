// What posts are put together from. `{thing}` in a sentence stands for one of the words with that name.

export interface Subject {
  category: string;
  words: Record<string, readonly string[]>;
  titles: readonly string[];
  /** Sentences that open a post, continue it and close it. */
  first: readonly string[];
  middle: readonly string[];
  last: readonly string[];
  /** Lines of a list. */
  items: readonly string[];
  /** Markdown that stands by itself, such as a table or some code. */
  pieces?: readonly string[];
}

export interface Language {
  subjects: readonly Subject[];
  headings: readonly string[];
  comments: readonly string[];
  replies: readonly string[];
  bios: readonly string[];
  /** Between sentences. */
  space: string;
}
