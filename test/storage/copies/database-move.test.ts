// A community moves from SQLite to PostgreSQL, whole and unchanged.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findVisit } from '../../../src/identity/session.ts';
import { createPostgresDatabase } from '../../support/databases.ts';
import { DIFFICULT_TEXT } from '../../support/difficult-text.ts';
import { json } from '../../support/json.ts';
import { change, contentsOfFile, contentsOfPostgres, inPostgres, migrate } from '../../support/moving.ts';
import { person, publish } from '../../support/people.ts';
import { askToken, callApi } from '../../support/relying-party.ts';
import { assertSame, openAppOn, openMove, skip } from './move-fixture.ts';

describe('A move from SQLite to PostgreSQL', { skip }, () => {
  test('copies every row of every table unchanged', async (t) => {
    const fixture = await openMove(t);

    const { tables, writtenMeanwhile } = await fixture.move();

    const contents = contentsOfFile(fixture.path);
    assert.deepEqual(
      Object.keys(contents).filter((table) => contents[table]?.length === 0),
      [],
      'a table without a row proves nothing: fill it in test/support/moving.ts',
    );
    await assertSame(fixture);
    assert.deepEqual(
      tables.map(({ name, rows }) => [name, rows]).toSorted(),
      Object.entries(contents).map(([name, rows]) => [name, rows.length]),
    );
    assert.equal(writtenMeanwhile, false);
    assert.ok(contents.users?.some(({ bio }) => bio === DIFFICULT_TEXT));
  });

  test('keeps tokens, sign-ins, sessions and keys working', async (t) => {
    const { url, move, client, signIn, personalToken, session, portico } = await openMove(t);
    const keys = await portico.oauth.reads.signingKeys();
    await move();
    const app = await openAppOn(url, t);

    const me = await callApi(app, '/me', signIn.access);
    const mine = await callApi(app, '/me', personalToken);
    const visit = await findVisit(app.portico.identity, session);
    const refreshed = await askToken(app, client, {
      grant_type: 'refresh_token',
      refresh_token: signIn.refresh,
    });
    const spent = await askToken(app, client, { grant_type: 'refresh_token', refresh_token: signIn.refresh });

    assert.equal(me.status, 200);
    assert.equal((await json(me)).bio, DIFFICULT_TEXT);
    assert.equal(mine.status, 200);
    assert.equal(visit?.user.username, 'alice');
    assert.equal(refreshed.status, 200);
    assert.equal((await callApi(app, '/me', (await json(refreshed)).access_token)).status, 200);
    assert.equal(spent.status, 400);
    const byKid = (a: { kid: string }, b: { kid: string }) => (a.kid < b.kid ? -1 : 1);
    assert.deepEqual((await app.portico.oauth.reads.signingKeys()).toSorted(byKid), keys.toSorted(byKid));
  });

  test('leaves the constraints, indexes and identity columns that a fresh database has', async (t) => {
    const { url, move, moveAgain, path } = await openMove(t);
    const fresh = await createPostgresDatabase(t);
    await migrate(fresh);

    await move();
    change(path, "UPDATE users SET bio = 'Another'");
    await moveAgain();

    assert.deepEqual(await constraintsOf(url), await constraintsOf(fresh));
  });

  test('does not reuse the ids of deleted rows', async (t) => {
    const { path, url, move, portico, bob } = await openMove(t);
    const last = await publish(portico, bob, 'Soon gone');
    change(path, 'DELETE FROM posts WHERE id = ?', last);
    await move();
    const app = await openAppOn(url, t);

    const next = await publish(app.portico, bob, 'The next');
    const carol = await person(app.portico, 'carol');

    assert.equal(next, last + 1);
    assert.equal(carol.id, bob.id + 1);
  });

  test('copies many rows in order, whatever characters their keys have', async (t) => {
    const fixture = await openMove(t);
    // Outside the Basic Multilingual Plane, UTF-8 and UTF-16 sort differently.
    change(
      fixture.path,
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 13000)
       INSERT INTO attempts SELECT substr('aZ_é\u{FFFD}\u{1D11E}', 1 + i % 6, 1) || i, i, i FROM n`,
    );
    for (let times = 0; times < 3; times += 1) {
      change(
        fixture.path,
        `INSERT INTO posts (user_id, category_id, status, title, body, excerpt, created_at, updated_at, published_at)
          SELECT user_id, category_id, status, title, body || ?, excerpt, created_at, updated_at, published_at
          FROM posts`,
        'x'.repeat(1_500_000),
      );
    }

    await fixture.move();

    await assertSame(fixture);
    assert.deepEqual(await fixture.moveAgain(), {});
  });

  test('copies a snapshot of a file that is written meanwhile, and says that it was', async (t) => {
    const { path, url, move, moveAgain, bob, portico } = await openMove(t);
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

  test('reports its progress up to the end', async (t) => {
    const { move } = await openMove(t);
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

/** Return the constraints, indexes and identity columns. */
async function constraintsOf(url: string): Promise<string[]> {
  return inPostgres(url, async (client) => {
    const { rows } = await client.query(
      `SELECT conrelid::regclass || ': ' || conname || ' ' || pg_get_constraintdef(oid) AS definition FROM pg_constraint
         WHERE connamespace = 'public'::regnamespace AND conrelid <> coalesce(to_regclass('database_move'), 0)
       UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename <> 'database_move'
       UNION ALL SELECT table_name || '.' || column_name || ' ' || identity_generation FROM information_schema.columns
         WHERE table_schema = 'public' AND is_identity = 'YES' AND table_name <> 'database_move'
       ORDER BY definition`,
    );
    return rows.map(({ definition }) => definition);
  });
}
