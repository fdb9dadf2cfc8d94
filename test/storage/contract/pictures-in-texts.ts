// Pictures that texts show no more, and pictures in many texts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asMember } from '../doers.ts';
import { type Open, openFixture } from '../fixture.ts';
import { newPost } from '../records.ts';
import { isShown, picture, showing } from './uploaded-pictures.ts';

const WORTH = { xp: 2, weight: 1000 };

export const picturesInTexts = {
  title: 'pictures in texts',
  registerTests(open: Open): void {
    test('a text that leaves a picture out uses it no more, and uses it again when it shows it again', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, bob } = fixture;
      for (const digit of '12') await community.addUpload(asMember(bob), picture(digit), false);
      const both = showing(picture('1'), picture('2'));
      const post = await community.addPost(asMember(bob), newPost(bob, both));
      const comment = { postId: post, replyTo: undefined, ...both, ...WORTH };
      const id = (await community.addComment(asMember(bob), comment)) ?? 0;
      const uses = async () =>
        (await community.ownPictures(bob, 0, 10)).map((use) => [use.digest[0], use.commentId]);

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

    test('a picture in many long drafts is refused to others without a search of the drafts', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, bob } = fixture;
      await community.addUpload(asMember(bob), picture('1'), false);
      const { body, pictures } = showing(picture('1'));
      const alike = `${'1'.repeat(31)}x`.repeat(3_000);
      const text = { body: `${alike} ${body}`, pictures, status: 'draft' } as const;
      for (let draft = 0; draft < 100; draft += 1) await community.addPost(asMember(bob), newPost(bob, text));
      const times: number[] = [];

      for (let round = 0; round < 5; round += 1) {
        const start = performance.now();
        assert.equal(await isShown(fixture, picture('1')), false);
        times.push(performance.now() - start);
      }

      assert.ok(Math.min(...times) < 60, `${times} ms`);
    });
  },
};
