// A community moves from the embedded database to PostgreSQL, whole and unchanged.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Portico } from '../../../src/compose.ts';
import { findVisit } from '../../../src/identity/session.ts';
import { DAY } from '../../../src/lib/clock.ts';
import type { Refusal } from '../../../src/lib/refusal.ts';
import { type MoveOptions, moveDatabase } from '../../../src/storage/copies/database-move.ts';
import { openPostgres } from '../../../src/storage/engine/postgres.ts';
import { type App, openApp, type TestClock } from '../../support/app.ts';
import { createPostgresDatabase, type Scope, temporaryFolder } from '../../support/databases.ts';
import { addMember, addSignIn } from '../../support/household.ts';
import { json } from '../../support/json.ts';
import {
  change,
  contentsOfFile,
  contentsOfPostgres,
  type Filled,
  fill,
  fillCommunity,
  inPostgres,
  migrated,
  STUBBORN,
} from '../../support/moving.ts';
import { person, publish } from '../../support/people.ts';
import { askToken, callApi } from '../../support/relying-party.ts';
import { asMember } from '../doers.ts';

const skip = process.env.TEST_POSTGRES_URL ? false : 'TEST_POSTGRES_URL is not set; run it with npm test';

interface Removal extends Filled {
  portico: Portico;
  clock: TestClock;
  path: string;
  url: string;
  move(options?: MoveOptions): ReturnType<typeof moveDatabase>;
  /** The number of rows that a move wrote, by table, without the tables in which it wrote none. */
  moveAgain(): Promise<Record<string, number>>;
}

/** A filled community in a file, served, and an empty PostgreSQL database. */
async function removal(scope: Scope): Promise<Removal> {
  const path = join(await temporaryFolder(scope), 'portico.db');
  const url = await createPostgresDatabase(scope);
  const { portico, clock, close } = await openApp({ DATABASE_URL: `file:${path}` });
  scope.after(close);
  const filled = await fill(portico);
  fillCommunity(path);
  const move = (options?: MoveOptions) => moveDatabase(path, url, options);
  const moveAgain = async () => {
    const { tables } = await move();
    return Object.fromEntries(
      tables.filter(({ written }) => written > 0).map((table) => [table.name, table.written]),
    );
  };
  return { ...filled, portico, clock, path, url, move, moveAgain };
}

async function appOn(url: string, scope: Scope): Promise<App> {
  const app = await openApp({ DATABASE_URL: url });
  scope.after(app.close);
  return app;
}

async function assertSame({ path, url }: Removal): Promise<void> {
  assert.deepEqual(await contentsOfPostgres(url), contentsOfFile(path));
}

const refusal = (code: string, words: RegExp) => (error: unknown) => {
  assert.equal((error as Refusal).code, code, String(error));
  assert.match((error as Refusal).message, words);
  return true;
};

