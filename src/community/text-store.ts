// The HTML of posts and comments, as it is stored with their texts.

import type { TextFacts } from './text-facts.ts';

/** HTML that was rendered from a text. */
export interface Rendering {
  html: string;
  /** The version of the renderer that made it. */
  htmlVersion: number;
}

/** A rendering of a stored text. Of a post that can be read as Markdown, with its facts. */
export type RenewedText = Rendering & Partial<TextFacts> & { picture?: string | undefined };

/** The rendering of a new text, which is left out if the text is to be rendered later. */
export interface NewRendering {
  html?: string | undefined;
  htmlVersion?: number | undefined;
}

/** A rendering in storage. A text that was imported, or written by an older program, has none at first. */
export interface StoredRendering {
  html: string | undefined;
  /** 0 if there is none. */
  htmlVersion: number;
}

/** A text whose HTML is to be renewed. */
export interface TextToRender {
  kind: 'post' | 'comment';
  id: number;
  /** Markdown. */
  body: string;
}

export interface TextReads {
  /** Posts and comments whose HTML is older than this version, at most `limit` of each. */
  textsToRender(version: number, limit: number): Promise<TextToRender[]>;
}

export interface TextWrites {
  /**
   * Stores the HTML of a text, its facts, and the path of the first picture of a post, unless the text was changed or
   * rendered since it was read.
   */
  storeHtml(text: TextToRender, renewed: RenewedText): Promise<void>;
}
