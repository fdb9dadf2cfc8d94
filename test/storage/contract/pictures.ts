// Pictures in imported texts: stored once, shown as long as a text shows them, and gone with their texts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownPictures } from '../../../src/community/own-data.ts';
import { picturePath } from '../../../src/community/picture.ts';
import type { NewPicture, PictureViewer } from '../../../src/community/picture-store.ts';
import type { TextWithPictures } from '../../../src/import/store.ts';
import { DAY } from '../../../src/lib/clock.ts';
import { sql } from '../../../src/storage/engine/sql.ts';
import { purgeExpired } from '../../../src/storage/purge/purge.ts';
import { asMember, SERVER } from '../doers.ts';
import { type Fixture, type Open, openFixture } from '../fixture.ts';
import { LIFETIMES, NOON, newPost } from '../records.ts';

const SOURCE = 'old site';
const WORTH = { xp: 2, weight: 1000 };
const FOREIGN = 'See ![it](https://old.example/a.png)';

function picture(digit: string): NewPicture {
  const image = Buffer.from([0, 255, Number(digit)]);
  return { digest: digit.repeat(32), type: 'image/webp', width: 640, height: 480, image, smaller: [] };
}

const showing = (shown: NewPicture) => ({ body: `See ![it](${picturePath(shown)})`, excerpt: 'See it' });

/** A post by bob and a comment on it by alice, both imported. */
async function importTexts({ imports, alice, bob }: Fixture, status: 'published' | 'draft' = 'published') {
  const post = { ...newPost(bob, { body: FOREIGN, status }), externalId: 'p', views: 0, at: NOON };
  await imports.addImportedPosts(SOURCE, [post]);
  const postId = (await imports.importedRecords(SOURCE, 'post', ['p'])).get('p') ?? 0;
  const comment = { externalId: 'c', postId, userId: alice, answeredId: undefined, body: FOREIGN, at: NOON };
  await imports.addImportedComments(SOURCE, [{ ...comment, ...WORTH }]);
  const [ofPost] = await imports.textsWithPictures(SOURCE, 'post', '', 10);
  const [ofComment] = await imports.textsWithPictures(SOURCE, 'comment', '', 10);
  return { ofPost: ofPost as TextWithPictures, ofComment: ofComment as TextWithPictures };
}

const VISITOR: PictureViewer = { userId: undefined, canModerate: false };

async function isShown({ community }: Fixture, shown: NewPicture, viewer = VISITOR): Promise<boolean> {
  return (await community.findPicture(shown, viewer)) !== undefined;
}

const selectCounts = sql<void, { pictures: number; uses: number }>`
  SELECT (SELECT count(*) FROM pictures) AS pictures, (SELECT count(*) FROM picture_uses) AS uses`;

async function counts({ database }: Fixture): Promise<number[]> {
  const row = await database.first(selectCounts());
  return [Number(row?.pictures), Number(row?.uses)];
}

async function purgeAfter({ database }: Fixture, days: number): Promise<void> {
  while ((await purgeExpired(database, LIFETIMES, NOON + days * DAY, 500)) > 0);
}