describe('A move from SQLite to PostgreSQL', { skip }, () => {
  test('brings every row of every table as it is', async (t) => {
    const house = await removal(t);

    const { tables, writtenMeanwhile } = await house.move();

    const contents = contentsOfFile(house.path);
    assert.deepEqual(
      Object.keys(contents).filter((table) => contents[table]?.length === 0),
      [],
      'a table without a row proves nothing: fill it in test/support/moving.ts',
    );
    await assertSame(house);
    assert.deepEqual(
      tables.map(({ name, rows }) => [name, rows]).toSorted(),
      Object.entries(contents).map(([name, rows]) => [name, rows.length]),
    );
    assert.equal(writtenMeanwhile, false);
    assert.ok(contents.users?.some(({ bio }) => bio === STUBBORN));
  });

  test('keeps tokens, sign-ins, sessions and keys working', async (t) => {
    const { url, move, client, signIn, personalToken, session, portico } = await removal(t);
    const keys = await portico.oauth.reads.signingKeys();
    await move();
    const app = await appOn(url, t);

    const me = await callApi(app, '/me', signIn.access);
    const mine = await callApi(app, '/me', personalToken);
    const visit = await findVisit(app.portico.identity, session);
    const refreshed = await askToken(app, client, {
      grant_type: 'refresh_token',
      refresh_token: signIn.refresh,
    });
    const spent = await askToken(app, client, { grant_type: 'refresh_token', refresh_token: signIn.refresh });

    assert.equal(me.status, 200);
    assert.equal((await json(me)).bio, STUBBORN);
    assert.equal(mine.status, 200);
    assert.equal(visit?.user.username, 'alice');
    assert.equal(refreshed.status, 200);
    assert.equal((await callApi(app, '/me', (await json(refreshed)).access_token)).status, 200);
    assert.equal(spent.status, 400);
    const byKid = (a: { kid: string }, b: { kid: string }) => (a.kid < b.kid ? -1 : 1);
    assert.deepEqual((await app.portico.oauth.reads.signingKeys()).toSorted(byKid), keys.toSorted(byKid));
  });

  test('leaves the constraints and indices that a fresh database has', async (t) => {
    const { url, move, moveAgain, path } = await removal(t);
    const fresh = await createPostgresDatabase(t);
    await migrated(fresh);

    await move();
    change(path, "UPDATE users SET bio = 'Another'");
    await moveAgain();

    assert.deepEqual(await tiesOf(url), await tiesOf(fresh));
  });

  test('lets numbers go on behind those of deleted rows', async (t) => {
    const { path, url, move, portico, bob } = await removal(t);
    const last = await publish(portico, bob, 'Soon gone');
    change(path, 'DELETE FROM posts WHERE id = ?', last);
    await move();
    const app = await appOn(url, t);

    const next = await publish(app.portico, bob, 'The next');
    const carol = await person(app.portico, 'carol');

    assert.equal(next, last + 1);
    assert.equal(carol.id, bob.id + 1);
  });

  test('takes many rows in order, whatever the letters of their keys', async (t) => {
    const house = await removal(t);
    // Beyond the letters of 16 bits the orders of UTF-8 and of UTF-16 differ.
    change(
      house.path,
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 13000)
       INSERT INTO attempts SELECT substr('aZ_é\u{FFFD}\u{1D11E}', 1 + i % 6, 1) || i, i, i FROM n`,
    );
    for (let times = 0; times < 3; times += 1) {
      change(
        house.path,
        `INSERT INTO posts SELECT NULL, user_id, category_id, status, title, body || ?, excerpt, created_at,
        updated_at, published_at, removed_at, like_count, comment_count, view_count, heat, removed_by FROM posts`,
        'x'.repeat(1_500_000),
      );
    }

    await house.move();

    await assertSame(house);
    assert.deepEqual(await house.moveAgain(), {});
  });

  test('is one moment of a file that is written meanwhile, and says that it was', async (t) => {
    const { path, url, move, moveAgain, bob, portico } = await removal(t);
    const before = contentsOfFile(path);
    let count = 0;
    const progress = (): void => {
      count += 1;
      change(path, "UPDATE users SET bio = 'Changed ' || ?", count);
      change(path, 'DELETE FROM sessions');
    };

    const { writtenMeanwhile } = await move({ progress });

    assert.ok(count > 2);
    assert.equal(writtenMeanwhile, true);
    assert.deepEqual(await contentsOfPostgres(url), before);
    await publish(portico, bob, 'Afterwards');
    assert.deepEqual(await moveAgain(), { users: 2, posts: 2, post_words: 2 });
    assert.deepEqual(await contentsOfPostgres(url), contentsOfFile(path));
  });

  test('tells how far it has come, to the end', async (t) => {
    const { move } = await removal(t);
    const shares: number[] = [];

    await move({ progress: (share) => shares.push(share) });

    assert.deepEqual(
      shares.toSorted((a, b) => a - b),
      shares,
    );
    assert.ok(shares.length > 10);
    assert.equal(shares.at(-1), 1);
  });
});

describe('A move that is made again', { skip }, () => {
  test('writes nothing when nothing has changed', async (t) => {
    const { move, moveAgain } = await removal(t);
    const first = await move();

    assert.deepEqual(await moveAgain(), {});
    const again = await move();
    assert.deepEqual(
      again.tables.map(({ digest }) => digest),
      first.tables.map(({ digest }) => digest),
    );
  });

  test('brings what was added, changed and deleted since', async (t) => {
    const house = await removal(t);
    const { portico, path, move, moveAgain, alice, client } = house;
    await move();
    const carol = await addMember(portico, 'carol');
    await addSignIn(portico, client, carol);
    await portico.identity.writes.setBio(asMember(alice.id), 'Reads at night');
    change(
      path,
      'DELETE FROM access_tokens WHERE family_key IN (SELECT key FROM token_families WHERE user_id = ?)',
      alice.id,
    );
    change(path, 'DELETE FROM token_families WHERE user_id = ?', alice.id);
    change(path, 'DELETE FROM sessions');

    const written = await moveAgain();

    await assertSame(house);
    assert.deepEqual(Object.keys(written).toSorted(), [
      'access_tokens',
      'authorization_codes',
      'grants',
      'security_events',
      'token_families',
      'users',
    ]);
  });

  test('brings names that members have exchanged, and signing keys that have had their turn', async (t) => {
    const house = await removal(t);
    const { portico, path, move, clock } = house;
    change(
      path,
      "UPDATE users SET email = username || '@example.com', email_key = username || '@example.com'",
    );
    await move();
    change(path, "UPDATE users SET username_key = username_key || '?', email_key = email_key || '?'");
    change(
      path,
      `UPDATE users SET username_key = CASE username_key WHEN 'alice?' THEN 'bob' ELSE 'alice' END,
         email_key = CASE username_key WHEN 'alice?' THEN 'bob@example.com' ELSE 'alice@example.com' END`,
    );
    for (let times = 0; times < 2; times += 1) {
      clock.advance(95 * DAY);
      await portico.purge();
    }
    const states = (await portico.oauth.reads.signingKeys()).map(({ state }) => state);

    await move();

    assert.ok(states.includes('retired'));
    await assertSame(house);
  });

  test('sees a letter that went to the next column, and an empty text where there was none', async (t) => {
    const house = await removal(t);
    const { path, moveAgain } = house;
    change(path, "UPDATE posts SET title = 'ab', body = 'c'");
    await house.move();

    change(path, "UPDATE posts SET title = 'a', body = 'bc'");
    assert.deepEqual(await moveAgain(), { posts: 1 });
    change(path, "UPDATE users SET email = '' WHERE username = 'alice'");
    assert.deepEqual(await moveAgain(), { users: 2 });
    change(path, "UPDATE token_families SET previous_digest = x''");
    assert.deepEqual(await moveAgain(), { token_families: 1 });
    await assertSame(house);
  });

  test('puts right what was changed, added and deleted in the target', async (t) => {
    const house = await removal(t);
    await house.move();
    await inPostgres(house.url, async (client) => {
      await client.query("UPDATE posts SET title = 'Tampered'");
      await client.query("INSERT INTO locks VALUES ('zzz')");
      await client.query('DELETE FROM personal_tokens');
    });

    const written = await house.moveAgain();

    assert.deepEqual(written, { locks: 3, posts: 1, personal_tokens: 1 });
    await assertSame(house);
  });
});

describe('A move is refused', { skip }, () => {
  test('when the target does not take the rows as they are, naming the table; and then it cannot be used', async (t) => {
    const { url, move, moveAgain } = await removal(t);
    const database = openPostgres(url, 2);
    t.after(() => database.close());
    await database.migrate();
    await inPostgres(url, async (client) => {
      await client.query(
        `CREATE FUNCTION tamper() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.bio = NEW.bio || ''.''; RETURN NEW; END'`,
      );
      await client.query(
        'CREATE TRIGGER tamper BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION tamper()',
      );
    });

    await assert.rejects(
      move(),
      refusal('copy_differs', /differs in users \(2 rows in the file, 2 in PostgreSQL\)\./),
    );
    await assert.rejects(database.migrate(), /unfinished: run migrate-database again/);

    await inPostgres(url, (client) => client.query('DROP FUNCTION tamper CASCADE'));
    assert.deepEqual(await moveAgain(), { users: 2 });
    assert.deepEqual(await database.migrate(), []);
  });

  test('when the copy has been used since, unless it is forced', async (t) => {
    const house = await removal(t);
    await house.move();
    const app = await appOn(house.url, t);
    await person(app.portico, 'carol');
    await publish(app.portico, house.bob, 'In the new place');

    await assert.rejects(house.move(), refusal('target_in_use', /already has a community\. Use --force/));
    assert.equal((await contentsOfPostgres(house.url)).users?.length, 3);

    await app.close();
    await house.move({ force: true });
    await assertSame(house);
  });

  test('when the target holds a copy of another community, unless it is forced', async (t) => {
    const house = await removal(t);
    const other = await removal(t);
    await moveDatabase(other.path, house.url);

    await assert.rejects(house.move(), refusal('target_in_use', /has a copy of another community/));
    assert.deepEqual(await contentsOfPostgres(house.url), contentsOfFile(other.path));

    await house.move({ force: true });
    await assertSame(house);
  });

  test('not when the target was only started: there is nothing in it but its keys', async (t) => {
    const house = await removal(t);
    const app = await appOn(house.url, t);
    await app.close();

    await house.move();

    await assertSame(house);
  });

  test('when a text holds what PostgreSQL cannot, naming the row', async (t) => {
    const { path, move, moveAgain } = await removal(t);
    change(path, "UPDATE posts SET title = 'On' || char(0) || 'arches' WHERE id = 1");

    await assert.rejects(
      move(),
      refusal('value_unusable', /can't store the title of a row of posts \(id 1\)/),
    );

    change(path, "UPDATE posts SET title = 'On arches'");
    assert.ok('posts' in (await moveAgain()));
    change(path, "UPDATE clients SET name = x'00ff'");
    await assert.rejects(move(), refusal('value_unusable', /the name of a row of clients/));
  });

  test('when the file is not one, or of another version', async (t) => {
    const { path, url, move } = await removal(t);
    change(path, "INSERT INTO migrations VALUES ('9999-tomorrow', 0)");
    await assert.rejects(move(), refusal('file_unusable', /was written by a newer version/));
    change(path, "DELETE FROM migrations WHERE name >= '0002'");
    await assert.rejects(move(), refusal('file_unusable', /was written by an older version/));
    change(path, 'DROP TABLE migrations');
    await assert.rejects(move(), refusal('file_unusable', /is not a database of Portico/));
    await assert.rejects(
      moveDatabase(import.meta.filename, url),
      refusal('file_unusable', /can't be read as a database/),
    );
    await assert.rejects(
      moveDatabase('/no/such.db', url),
      refusal('file_missing', /no database at \/no\/such\.db/),
    );
    assert.deepEqual(await contentsOfPostgres(url), {});
  });

  test('when the target has another encoding or cannot be reached', async (t) => {
    const { path, url } = await removal(t);
    await inPostgres(url, (client) =>
      client.query(`CREATE DATABASE ascii_${process.pid} TEMPLATE template0 ENCODING 'SQL_ASCII'`),
    );
    t.after(() =>
      inPostgres(process.env.TEST_POSTGRES_URL ?? '', (client) =>
        client.query(`DROP DATABASE ascii_${process.pid}`),
      ),
    );
    const ascii = new URL(url);
    ascii.pathname = `/ascii_${process.pid}`;

    await assert.rejects(
      moveDatabase(path, ascii.href),
      refusal('target_unusable', /has the encoding SQL_ASCII/),
    );
    await assert.rejects(
      moveDatabase(path, 'postgres://alice:secret@127.0.0.1:1/portico'),
      refusal(
        'target_unavailable',
        /^The PostgreSQL database is not available: connect ECONNREFUSED 127.0.0.1:1\.$/,
      ),
    );
  });
});

/** Constraints, indices and identity columns. */
async function tiesOf(url: string): Promise<string[]> {
  return inPostgres(url, async (client) => {
    const { rows } = await client.query(
      `SELECT conrelid::regclass || ': ' || conname || ' ' || pg_get_constraintdef(oid) AS tie FROM pg_constraint
         WHERE connamespace = 'public'::regnamespace AND conrelid <> coalesce(to_regclass('database_move'), 0)
       UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename <> 'database_move'
       ORDER BY tie`,
    );
    return rows.map(({ tie }) => tie);
  });
}
