// The elements of a WXR file, one at a time, with the line on which each begins. Only what is asked for is kept.

import { SaxesParser } from 'saxes';
import { DamagedFile } from './record.ts';

/** An element with the texts of those in it, by their names. Names are kept as WordPress writes them. */
export interface WxrElement {
  name: string;
  line: number;
  texts: ReadonlyMap<string, string>;
  /** The first of an item's categories. */
  category: string | undefined;
  /** The `wp:post_id` of the item around a comment. */
  postId: string | undefined;
}

/** A text that is longer is cut off here: it is refused for its length later. */
const MOST_TEXT_CHARACTERS = 2_000_000;

// An item is whole when the first comment begins: WordPress writes what belongs to the item before its comments.
const WHOLE = new Set(['wp:author', 'wp:category', 'item', 'wp:comment']);

/** Reads the elements that hold authors, categories, items and comments. */
export async function* wxrElements(chunks: AsyncIterable<Buffer>): AsyncGenerator<WxrElement> {
  const collector = collect();
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    // Pasted texts hold characters that no XML may hold; WordPress writes them all the same.
    collector.write(
      decoder.decode(chunk, { stream: true }).replaceAll(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu, ''),
    );
    yield* collector.taken();
  }
  collector.end();
  yield* collector.taken();
}

function collect() {
  const parser = new SaxesParser({ position: true });
  for (const [name, text] of Object.entries(HTML_ENTITIES)) parser.ENTITIES[name] = text;
  let finished: WxrElement[] = [];
  /** The elements that are open, outermost first. */
  const open: string[] = [];
  const frames: { name: string; line: number; texts: Map<string, string>; category: string | undefined }[] =
    [];
  let text = '';
  let isCategory = false;
  let postId: string | undefined;

  function finish(frame: (typeof frames)[number] | undefined): void {
    if (frame === undefined) return;
    if (frame.name === 'item') postId = frame.texts.get('wp:post_id');
    finished.push({ ...frame, postId: frame.name === 'wp:comment' ? postId : undefined });
  }

  parser.on('error', (error) => {
    throw new DamagedFile(`The file is not XML: ${error.message}`);
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'wp:comment' && frames[0]?.name === 'item') finish(frames.pop());
    if (WHOLE.has(name)) frames.push({ name, line: parser.line, texts: new Map(), category: undefined });
    open.push(name);
    text = '';
    isCategory = name === 'category' && attributes.domain === 'category';
  });
  const onText = (piece: string) => {
    if (text.length < MOST_TEXT_CHARACTERS) text += piece;
  };
  parser.on('text', onText);
  parser.on('cdata', onText);
  parser.on('closetag', ({ name }) => {
    open.pop();
    const frame = frames.at(-1);
    if (frame?.name === name && WHOLE.has(name)) finish(frames.pop());
    // A meta value within is nobody's text.
    else if (frame !== undefined && open.at(-1) === frame.name) {
      if (name !== 'category') frame.texts.set(name, text);
      else if (isCategory) frame.category ??= text;
    }
    text = '';
  });
  return {
    write: (piece: string) => parser.write(piece),
    end(): void {
      parser.close();
    },
    *taken(): Generator<WxrElement> {
      const ready = finished;
      finished = [];
      yield* ready;
    },
  };
}

// Those of HTML that are met in titles, outside of CDATA.
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
