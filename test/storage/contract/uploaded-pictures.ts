// Pictures that members upload: seen by whom, kept while a text shows them, and gone with their member.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownPictures } from '../../../src/community/own-data.ts';
import { picturePath } from '../../../src/community/picture.ts';
import type { NewPicture, PictureViewer } from '../../../src/community/picture-store.ts';
import { DAY, MINUTE } from '../../../src/lib/clock.ts';
import { sql } from '../../../src/storage/engine/sql.ts';
import { eraseMember } from '../../../src/storage/purge/erased-member.ts';
import { purgeExpired } from '../../../src/storage/purge/purge.ts';
import { asMember, SERVER } from '../doers.ts';
import { atOnce, type Fixture, type Open, openFixture } from '../fixture.ts';
import { LIFETIMES, NOON, newPost } from '../records.ts';

const WORTH = { xp: 2, weight: 1000 };
const VISITOR: PictureViewer = { userId: undefined, canModerate: false };

function picture(digit: string): NewPicture {
  const image = Buffer.from([0, 255, Number(digit)]);
  const smaller = [{ width: 320, image: Buffer.from([32, Number(digit)]) }];
  return { digest: digit.repeat(32), type: 'image/webp', width: 640, height: 480, image, smaller };
}

/** A text that shows these pictures, with what storage gets of it. */
function showing(...shown: NewPicture[]) {
  const body = shown.map((one) => `![it](${picturePath(one)})`).join('\n\n');
  return { body: `See\n\n${body}`, pictures: shown.map(({ digest }) => digest) };
}

async function isShown({ community }: Fixture, shown: NewPicture, viewer = VISITOR): Promise<boolean> {
  return (await community.findPicture(shown, viewer)) !== undefined;
}

const selectDigests = sql<void, { digest: string }>`SELECT digest FROM pictures ORDER BY digest`;
const selectVersions = sql<void, { count: number }>`SELECT count(*) AS count FROM picture_versions`;

/** The first signs of the digests of all pictures. */
async function stored({ database }: Fixture): Promise<string> {
  return (await database.rows(selectDigests())).map(({ digest }) => digest[0]).join('');
}

async function purgeAfter({ database }: Fixture, days: number): Promise<void> {
  while ((await purgeExpired(database, LIFETIMES, NOON + days * DAY, 500)) > 0);
}

async function leftovers({ community }: Fixture): Promise<string> {
  return (await community.leftoverFiles(NOON, 10)).map(({ digest }) => digest[0]).join('');
}

