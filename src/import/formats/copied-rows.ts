// The rows in a dump of PostgreSQL: the lines between `COPY … FROM stdin;` and `\.` (PostgreSQL's manual, "COPY",
// "Text Format").

/** A row of a table, with the wanted columns by name. A column that the table lacks is null. */
export interface CopiedRow {
  table: string;
  values: Record<string, string | null>;
}

const LINE_FEED = 10;
// A post with the mail that it came from can be long. Nothing else is.
const MOST_ROW_BYTES = 64 * 1024 * 1024;

/** Reads a dump in chunks. Only rows of the wanted tables are decoded. */
export class CopiedRowReader {
  /** Every table of the dump. */
  readonly tables = new Map<string, readonly string[]>();
  /** How many rows were too long to read. */
  tooLong = 0;
  private readonly wanted: Readonly<Record<string, readonly string[]>>;
  private parts: Buffer[] = [];
  private length = 0;
  private isInRows = false;
  /** The table of the rows, and the places of the wanted columns in them. Undefined: the rows are skipped. */
  private current: { table: string; places: [name: string, place: number][] } | undefined;

  constructor(wanted: Readonly<Record<string, readonly string[]>>) {
    this.wanted = wanted;
  }

  *read(chunk: Buffer): Generator<CopiedRow> {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      const row = this.accept(this.lineEndingWith(chunk.subarray(from, end)));
      from = end + 1;
      if (row !== undefined) yield row;
    }
    this.collect(chunk.subarray(from));
  }

  private collect(part: Buffer): void {
    this.length += part.length;
    if (this.length <= MOST_ROW_BYTES) this.parts.push(part);
    else this.parts = [];
  }

  /** The line, or undefined if it is too long. */
  private lineEndingWith(part: Buffer): Buffer | undefined {
    if (this.length === 0) return part;
    this.collect(part);
    const line = this.length > MOST_ROW_BYTES ? undefined : Buffer.concat(this.parts);
    this.parts = [];
    this.length = 0;
    return line;
  }

  private accept(line: Buffer | undefined): CopiedRow | undefined {
    if (!this.isInRows) {
      if (line !== undefined && isCopy(line)) this.begin(line.toString('utf8'));
    } else if (line !== undefined && isEnd(line)) {
      this.isInRows = false;
    } else if (this.current !== undefined) {
      if (line === undefined) this.tooLong += 1;
      else return rowFrom(this.current, line.toString('utf8'));
    }
    return undefined;
  }

  private begin(line: string): void {
    const [, table, list] = /^COPY (?:[\w"]+\.)?"?(\w+)"? \((.*)\) FROM stdin;\r?$/.exec(line) ?? [];
    if (table === undefined || list === undefined) return;
    const columns = list.split(', ').map((name) => name.replace(/^"(.*)"$/, '$1'));
    this.tables.set(table, columns);
    this.isInRows = true;
    const places = this.wanted[table]?.map((name): [string, number] => [name, columns.indexOf(name)]);
    this.current = places && { table, places };
  }
}

const COPY = Buffer.from('COPY ');

function isCopy(line: Buffer): boolean {
  return line.subarray(0, COPY.length).equals(COPY);
}

function isEnd(line: Buffer): boolean {
  return line[0] === 92 && line[1] === 46 && line.length === 2;
}

function rowFrom(
  { table, places }: { table: string; places: readonly [string, number][] },
  line: string,
): CopiedRow {
  const fields = line.split('\t');
  const values: CopiedRow['values'] = {};
  for (const [name, place] of places) {
    const field = fields[place];
    values[name] = field === undefined || field === '\\N' ? null : unescaped(field);
  }
  return { table, values };
}

function unescaped(field: string): string {
  if (!field.includes('\\')) return field;
  return field.replaceAll(/\\([\s\S])/g, (_, sign: string) => CONTROLS[sign] ?? sign);
}

const CONTROLS: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };
