// A community with rows in every table, and functions that read all rows of a database for comparison.

import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import pg from 'pg';
import { byMember, byServer } from '../../src/audit/doer.ts';
import type { Portico } from '../../src/compose.ts';
import { startSession } from '../../src/identity/session.ts';
import { HOUR } from '../../src/lib/clock.ts';
import { setClientLogo } from '../../src/oauth/client-logo.ts';
import { renewLooks } from '../../src/oauth/client-looks.ts';
import { reportClient } from '../../src/oauth/client-report.ts';
import { setEventEndpoint } from '../../src/oauth/event-endpoint.ts';
import { pauseOwnConsent, resumeOwnConsent } from '../../src/oauth/pause.ts';
import { openPostgres } from '../../src/storage/engine/postgres.ts';
import type { TestScope } from './databases.ts';
import { DIFFICULT_TEXT } from './difficult-text.ts';
import { COMMUNITY_ROWS } from './moving-rows.ts';
import { notebook, type Person, person, pocket, publish, type RegisteredClient } from './people.ts';
import { addPersonalToken, addRequestLine, addSignIn } from './seeding.ts';

export interface FullCommunity {
  alice: Person;
  bob: Person;
  client: RegisteredClient;
  signIn: { access: string; refresh: string };
  personalToken: string;
  /** The cookie of alice's browser. */
  session: string;
}

/** Fill the tables of accounts and tokens in a fresh community. */
export async function fillAccounts(portico: Portico): Promise<FullCommunity> {
  await portico.prepare();
  const { identity } = portico;
  const [alice, bob] = [await person(portico, 'alice'), await person(portico, 'bob')];
  const client = await notebook(portico, { ownerId: bob.id });
  await pocket(portico);
  await renewLooks(portico.oauth);
  const text = { reason: 'other', note: 'Not mine.' };
  await reportClient(byMember(alice, portico.clock), portico.oauth, identity, client.id, text);
  // Directly through the store, since the rules for bios would refuse this text.
  await identity.writes.setBio(byMember(alice, portico.clock), DIFFICULT_TEXT);
  await publish(portico, bob, 'On arches');
  await identity.writes.countAttempt('bob from 127.0.0.1', 10, portico.clock(), portico.clock() + HOUR);
  const signIn = await addSignIn(portico, client, alice.id);
  await addEvents(portico, alice, client);
  const logo = { digest: 'a0', image: new Uint8Array([0, 127, 255]) };
  await setClientLogo(byServer(portico.clock), portico.oauth, client.id, logo, true);
  await addRequestLine(portico, client, DIFFICULT_TEXT);
  return {
    alice,
    bob,
    client,
    signIn,
    personalToken: (await addPersonalToken(portico, alice.id)).text,
    session: await startSession(identity, alice.id, { method: 'password', address: '192.0.2.7' }),
  };
}

// A webhook, with two events that wait.
async function addEvents({ oauth, clock }: Portico, alice: Person, client: RegisteredClient): Promise<void> {
  await setEventEndpoint(byServer(clock), oauth, client.id, 'webhook', 'https://notebook.example/events');
  await pauseOwnConsent(byMember(alice, clock), oauth, client.id);
  await resumeOwnConsent(byMember(alice, clock), oauth, client.id);
}

/** Fill all other tables. Needs the rows that `fillAccounts` adds. */
export function fillOtherTables(path: string): void {
  inFile(path, (file) => {
    file.exec('PRAGMA busy_timeout = 5000; PRAGMA foreign_keys = ON');
    for (const row of COMMUNITY_ROWS) {
      const columns = Object.keys(row.columns);
      const places = columns.map(() => '?').join(', ');
      file
        .prepare(`INSERT OR IGNORE INTO ${row.table} (${columns.join(', ')}) VALUES (${places})`)
        .run(...Object.values(row.columns));
    }
  });
}

/** The rows of each table, by the table's name. */
export type Contents = Record<string, Record<string, unknown>[]>;

// Tables that are not copied, since each database has its own.
const OWN = ['migrations', 'changes', 'database_move'];

export function contentsOfFile(path: string): Contents {
  return inFile(path, (file) => {
    const tables = file.prepare(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT GLOB 'sqlite_*'",
    );
    return contents(
      tables.all().map(({ name }) => String(name)),
      (table) => file.prepare(`SELECT * FROM ${table}`).all(),
    );
  });
}

export async function contentsOfPostgres(url: string): Promise<Contents> {
  return inPostgres(url, async (client) => {
    const tables = await client.query(
      // Generated columns are left out, because only PostgreSQL has them.
      `SELECT relname, string_agg(quote_ident(attname), ', ') AS columns
       FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
       WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
         AND attnum > 0 AND NOT attisdropped AND attgenerated = '' GROUP BY relname`,
    );
    const rows = new Map<string, Record<string, unknown>[]>();
    for (const { relname, columns } of tables.rows)
      rows.set(relname, (await client.query(`SELECT ${columns} FROM ${relname}`)).rows);
    return contents([...rows.keys()], (table) => rows.get(table) ?? []);
  });
}

function contents(tables: string[], rowsOf: (table: string) => Record<string, unknown>[]): Contents {
  const tablesInBoth = tables.filter((table) => !OWN.includes(table)).toSorted();
  return Object.fromEntries(tablesInBoth.map((table) => [table, rowsOf(table).map(plain).toSorted(byText)]));
}

// 64-bit numbers arrive from PostgreSQL as text.
function plain(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => [
        name,
        value instanceof Uint8Array
          ? Buffer.from(value).toString('hex')
          : typeof value === 'number'
            ? String(value)
            : value,
      ]),
  );
}

function byText(a: object, b: object): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}

/** Change a file by SQL, as an operator with an SQL shell could. */
export function change(path: string, sql: string, ...values: SQLInputValue[]): void {
  inFile(path, (file) => {
    file.exec('PRAGMA busy_timeout = 5000; PRAGMA foreign_keys = ON');
    file.prepare(sql).run(...values);
  });
}

function inFile<T>(path: string, work: (file: DatabaseSync) => T): T {
  const file = new DatabaseSync(path);
  try {
    return work(file);
  } finally {
    file.close();
  }
}

export async function inPostgres<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Make the target block the insertion of the post with this id until `release`. `waiting` resolves when an insertion
 * is blocked.
 */
export async function stopAtPost(
  url: string,
  id: number,
  scope: TestScope,
): Promise<{ waiting(): Promise<void>; release(): Promise<void> }> {
  const client = new pg.Client({ connectionString: url });
  // It may still be connected when the database is dropped.
  client.on('error', () => {});
  scope.after(() => client.end().catch(() => {}));
  await client.connect();
  await client.query('SELECT pg_advisory_lock(4711)');
  await client.query(
    `CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
       'BEGIN PERFORM pg_advisory_xact_lock(4711); RETURN NEW; END'`,
  );
  await client.query(
    `CREATE TRIGGER stop BEFORE INSERT ON posts FOR EACH ROW WHEN (NEW.id = ${id}) EXECUTE FUNCTION wait()`,
  );
  return {
    async waiting() {
      for (let waiters = 0; waiters === 0; ) {
        const { rows } = await client.query(
          "SELECT count(*)::int AS waiters FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'",
        );
        waiters = rows[0].waiters;
      }
    },
    async release() {
      await client.query('SELECT pg_advisory_unlock(4711)');
      await client.query('DROP FUNCTION wait CASCADE');
    },
  };
}

/** Create the tables. */
export async function migrate(url: string): Promise<void> {
  const database = openPostgres(url, 1);
  await database.migrate();
  await database.close();
}
