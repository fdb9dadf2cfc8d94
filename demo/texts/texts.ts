// What texts are made of. `{thing}` and the like stand for one of the words of that name.

export interface Subject {
  category: string;
  words: Record<string, readonly string[]>;
  titles: readonly string[];
  /** Sentences that begin a text, that go on, and that end it. */
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
