// The elements of a WXR file, one at a time, with the line on which each begins.

import { SaxesParser } from 'saxes';
import { DamagedFile } from '../record.ts';

/** An element with the texts of its children by name. Names are written as in WordPress. */
export interface WxrElement {
  name: string;
  line: number;
  texts: ReadonlyMap<string, string>;
  /** The first of an item's categories. */
  category: string | undefined;
  /** An item's tags. */
  tags: readonly string[];
  /** For a comment, the `wp:post_id` of its item. */
  postId: string | undefined;
}

interface OpenRecord {
  name: string;
  line: number;
  texts: Map<string, string>;
  category: string | undefined;
  tags: string[];
}

/** A longer text is cut off here, and refused for its length later. */
const MOST_TEXT_CHARACTERS = 2_000_000;

const RECORDS = new Set(['wp:author', 'wp:category', 'item', 'wp:comment']);

// WordPress writes pasted control characters, which XML doesn't allow.
const NOT_XML = /(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu;

/** Read the authors, categories, items and comments of a file. Throws `DamagedFile`. */
export async function* wxrElements(chunks: AsyncIterable<Buffer>): AsyncGenerator<WxrElement> {
  const collector = new ElementCollector();
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    collector.write(decoder.decode(chunk, { stream: true }).replaceAll(NOT_XML, ''));
    yield* collector.takeFinished();
  }
  collector.end();
  yield* collector.takeFinished();
}

class ElementCollector {
  private readonly parser = new SaxesParser({ position: true, xmlns: false });
  private finished: WxrElement[] = [];
  /** The names of the open elements, outermost first. */
  private readonly open: string[] = [];
  private readonly records: OpenRecord[] = [];
  private text = '';
  /** The domain of an open `category`: `category` or `post_tag`, or that of a plugin. */
  private domain: string | undefined;
  private postId: string | undefined;

  constructor() {
    const { parser } = this;
    for (const [name, text] of Object.entries(HTML_ENTITIES)) parser.ENTITIES[name] = text;
    parser.on('error', (error) => {
      throw new DamagedFile(`The file is not XML: ${error.message}`);
    });
    parser.on('opentag', ({ name, attributes }) => {
      this.openTag(name, attributes.domain);
    });
    parser.on('text', (piece) => this.addText(piece));
    parser.on('cdata', (piece) => this.addText(piece));
    parser.on('closetag', ({ name }) => this.closeTag(name));
  }

  write(piece: string): void {
    this.parser.write(piece);
  }

  end(): void {
    this.parser.close();
  }

  /** Return the elements that were completed since the last call. */
  takeFinished(): WxrElement[] {
    const elements = this.finished;
    this.finished = [];
    return elements;
  }

  private openTag(name: string, domain: string | undefined): void {
    // WordPress writes an item's own elements before its comments, so the first comment completes the item.
    if (name === 'wp:comment' && this.records[0]?.name === 'item') this.finish(this.records.pop());
    if (RECORDS.has(name)) {
      this.records.push({ name, line: this.parser.line, texts: new Map(), category: undefined, tags: [] });
    }
    this.open.push(name);
    this.text = '';
    this.domain = name === 'category' ? domain : undefined;
  }

  private addText(piece: string): void {
    if (this.text.length < MOST_TEXT_CHARACTERS) this.text += piece;
  }

  private closeTag(name: string): void {
    this.open.pop();
    const record = this.records.at(-1);
    if (record?.name === name) this.finish(this.records.pop());
    // Deeper texts, such as meta values, belong to other elements.
    else if (record !== undefined && this.open.at(-1) === record.name) {
      if (name !== 'category') record.texts.set(name, this.text);
      else if (this.domain === 'category') record.category ??= this.text;
      else if (this.domain === 'post_tag') record.tags.push(this.text);
    }
    this.text = '';
  }

  private finish(record: OpenRecord | undefined): void {
    if (record === undefined) return;
    if (record.name === 'item') this.postId = record.texts.get('wp:post_id');
    this.finished.push({ ...record, postId: record.name === 'wp:comment' ? this.postId : undefined });
  }
}

// Titles use these entities of HTML outside of CDATA.
const HTML_ENTITIES = {
  nbsp: '\u00a0',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  copy: '©',
};
