// The elements of the lists in a JSON document of any size, one at a time.

import { getManyValues, isMany } from 'stream-chain/core';
import { Assembler } from 'stream-json/core/assembler.js';
import { jsonParser, type Token } from 'stream-json/core/parser.js';
import { DamagedFile } from '../record.ts';

/** An element of `{"section": [ … ]}`. An element that is too long for memory has no value. */
export interface JsonElement {
  section: string;
  value: unknown;
  isTooLong: boolean;
}

/** Enough for a discussion of several thousand long posts. */
const MOST_ELEMENT_CHARACTERS = 64 * 1024 * 1024;

// The parser drops the whole piece that contains an error. With small pieces, few good elements are lost.
const PIECE_CHARACTERS = 16 * 1024;

// The nesting depth of an element: inside the document and inside a list.
const ELEMENT_DEPTH = 2;

/** Reads a document in chunks. Only elements of the wanted sections are held in memory, one at a time. */
export class JsonElementReader {
  private readonly parse = jsonParser({ streamValues: false });
  private readonly wantedSections: ReadonlySet<string>;
  private assembler = new Assembler();
  private section = '';
  private depth = 0;
  private isComplete = false;
  /** The characters in the current element. */
  private length = 0;
  /** The characters in the file so far. */
  private position = 0;
  /** The characters since the last token: the length so far of a text that continues. */
  private unfinishedLength = 0;

  constructor(wantedSections: Iterable<string>) {
    this.wantedSections = new Set(wantedSections);
  }

  /** Read the next chunk, and return the elements that end in it. Throws `DamagedFile`. */
  *read(chunk: string): Generator<JsonElement> {
    for (let from = 0; from < chunk.length; from += PIECE_CHARACTERS) {
      for (const token of this.tokensIn(chunk.slice(from, from + PIECE_CHARACTERS))) {
        const element = this.accept(token);
        if (element !== undefined) yield element;
      }
    }
  }

  /** Check that the document is complete. Throws `DamagedFile`. */
  end(): void {
    if (!this.isComplete) throw new DamagedFile('The file ends in the middle of its JSON document.');
  }

  private tokensIn(piece: string): Token[] {
    this.position += piece.length;
    const tokens = this.parsePiece(piece);
    this.unfinishedLength = tokens.length > 0 ? 0 : this.unfinishedLength + piece.length;
    if (this.unfinishedLength <= MOST_ELEMENT_CHARACTERS) return tokens;
    throw new DamagedFile(`The file has a text that is too long, near character ${this.position}.`);
  }

  private parsePiece(piece: string): Token[] {
    try {
      const tokens = this.parse(piece);
      return isMany(tokens) ? getManyValues(tokens) : [];
    } catch (error) {
      const reason = (error as Error).message.replace('Parser cannot parse input: ', '');
      throw new DamagedFile(`The file isn't valid JSON near character ${this.position}: ${reason}.`);
    }
  }

  /** Follow the nesting, and return the element that the token completes. */
  private accept(token: Token): JsonElement | undefined {
    if (token.name === 'endObject' || token.name === 'endArray') this.depth -= 1;
    const { depth } = this;
    const begins = token.name === 'startObject' || token.name === 'startArray';
    if (begins) this.depth += 1;
    this.isComplete = this.depth === 0;
    if (depth === 1 && token.name === 'keyValue') this.section = token.value;
    if (depth < ELEMENT_DEPTH || !this.wantedSections.has(this.section)) return undefined;
    this.collect(token);
    return depth > ELEMENT_DEPTH || begins || token.name === 'keyValue' ? undefined : this.finishElement();
  }

  private collect(token: Token): void {
    this.length += 'value' in token ? String(token.value).length : 1;
    if (this.length <= MOST_ELEMENT_CHARACTERS) this.assembler.consume(token);
    else this.assembler.dropToLevel(0);
  }

  private finishElement(): JsonElement {
    const { section, assembler, length } = this;
    this.assembler = new Assembler();
    this.length = 0;
    const isTooLong = length > MOST_ELEMENT_CHARACTERS;
    return { section, value: isTooLong ? undefined : assembler.current, isTooLong };
  }
}