export const uploadedPictures = {
  title: 'uploaded pictures',
  registerTests(open: Open): void {
    test('an uploaded picture is shown to its member, and to others when a text of theirs shows it', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice, bob } = fixture;
      const shownTo = async () => [
        await isShown(fixture, picture('1'), { userId: bob, canModerate: false }),
        await isShown(fixture, picture('1'), { userId: alice, canModerate: true }),
        await isShown(fixture, picture('1')),
      ];

      assert.equal(await community.addUpload(asMember(bob), picture('1'), false), true);
      const uploaded = await shownTo();
      const draft = newPost(bob, { ...showing(picture('1')), status: 'draft' });
      const id = await community.addPost(asMember(bob), draft);
      const drafted = await shownTo();
      await community.publishDraft(asMember(bob, NOON + 1), id, { version: NOON, words: '', xp: 0 });
      const published = await shownTo();
      await community.removePost(asMember(bob), id, 0);

      assert.deepEqual(uploaded, [true, false, false]);
      assert.deepEqual(drafted, [true, false, false]);
      assert.deepEqual(published, [true, true, true]);
      assert.deepEqual(await shownTo(), [true, true, false]);
    });

    test('a picture has smaller versions, and itself for a width that it lacks', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, bob } = fixture;
      await community.addUpload(asMember(bob), picture('1'), false);
      const read = async (width?: number) => {
        const found = await community.findPicture(picture('1'), { userId: bob, canModerate: false }, width);
        return [...(found?.image ?? [])];
      };

      assert.deepEqual(
        [await read(), await read(320), await read(640)],
        [
          [0, 255, 1],
          [32, 1],
          [0, 255, 1],
        ],
      );
    });

    test('the text of another member doesn’t show a picture, and doesn’t keep it', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice, bob } = fixture;
      await community.addUpload(asMember(bob), picture('1'), false);

      const post = await community.addPost(asMember(alice), newPost(alice, showing(picture('1'))));
      await community.editPost(asMember(alice), post, newPost(alice, showing(picture('1'))));
      const comment = { postId: post, replyTo: undefined, ...showing(picture('1')), ...WORTH };
      const id = (await community.addComment(asMember(alice), comment)) ?? 0;
      await community.editComment(asMember(alice), id, showing(picture('1')));

      assert.equal(await isShown(fixture, picture('1')), false);
      await purgeAfter(fixture, 8);
      assert.equal(await stored(fixture), '');
    });

    test('a picture that no text shows for a week is deleted, and one that a text shows is not', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice, bob } = fixture;
      for (const digit of '12345') await community.addUpload(asMember(bob), picture(digit), false);
      await community.addUpload(asMember(alice), picture('6'), false);
      const post = await community.addPost(
        asMember(bob),
        newPost(bob, showing(picture('1'), picture('2'), picture('3'))),
      );
      const draft = newPost(bob, { ...showing(picture('4')), status: 'draft' });
      await community.addPost(asMember(bob), draft);
      const comment = { postId: post, replyTo: undefined, ...showing(picture('6')), ...WORTH };
      const id = (await community.addComment(asMember(alice), { ...comment, isWaiting: true })) ?? 0;

      await purgeAfter(fixture, 6);
      const before = await stored(fixture);
      await purgeAfter(fixture, 8);
      const unused = await stored(fixture);
      const later = asMember(bob, NOON + 10 * DAY);
      await community.editPost(later, post, newPost(bob, showing(picture('1'))));
      await community.editComment(asMember(alice, NOON + 10 * DAY), id, { body: 'Without.' });
      await purgeAfter(fixture, 16);
      const afterEdit = await stored(fixture);
      await community.editPost(asMember(bob, NOON + 16 * DAY), post, newPost(bob, showing(picture('2'))));
      await purgeAfter(fixture, 18);

      assert.deepEqual([before, unused, afterEdit], ['123456', '12346', '12346']);
      assert.equal(await stored(fixture), '124');
      assert.ok(await isShown(fixture, picture('2')));
      const { count } = (await fixture.database.first(selectVersions())) ?? {};
      assert.equal(Number(count), 3);
    });

    test('a text that leaves a picture out uses it no more, and uses it again when it shows it again', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, bob } = fixture;
      for (const digit of '12') await community.addUpload(asMember(bob), picture(digit), false);
      const both = showing(picture('1'), picture('2'));
      const post = await community.addPost(asMember(bob), newPost(bob, both));
      const comment = { postId: post, replyTo: undefined, ...both, ...WORTH };
      const id = (await community.addComment(asMember(bob), comment)) ?? 0;
      const uses = async () =>
        (await Array.fromAsync(ownPictures({ reads: community }, bob))).map((use) => [
          use.digest[0],
          use.commentId,
        ]);

      await community.editPost(asMember(bob), post, newPost(bob, showing(picture('1'))));
      await community.editComment(asMember(bob), id, showing(picture('2')));
      const edited = await uses();
      await community.editPost(asMember(bob), post, newPost(bob));
      await community.editComment(asMember(bob), id, { body: 'Without.' });
      const without = [await uses(), (await community.ownUnusedPictures(bob, 0, 10)).length];
      await community.editComment(asMember(bob), id, both);

      assert.deepEqual(edited, [
        ['1', undefined],
        ['2', id],
      ]);
      assert.deepEqual(without, [[], 2]);
      assert.deepEqual(await uses(), [
        ['1', id],
        ['2', id],
      ]);
    });

    test('a picture that moved to another text of its member stays', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, bob } = fixture;
      await community.addUpload(asMember(bob), picture('1'), false);
      const first = await community.addPost(asMember(bob), newPost(bob, showing(picture('1'))));
      const second = await community.addPost(asMember(bob), newPost(bob, showing(picture('1'))));

      await community.editPost(asMember(bob), second, newPost(bob));
      await community.removePost(asMember(bob, NOON + MINUTE), first, 0);
      const comment = { postId: second, replyTo: undefined, ...showing(picture('1')), ...WORTH };
      await community.addComment(asMember(bob), comment);
      await purgeAfter(fixture, 40);

      assert.equal(await stored(fixture), '1');
      assert.ok(await isShown(fixture, picture('1')));
    });

    test('a removed post takes its pictures with it, but not those that another text shows', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, bob } = fixture;
      for (const digit of '12') await community.addUpload(asMember(bob), picture(digit), false);
      const post = newPost(bob, showing(picture('1'), picture('2')));
      const id = await community.addPost(asMember(bob), post);
      await community.addPost(asMember(bob), newPost(bob, showing(picture('2'))));

      await community.removePost(asMember(bob), id, 0);
      await purgeAfter(fixture, 29);
      const restorable = await stored(fixture);
      await purgeAfter(fixture, 31);

      assert.equal(restorable, '12');
      assert.equal(await stored(fixture), '2');
    });

    test('the bytes of a member’s uploads are counted, and the unused ones are in the download', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice, bob } = fixture;
      for (const digit of '12') await community.addUpload(asMember(bob), picture(digit), false);
      await community.addUpload(asMember(alice), picture('3'), false);
      const id = await community.addPost(asMember(bob), newPost(bob, showing(picture('1'))));

      assert.equal(await community.uploadedBytes(bob), 6);
      const facts = (own: { digest: string; postId: number | undefined }[]) =>
        own.map(({ digest, postId }) => [digest[0], postId]);
      assert.deepEqual(facts(await Array.fromAsync(ownPictures({ reads: community }, bob))), [['1', id]]);
      assert.deepEqual(facts(await community.ownUnusedPictures(bob, 0, 10)), [['2', undefined]]);
    });

    test('closing the account deletes what is in no text at once, and the rest with the texts', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, identity, alice, bob } = fixture;
      for (const digit of '123') await community.addUpload(asMember(bob), picture(digit), false);
      await community.addUpload(asMember(alice), picture('4'), false);
      const post = await community.addPost(asMember(bob), newPost(bob, showing(picture('1'))));
      const comment = { postId: post, replyTo: undefined, ...showing(picture('2')), ...WORTH };
      await community.addComment(asMember(bob), comment);

      await identity.closeAccount(SERVER, bob);
      const closed = await stored(fixture);
      await purgeAfter(fixture, 6);
      await community.addPost(asMember(alice), newPost(alice, showing(picture('4'))));
      await purgeAfter(fixture, 31);

      assert.equal(closed, '14');
      assert.equal(await stored(fixture), '4');
      assert.equal(await community.addUpload(asMember(bob), picture('5'), false), false);
    });

    test('erasing a member erases their pictures', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, database, bob } = fixture;
      for (const digit of '12') await community.addUpload(asMember(bob), picture(digit), false);
      await community.addPost(asMember(bob), newPost(bob, showing(picture('1'))));

      await eraseMember(database, bob);

      assert.equal(await stored(fixture), '');
    });

    test('files are left over until their picture is stored, and again when it is deleted', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice, bob, identity } = fixture;
      for (const digit of '12') await community.noteFiles(asMember(bob, NOON - MINUTE), digit.repeat(32));
      await community.noteFiles(asMember(bob, NOON + MINUTE), '3'.repeat(32));
      const noted = await leftovers(fixture);
      await community.addUpload(asMember(bob), picture('1'), true);
      await community.addUpload(asMember(alice), picture('4'), false);
      const added = await leftovers(fixture);
      const found = await community.findPicture(picture('1'), { userId: bob, canModerate: false }, 320);

      await identity.closeAccount(SERVER, bob);
      await identity.closeAccount(SERVER, alice);

      assert.deepEqual([noted, added], ['12', '2']);
      assert.deepEqual([found?.isFile, found?.image.length], [true, 0]);
      assert.equal([...(await leftovers(fixture))].toSorted().join(''), '12');
      await community.forgetLeftoverFiles(['1'.repeat(32), '2'.repeat(32)]);
      assert.equal(await leftovers(fixture), '');
    });

    test('of a purge and a text that shows the picture again, the picture is lost or shown, and the text is saved', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, database, bob } = fixture;
      for (let round = 0; round < 5; round += 1) {
        await community.addUpload(asMember(bob), picture('1'), false);
        await atOnce(2, (index) =>
          index === 0
            ? purgeExpired(database, LIFETIMES, NOON + 8 * DAY, 500)
            : community.addPost(asMember(bob), newPost(bob, showing(picture('1')))),
        );
        const isStored = (await stored(fixture)) === '1';
        assert.equal(await isShown(fixture, picture('1')), isStored);
        const [post] = await community.newestPosts(1);
        assert.ok(post !== undefined);
        await community.editPost(asMember(bob), post.id, newPost(bob));
        await purgeAfter(fixture, 8);
      }
    });
  },
};
