// SQL as text: a statement is written once for both databases, with named values that each use supplies.

export type Dialect = 'sqlite' | 'postgres';

/** A statement with its values. `R` is the row that it returns. NULL is `undefined` in values and rows. */
export interface Bound<R> {
  statement: Sql;
  values: Readonly<Record<string, unknown>>;
  readonly rowType?: R;
  /** Whether its rows are security events, which the outcome of the transaction lists. */
  readonly isEvent?: boolean;
  /** Statements that run after it, as part of the `events` or of the `otherwise` of a transaction. */
  readonly followedBy?: readonly Bound<unknown>[];
}

/** A statement that takes the values `P` and returns rows `R`. */
export interface Statement<P, R> {
  (values: P): Bound<R>;
  readonly statement: Sql;
}

/** A piece of SQL for use in statements. */
export class Fragment {
  /** The text, with values written as `:name`. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A statement's text, and the names of its values in the order of their places. */
export class Sql {
  private static count = 0;
  /** Stable for the process: a server prepares the statement under it. */
  readonly name = `q${Sql.count++}`;
  readonly names: readonly string[];
  readonly returnsRows: boolean;
  /** The text as it was written, with values as `:name`. */
  readonly source: string;
  private readonly texts: Record<Dialect, string>;
  private readonly limitNames: readonly string[];
  private readonly limited = new Map<string, Sql>();

  constructor(source: string) {
    this.source = source;
    this.names = [...source.matchAll(VALUE)].map(([, name = '']) => name);
    this.limitNames = [...source.matchAll(LIMIT)].map(([, name = '']) => name);
    this.returnsRows = /^\s*select\b|\breturning\b/i.test(source) || isQueryWithParts(source);
    let place = 0;
    this.texts = {
      sqlite: source.replace(VALUE, '?'),
      postgres: source.replace(VALUE, () => `$${++place}`),
    };
  }

  text(dialect: Dialect): string {
    return this.texts[dialect];
  }

  /** The text with what `write` returns in the place of each value. */
  textWith(write: () => string): string {
    return this.source.replace(VALUE, write);
  }

  /**
   * The same statement with its LIMITs in the text, for a server that plans it for all values: it must know how few
   * rows it needs, or it may read whole tables. The server keeps each statement for as long as its connection, so only
   * the first limits get one: there are few, such as the sizes of pages.
   */
  withLimits(values: Readonly<Record<string, unknown>>): Sql {
    const limits = this.limitNames.map((name) => values[name]);
    if (limits.length === 0 || !limits.every(Number.isSafeInteger)) return this;
    const key = limits.join();
    let limited = this.limited.get(key);
    if (limited === undefined) {
      if (this.limited.size >= MOST_LIMITS) return this;
      limited = new Sql(this.source.replace(LIMIT, (_, name: string) => `LIMIT ${values[name]}`));
      this.limited.set(key, limited);
    }
    return limited;
  }

  parameters(values: Readonly<Record<string, unknown>>): unknown[] {
    return this.names.map((name) => values[name] ?? null);
  }
}

const LIMIT = /\bLIMIT cast\(:(\w+) AS bigint\)/g;
const MOST_LIMITS = 60;

// What follows the parts can be a change, too.
function isQueryWithParts(source: string): boolean {
  return /^\s*with\b/i.test(source) && !/\)\s*(?:insert|update|delete)\b/i.test(source);
}

// PostgreSQL's cast (`::text`) is not a value.
const VALUE = /(?<![:\w]):([a-zA-Z]\w*)/g;

/** Every statement, so that a test can prepare them all. */
export const statements: Statement<never, unknown>[] = [];

/**
 * Write a statement. `P` are its values, `R` is the row that it returns. A test checks both.
 *
 *     const selectGrant = sql<{ userId: number }, GrantRow>`SELECT … FROM grants WHERE user_id = :userId`;
 *     await database.first(selectGrant({ userId: 7 }));
 *
 * Only fragments can be put into the text, so no string can become SQL. Write the constants of a partial
 * index into the text, since a planner doesn't know bound values. Write `LIMIT cast(:limit AS bigint)`, since
 * with a bare `:limit` SQLite plans the statement at each use: ten times the work of reading a few rows.
 */
export function sql<P = void, R = never>(
  texts: TemplateStringsArray,
  ...fragments: readonly Fragment[]
): Statement<P, R> {
  const statement = new Sql(joined(texts, fragments));
  const bind = (values: P) => ({ statement, values: (values ?? {}) as Record<string, unknown> });
  const callable: Statement<P, R> = Object.assign(bind, { statement });
  statements.push(callable as Statement<never, unknown>);
  return callable;
}

/** Write a piece of SQL for several statements. Each statement supplies the values in it. */
export function fragment(texts: TemplateStringsArray, ...fragments: readonly Fragment[]): Fragment {
  return new Fragment(joined(texts, fragments));
}

function joined(texts: TemplateStringsArray, fragments: readonly Fragment[]): string {
  return texts.reduce((text, next, index) => {
    const piece = fragments[index - 1];
    if (!(piece instanceof Fragment)) throw new TypeError('Only fragments can be put into SQL.');
    return text + piece.text + next;
  });
}
