// A JSON document that is too large to be held: the elements of the lists at its top, one at a time.

/** An element of `{"section": [ … ]}`; without its text if it is too long to be held. */
export interface JsonElement {
  section: string;
  text: string | undefined;
}

/** A discussion of several thousand long contributions. */
const MOST_ELEMENT_CHARACTERS = 64 * 1024 * 1024;

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const OPENING = new Set([123, 91]);
const CLOSING = new Set([125, 93]);
// Depths: 1 in the document, 2 in one of its lists, 3 in an element.
const IN_LIST = 2;

/** Cuts a document into the elements of the lists that are wanted. Only how it nests is looked at. */
export class JsonCutter {
  private readonly wanted: ReadonlySet<string>;
  private depth = 0;
  private inString = false;
  private isEscaped = false;
  /** The last string at the top of the document: the name of what follows it. */
  private section = '';
  private parts: string[] = [];
  private length = 0;
  private opened = false;

  constructor(wanted: ReadonlySet<string>) {
    this.wanted = wanted;
  }

  /** Whether a whole document was read. */
  get isComplete(): boolean {
    return this.opened && this.depth === 0 && !this.inString;
  }

  /** The elements that end in this piece of the document. */
  *cut(piece: string): Generator<JsonElement> {
    // Where what is being kept begins in this piece.
    let from = 0;
    for (let at = 0; at < piece.length; at += 1) {
      const code = piece.charCodeAt(at);
      if (this.inString) {
        if (this.isEscaped) this.isEscaped = false;
        else if (code === BACKSLASH) this.isEscaped = true;
        else if (code === QUOTE) {
          this.inString = false;
          if (this.depth === 1) this.nameSection(piece.slice(from, at));
        }
      } else if (code === QUOTE) {
        this.inString = true;
        if (this.depth === 1) {
          this.forget();
          from = at + 1;
        }
      } else if (OPENING.has(code)) {
        this.opened = true;
        this.depth += 1;
        if (this.depth === IN_LIST) {
          this.forget();
          from = at + 1;
        }
      } else if (CLOSING.has(code)) {
        if (this.depth === IN_LIST) yield* this.finish(piece.slice(from, at));
        this.depth -= 1;
      } else if (code === COMMA && this.depth === IN_LIST) {
        yield* this.finish(piece.slice(from, at));
        from = at + 1;
      }
    }
    if (this.depth >= IN_LIST ? this.wanted.has(this.section) : this.depth === 1 && this.inString) {
      this.keep(piece.slice(from));
    }
  }

  private nameSection(end: string): void {
    this.keep(end);
    this.section = this.parts.join('');
    this.forget();
  }

  private *finish(end: string): Generator<JsonElement> {
    this.keep(end);
    const isTooLong = this.length > MOST_ELEMENT_CHARACTERS;
    const text = this.parts.join('');
    this.forget();
    if (!this.wanted.has(this.section)) return;
    if (isTooLong) yield { section: this.section, text: undefined };
    else if (text.trim() !== '') yield { section: this.section, text };
  }

  private keep(part: string): void {
    this.length += part.length;
    if (this.length <= MOST_ELEMENT_CHARACTERS) this.parts.push(part);
    else this.parts = [];
  }

  private forget(): void {
    this.parts = [];
    this.length = 0;
  }
}
