// What happens to the same rows at once locks them in the same order, so nothing waits for a deadlock to end.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asMember, asModerator, SERVER } from '../doers.ts';
import { atOnce, type Fixture, signIn } from '../fixture.ts';
import { AS_DRAFT, NOON, newPost, newUser, publication, textOf } from '../records.ts';
import { inTurn, open } from './lock-fixture.ts';

const skip = process.env.TEST_POSTGRES_URL ? false : 'TEST_POSTGRES_URL is not set; run it with npm test';

const WORTH = { xp: 1, weight: 1000 };

const lockPost = (id: number) => `SELECT id FROM posts WHERE id = ${id} FOR UPDATE`;

async function commentOn({ community, alice }: Fixture, postId: number, isWaiting = false): Promise<number> {
  const comment = { postId, replyTo: undefined, body: 'True.', isWaiting, ...WORTH };
  const id = await community.addComment(asMember(alice), comment);
  assert.ok(id !== undefined);
  return id;
}

describe('on PostgreSQL, without a deadlock', { skip }, () => {
  test('a member likes a post and takes it back, many times at once', async (t) => {
    const opened = await open(t);
    const { community, alice, bob } = opened;
    const postId = await community.addPost(asMember(bob), newPost(bob));
    const like = { postId, ...WORTH };
    const by = asMember(alice);
    await community.addLike(by, like);

    await inTurn(
      opened,
      lockPost(postId),
      () => community.addLike(by, like),
      () => community.removeLike(by, like),
    );
    await atOnce(80, (index) => (index % 2 ? community.addLike(by, like) : community.removeLike(by, like)));

    const isLiked = await community.hasLiked(postId, alice);
    assert.equal((await community.findPost(postId))?.likeCount, isLiked ? 1 : 0);
    assert.equal(await opened.deadlocks(), 0);
  });

  test('a comment is answered while its author or a moderator removes it, or it is restored', async (t) => {
    const opened = await open(t);
    const { community, alice, bob } = opened;
    const postId = await community.addPost(asMember(bob), newPost(bob));
    const answer = (id: number) => () =>
      community.addComment(asMember(bob), { postId, replyTo: { id, userId: alice }, body: 'No.', ...WORTH });
    const removeOwn = (id: number) => () =>
      community.removeComment(asMember(alice), { id, postId, ...WORTH });
    const moderate = (id: number) => async () => {
      const subject = await community.findReported({ postId, commentId: id });
      assert.ok(subject);
      return community.removeContent(asModerator(bob), { subject, reason: undefined, ...WORTH });
    };
    const restore = (id: number) => async () => {
      const subject = await community.findReported({ postId, commentId: id });
      assert.ok(subject);
      return community.undoRemovalOfComment(asModerator(bob), { subject, id, ...WORTH });
    };

    for (const remove of [removeOwn, moderate]) {
      for (const isAnswerFirst of [true, false]) {
        const id = await commentOn(opened, postId);
        const [first, second] = isAnswerFirst ? [answer(id), remove(id)] : [remove(id), answer(id)];
        await inTurn(opened, lockPost(postId), first, second);
      }
    }
    const id = await commentOn(opened, postId);
    await atOnce(40, async (index) =>
      index % 2 ? answer(id)() : index % 4 ? moderate(id)() : restore(id)(),
    );

    assert.equal(await opened.deadlocks(), 0);
  });

  test('a comment is approved while its author writes another one', async (t) => {
    const opened = await open(t);
    const { community, alice, bob } = opened;
    const postId = await community.addPost(asMember(bob), newPost(bob));
    const id = await commentOn(opened, postId, true);

    const [, isApproved] = await inTurn(
      opened,
      lockPost(postId),
      () => commentOn(opened, postId),
      () =>
        community.approveComment(asModerator(bob), {
          id,
          postId,
          authorId: alice,
          version: NOON,
          mentioned: [],
          ...WORTH,
        }),
    );

    assert.equal(isApproved, true);
    assert.equal(await opened.deadlocks(), 0);
  });

  test('a post is restored by its author while another member takes a like back', async (t) => {
    const opened = await open(t);
    const { community, alice, bob } = opened;
    const postId = await community.addPost(asMember(bob), newPost(bob));
    await community.addLike(asMember(alice), { postId, ...WORTH });
    await community.removePost(asMember(bob), postId, 10);
    const version = (await community.findPost(postId))?.updatedAt ?? 0;

    const done = await inTurn(
      opened,
      lockPost(postId),
      () => community.removeLike(asMember(alice), { postId, ...WORTH }),
      () => community.restorePost(asMember(bob), postId, publication({ version }), 0),
    );

    assert.deepEqual(done, [true, true]);
    assert.equal(await opened.deadlocks(), 0);
  });

  test('two posts exchange their tags, and are removed and restored', async (t) => {
    const opened = await open(t);
    const { community, bob, client } = opened;
    const by = asMember(bob);
    const add = (tags: string) => community.addPost(by, newPost(bob, { tags }));
    const [one, two] = [await add('["ale"]'), await add('["yew"]')];
    const edit = (id: number, tags: string) => community.editPost(by, id, { ...textOf('Tags'), tags });

    await inTurn(
      opened,
      "SELECT id FROM tags WHERE name = 'yew' FOR UPDATE",
      () => edit(one, '["yew"]'),
      () => edit(two, '["ale"]'),
    );
    for (const id of [one, two]) await edit(id, '["ale","bread","cake","yew"]');
    await atOnce(80, async (index) => {
      const id = index % 4 < 2 ? one : two;
      if (index % 2) return community.removePost(by, id, 1);
      const version = (await community.findPost(id))?.updatedAt ?? 0;
      return community.restorePost(by, id, publication({ version, xp: 1 }), 0);
    });

    const { rows } = await client.query(`
      SELECT name FROM tags
      WHERE post_count <> (SELECT count(*) FROM post_tags WHERE post_tags.tag_id = tags.id)`);
    assert.deepEqual(rows, []);
    assert.equal(await opened.deadlocks(), 0);
  });

  test('an account is closed while its post is liked, published or removed, or its comment is', async (t) => {
    const opened = await open(t);
    const { community, identity, client } = opened;
    const [alice, bob] = [asMember(opened.alice), asModerator(opened.bob)];
    const act = {
      like: (postId: number) => () => community.addLike(alice, { postId, ...WORTH }),
      comment: (postId: number) => () =>
        community.addComment(alice, { postId, replyTo: undefined, body: 'True.', ...WORTH }),
      remove: (postId: number, commentId?: number) => async () => {
        const subject = await community.findReported({ postId, commentId });
        assert.ok(subject);
        return community.removeContent(bob, { subject, reason: undefined, ...WORTH });
      },
    };
    const closed: number[] = [];
    const closing = async (name: string, isDraft = false) => {
      const id = await identity.addUser(SERVER, newUser(name));
      assert.ok(typeof id === 'number');
      closed.push(id);
      const by = asMember(id);
      const post = newPost(id, { tags: '["ale","yew"]', ...(isDraft && AS_DRAFT) });
      return {
        by,
        id,
        postId: await community.addPost(by, post),
        close: () => identity.closeAccount(by, id),
      };
    };

    for (const [name, other] of [
      ['carol', act.like],
      ['carl', act.comment],
      ['cora', act.remove],
    ] as const) {
      const { postId, close } = await closing(name);
      await inTurn(opened, lockPost(postId), other(postId), close);
    }
    const author = await closing('chris', true);
    const publish = () => community.publishDraft(author.by, author.postId, publication());
    await inTurn(opened, lockPost(author.postId), publish, author.close);
    const commenter = await closing('cleo');
    const theirs = await community.addPost(asMember(opened.bob), newPost(opened.bob));
    const body = { postId: theirs, replyTo: undefined, body: 'True.', ...WORTH };
    const comment = await community.addComment(commenter.by, body);
    await inTurn(opened, lockPost(theirs), act.remove(theirs, comment), commenter.close);
    const many = await closing('cyril');
    const more: number[] = [];
    for (let count = 0; count < 8; count += 1)
      more.push(await community.addPost(many.by, newPost(many.id, { tags: '["ale","yew"]' })));
    await atOnce(30, async (index) => {
      const postId = more[index % more.length] ?? 0;
      if (index === 10) return many.close();
      return [act.like, act.comment, act.remove][index % 3]?.(postId)();
    });

    const { rows } = await client.query(
      "SELECT id FROM posts WHERE user_id = ANY ($1) AND status = 'published' AND user_id <> $2",
      [closed, many.id],
    );
    assert.deepEqual(rows, []);
    assert.equal(await opened.deadlocks(), 0);
  });

  test('many tokens are revoked in one order, and at once in another', async (t) => {
    const opened = await open(t);
    const { oauth, alice, client } = opened;
    const keys = [
      (await signIn(opened, alice, 'notebook')).family.key,
      (await signIn(opened, alice, 'pocket')).family.key,
    ];
    // Of a table of this size, the statement finds each row by its key.
    await client.query(`
      INSERT INTO token_families SELECT (jsonb_populate_record(one, jsonb_build_object('key', one.key || n))).*
      FROM token_families AS one, generate_series(1, 2000) AS n;
      ANALYZE token_families`);
    // Those of one turn share a statement.
    const revoke = (inOrder: string[]) => () =>
      Promise.all(inOrder.map(async (key) => oauth.revokeFamily(key, NOON)));

    await inTurn(
      opened,
      `SELECT key FROM token_families WHERE key = '${keys[0]}' FOR UPDATE`,
      revoke(keys),
      revoke(keys.toReversed()),
    );

    const { rows } = await client.query(
      'SELECT DISTINCT revoked_at FROM token_families WHERE key = ANY ($1)',
      [keys],
    );
    assert.deepEqual(rows, [{ revoked_at: String(NOON) }]);
    assert.equal(await opened.deadlocks(), 0);
  });
});
