// When a move to PostgreSQL is refused.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { moveDatabase } from '../../../src/storage/copies/database-move.ts';
import { openPostgres } from '../../../src/storage/engine/postgres.ts';
import { change, contentsOfFile, contentsOfPostgres, inPostgres } from '../../support/moving.ts';
import { person, publish } from '../../support/people.ts';
import { assertSame, isRefusal, openAppOn, openMove, skip } from './move-fixture.ts';

describe('A move is refused', { skip }, () => {
  test('if the target changes the rows; the error names the table, and the target can’t be used', async (t) => {
    const { url, move, moveAgain } = await openMove(t);
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
      isRefusal('copy_differs', /differs in users \(2 rows in the file, 2 in PostgreSQL\)\./),
    );
    await assert.rejects(database.migrate(), /unfinished: run migrate-database again/);

    await inPostgres(url, (client) => client.query('DROP FUNCTION tamper CASCADE'));
    assert.deepEqual(await moveAgain(), { users: 2 });
    assert.deepEqual(await database.migrate(), []);
  });

  test('if the copy has been used since, unless it is forced', async (t) => {
    const fixture = await openMove(t);
    await fixture.move();
    const app = await openAppOn(fixture.url, t);
    await person(app.portico, 'carol');
    await publish(app.portico, fixture.bob, 'In the new place');

    await assert.rejects(fixture.move(), isRefusal('target_in_use', /already has a community\. Use --force/));
    assert.equal((await contentsOfPostgres(fixture.url)).users?.length, 3);

    await app.close();
    await fixture.move({ force: true });
    await assertSame(fixture);
  });

  test('if the target has a copy of another community, unless it is forced', async (t) => {
    const fixture = await openMove(t);
    const other = await openMove(t);
    await moveDatabase(other.path, fixture.url);

    await assert.rejects(fixture.move(), isRefusal('target_in_use', /has a copy of another community/));
    assert.deepEqual(await contentsOfPostgres(fixture.url), contentsOfFile(other.path));

    await fixture.move({ force: true });
    await assertSame(fixture);
  });

  test('but not if a server has only been started on the target, which then has nothing but keys', async (t) => {
    const fixture = await openMove(t);
    const app = await openAppOn(fixture.url, t);
    await app.close();

    await fixture.move();

    await assertSame(fixture);
  });

  test('if PostgreSQL can’t store a text; the error names the row', async (t) => {
    const { path, move, moveAgain } = await openMove(t);
    change(path, "UPDATE posts SET title = 'On' || char(0) || 'arches' WHERE id = 1");

    await assert.rejects(
      move(),
      isRefusal('value_unusable', /can't store the title of a row of posts \(id 1\)/),
    );

    change(path, "UPDATE posts SET title = 'On arches'");
    assert.ok('posts' in (await moveAgain()));
    change(path, "UPDATE clients SET name = x'00ff'");
    await assert.rejects(move(), isRefusal('value_unusable', /the name of a row of clients/));
  });

  test('if the file is missing, not a database, or of another version', async (t) => {
    const { path, url, move } = await openMove(t);
    change(path, "INSERT INTO migrations VALUES ('9999-tomorrow', 0)");
    await assert.rejects(move(), isRefusal('file_unusable', /was written by a newer version/));
    change(path, "DELETE FROM migrations WHERE name >= '0002'");
    await assert.rejects(move(), isRefusal('file_unusable', /was written by an older version/));
    change(path, 'DROP TABLE migrations');
    await assert.rejects(move(), isRefusal('file_unusable', /is not a database of Portico/));
    await assert.rejects(
      moveDatabase(import.meta.filename, url),
      isRefusal('file_unusable', /can't be read as a database/),
    );
    await assert.rejects(
      moveDatabase('/no/such.db', url),
      isRefusal('file_missing', /no database at \/no\/such\.db/),
    );
    assert.deepEqual(await contentsOfPostgres(url), {});
  });

  test('if the target has another encoding or can’t be reached', async (t) => {
    const { path, url } = await openMove(t);
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
      isRefusal('target_unusable', /has the encoding SQL_ASCII/),
    );
    await assert.rejects(
      moveDatabase(path, 'postgres://alice:secret@127.0.0.1:1/portico'),
      isRefusal(
        'target_unavailable',
        /^The PostgreSQL database is not available: no program is listening there\.$/,
      ),
    );
  });
});
