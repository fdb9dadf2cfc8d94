// A second move to the same PostgreSQL database writes only the differences.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY } from '../../../src/lib/clock.ts';
import { change, inPostgres } from '../../support/moving.ts';
import { addMember, addSignIn } from '../../support/seeding.ts';
import { asMember } from '../doers.ts';
import { assertSame, openMove, skip } from './move-fixture.ts';

describe('A second move', { skip }, () => {
  test('writes nothing if nothing has changed', async (t) => {
    const { move, moveAgain } = await openMove(t);
    const first = await move();

    assert.deepEqual(await moveAgain(), {});
    const again = await move();
    assert.deepEqual(
      again.tables.map(({ digest }) => digest),
      first.tables.map(({ digest }) => digest),
    );
  });

  test('applies all additions, changes and deletions since the first', async (t) => {
    const fixture = await openMove(t);
    const { portico, path, move, moveAgain, alice, client } = fixture;
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

    const report = await moveAgain();

    await assertSame(fixture);
    assert.deepEqual(Object.keys(report).toSorted(), [
      'access_tokens',
      'authorization_codes',
      'grants',
      'security_events',
      'token_families',
      'users',
    ]);
  });

  test('copies usernames that two members have swapped, and signing keys that were rotated', async (t) => {
    const fixture = await openMove(t);
    const { portico, path, move, clock } = fixture;
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
    await assertSame(fixture);
  });

  test('notices a letter that moved to the next column, and an empty text in place of null', async (t) => {
    const fixture = await openMove(t);
    const { path, moveAgain } = fixture;
    change(path, "UPDATE posts SET title = 'ab', body = 'c'");
    await fixture.move();

    change(path, "UPDATE posts SET title = 'a', body = 'bc'");
    assert.deepEqual(await moveAgain(), { posts: 1 });
    change(path, "UPDATE users SET email = '' WHERE username = 'alice'");
    assert.deepEqual(await moveAgain(), { users: 2 });
    change(path, "UPDATE token_families SET previous_digest = x''");
    assert.deepEqual(await moveAgain(), { token_families: 1 });
    await assertSame(fixture);
  });

  test('undoes changes, additions and deletions in the target', async (t) => {
    const fixture = await openMove(t);
    await fixture.move();
    await inPostgres(fixture.url, async (client) => {
      await client.query("UPDATE posts SET title = 'Tampered'");
      await client.query("INSERT INTO locks VALUES ('zzz')");
      await client.query('DELETE FROM personal_tokens');
    });

    const report = await fixture.moveAgain();

    assert.deepEqual(report, { locks: 3, posts: 1, personal_tokens: 1 });
    await assertSame(fixture);
  });
});