export const picturesContract = {
  title: 'pictures in texts',
  registerTests(open: Open): void {
    test('a text shows its picture instead of the address, and the picture can be read with its size', async (t) => {
      const fixture = await openFixture(open, t);
      const { imports, community } = fixture;
      const { ofPost, ofComment } = await importTexts(fixture);

      const answers = [
        await imports.addPicture(ofPost, showing(picture('1')), picture('1'), NOON),
        await imports.addPicture(ofComment, showing(picture('2')), picture('2'), NOON),
      ];

      assert.deepEqual(answers, [true, true]);
      const post = await community.findPost(ofPost.id);
      assert.deepEqual([post?.body, post?.html], [showing(picture('1')).body, undefined]);
      assert.equal((await community.findComment(ofComment.id))?.body, showing(picture('2')).body);
      const read = await community.findPicture(picture('1'), VISITOR);
      assert.deepEqual([read?.type, [...(read?.image ?? [])]], ['image/webp', [0, 255, 1]]);
      assert.ok(await isShown(fixture, picture('2')));
      assert.equal(await isShown(fixture, { ...picture('1'), width: 641 }), false);
      assert.deepEqual(await imports.textsWithPictures('another site', 'post', '', 10), []);
    });

    test('a text that was changed meanwhile keeps its words, and no picture is stored', async (t) => {
      const fixture = await openFixture(open, t);
      const { imports, community, bob } = fixture;
      const { ofPost } = await importTexts(fixture);
      await community.editPost(asMember(bob), ofPost.id, newPost(bob, { body: 'Changed.' }));

      assert.equal(await imports.addPicture(ofPost, showing(picture('1')), picture('1'), NOON), false);
      assert.equal((await community.findPost(ofPost.id))?.body, 'Changed.');
      assert.deepEqual(await counts(fixture), [0, 0]);
    });

    test('a picture is stored once, however many texts show it', async (t) => {
      const fixture = await openFixture(open, t);
      const { ofPost, ofComment } = await importTexts(fixture);
      const { image: _, ...key } = picture('1');

      await fixture.imports.addPicture(ofPost, showing(picture('1')), picture('1'), NOON);
      await fixture.imports.addPicture(ofComment, showing(picture('1')), key, NOON);

      assert.deepEqual(await counts(fixture), [1, 2]);
    });

    test('a picture of a draft is shown to its author only', async (t) => {
      const fixture = await openFixture(open, t);
      const { alice, bob, imports } = fixture;
      const { ofPost } = await importTexts(fixture, 'draft');
      await imports.addPicture(ofPost, showing(picture('1')), picture('1'), NOON);

      const shownTo = (viewer: PictureViewer) => isShown(fixture, picture('1'), viewer);

      assert.equal(await shownTo({ userId: bob, canModerate: false }), true);
      assert.equal(await shownTo({ userId: alice, canModerate: true }), false);
      assert.equal(await shownTo(VISITOR), false);
    });

    test('a picture in many long drafts is refused to others without a search of the drafts', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, bob } = fixture;
      await community.addUpload(asMember(bob), picture('1'), false);
      const { body } = showing(picture('1'));
      const alike = `${'1'.repeat(31)}x`.repeat(3_000);
      const text = { body: `${alike} ${body}`, pictures: [picture('1').digest], status: 'draft' } as const;
      for (let draft = 0; draft < 100; draft += 1) await community.addPost(asMember(bob), newPost(bob, text));
      const times: number[] = [];

      for (let round = 0; round < 5; round += 1) {
        const start = performance.now();
        assert.equal(await isShown(fixture, picture('1')), false);
        times.push(performance.now() - start);
      }

      assert.ok(Math.min(...times) < 60, `${times} ms`);
    });

    test('a picture is hidden when its text is removed, or shows it no more, and comes back with it', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, imports, bob } = fixture;
      const { ofPost, ofComment } = await importTexts(fixture);
      await imports.addPicture(ofPost, showing(picture('1')), picture('1'), NOON);
      await imports.addPicture(ofComment, showing(picture('2')), picture('2'), NOON);
      const shown = async () => [await isShown(fixture, picture('1')), await isShown(fixture, picture('2'))];
      const edit = (body: string, pictures: string[]) =>
        community.editPost(asMember(bob), ofPost.id, newPost(bob, { body, pictures }));

      await edit('Without.', []);
      const edited = await shown();
      await edit(showing(picture('1')).body, [picture('1').digest]);
      const again = await shown();
      await community.removePost(asMember(bob), ofPost.id, 0);
      const removed = await shown();

      assert.deepEqual(
        [edited, again, removed],
        [
          [false, true],
          [true, true],
          [false, false],
        ],
      );
      assert.ok(await isShown(fixture, picture('1'), { userId: bob, canModerate: false }));
      assert.ok(await isShown(fixture, picture('1'), { userId: undefined, canModerate: true }));
    });

    test('a picture that an import brought in for another member comes back into a text that lost it', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, imports, alice } = fixture;
      const { ofPost, ofComment } = await importTexts(fixture);
      const { image: _, ...key } = picture('1');
      await imports.addPicture(ofPost, showing(picture('1')), picture('1'), NOON);
      await imports.addPicture(ofComment, showing(picture('1')), key, NOON);
      const { digest } = picture('1');

      await community.editComment(asMember(alice), ofComment.id, { body: 'Without.', pictures: [] });
      const { body } = showing(picture('1'));
      await community.editComment(asMember(alice), ofComment.id, { body, pictures: [digest] });
      await community.editPost(asMember(fixture.bob), ofPost.id, newPost(fixture.bob, { pictures: [] }));

      assert.ok(await isShown(fixture, picture('1')));
      assert.deepEqual(await counts(fixture), [1, 1]);
    });

    test('a picture of a removed comment is hidden, and another text keeps it', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, imports, alice } = fixture;
      const { ofPost, ofComment } = await importTexts(fixture);
      const withTwo = { ...ofComment, body: showing(picture('2')).body };
      await imports.addPicture(ofPost, showing(picture('1')), picture('1'), NOON);
      await imports.addPicture(ofComment, showing(picture('2')), picture('2'), NOON);
      await imports.addPicture(withTwo, showing(picture('2')), picture('1'), NOON);

      await community.removeComment(asMember(alice), { id: ofComment.id, postId: ofPost.id, ...WORTH });
      const shown = [await isShown(fixture, picture('1')), await isShown(fixture, picture('2'))];
      const before = await counts(fixture);
      await purgeAfter(fixture, 31);

      assert.deepEqual(
        [shown, before],
        [
          [true, false],
          [2, 1],
        ],
      );
      assert.deepEqual(await counts(fixture), [1, 1]);
    });

    test('pictures are deleted with the last of their texts', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, imports, bob, alice } = fixture;
      const { ofPost, ofComment } = await importTexts(fixture);
      const other = await community.addPost(asMember(bob), newPost(bob));
      const otherText: TextWithPictures = { ...ofPost, id: other, postId: other, body: newPost(bob).body };
      await imports.addPicture(ofPost, showing(picture('1')), picture('1'), NOON);
      await imports.addPicture(otherText, showing(picture('1')), picture('1'), NOON);
      await imports.addPicture(ofComment, showing(picture('2')), picture('2'), NOON);

      await community.removeComment(asMember(alice), { id: ofComment.id, postId: ofPost.id, ...WORTH });
      await purgeAfter(fixture, 6);
      const kept = await counts(fixture);
      await purgeAfter(fixture, 8);
      const afterComment = await counts(fixture);
      await community.removePost(asMember(bob), ofPost.id, 0);
      await purgeAfter(fixture, 31);
      const afterFirst = await counts(fixture);
      const stillShown = await isShown(fixture, picture('1'));
      await community.removePost(asMember(bob), other, 0);
      await purgeAfter(fixture, 31);

      assert.deepEqual([kept, afterComment, afterFirst, stillShown], [[2, 2], [1, 2], [1, 1], true]);
      assert.deepEqual(await counts(fixture), [0, 0]);
    });

    test('a picture is looked for in at most 300 texts that its viewer does not see', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, bob } = fixture;
      await community.addUpload(asMember(bob), picture('1'), false);
      const text = { ...showing(picture('1')), pictures: [picture('1').digest] };
      const hidden = await community.addPost(asMember(bob), newPost(bob));
      const comment = { postId: hidden, replyTo: undefined, ...text, ...WORTH };
      for (let count = 1; count < 300; count += 1) await community.addComment(asMember(bob), comment);
      const last = (await community.addComment(asMember(bob), comment)) ?? 0;
      await community.removePost(asMember(bob), hidden, 0);
      await community.addPost(asMember(bob), newPost(bob, text));
      const beside300 = await isShown(fixture, picture('1'));
      await community.restorePost(asMember(bob), hidden, { version: NOON, words: '', xp: 0 }, 0);
      await community.removeComment(asMember(bob), { id: last, postId: hidden, ...WORTH });
      await community.removePost(asMember(bob), hidden, 0);

      assert.deepEqual([beside300, await isShown(fixture, picture('1'))], [false, true]);
    });

    test('closing an account deletes the pictures in its comments, and hides those in its posts', async (t) => {
      const fixture = await openFixture(open, t);
      const { imports, identity, alice, bob } = fixture;
      const { ofPost, ofComment } = await importTexts(fixture);
      await imports.addPicture(ofPost, showing(picture('1')), picture('1'), NOON);
      await imports.addPicture(ofComment, showing(picture('2')), picture('2'), NOON);

      await identity.closeAccount(SERVER, alice);
      await purgeAfter(fixture, 0);
      const afterAlice = await counts(fixture);
      await identity.closeAccount(SERVER, bob);

      assert.deepEqual(afterAlice, [1, 1]);
      assert.equal(await isShown(fixture, picture('1')), false);
      await purgeAfter(fixture, 31);
      assert.deepEqual(await counts(fixture), [0, 0]);
    });

    test('the pictures in a member’s texts are listed for the download of their data', async (t) => {
      const fixture = await openFixture(open, t);
      const { imports, community, alice, bob } = fixture;
      const { ofPost, ofComment } = await importTexts(fixture);
      await imports.addPicture(ofPost, showing(picture('1')), picture('1'), NOON);
      await imports.addPicture(ofComment, showing(picture('2')), picture('2'), NOON);

      const [his, hers] = [
        await Array.fromAsync(ownPictures({ reads: community }, bob)),
        await Array.fromAsync(ownPictures({ reads: community }, alice)),
      ];

      const { image: _, smaller: __, ...rest } = picture('1');
      assert.deepEqual(his, [{ ...rest, id: his[0]?.id, size: 3, postId: ofPost.id, commentId: undefined }]);
      assert.deepEqual(
        hers.map(({ digest, commentId }) => [digest, commentId]),
        [[picture('2').digest, ofComment.id]],
      );
    });
  },
};
