// Drafts that are saved in several places, and removed posts that are restored.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE } from '../../../src/lib/clock.ts';
import { asMember, asOperator } from '../doers.ts';
import { atOnce, type Open, openFixture } from '../fixture.ts';
import { AS_DRAFT, NOON, newPost, publication, textOf } from '../records.ts';

const LATER = NOON + MINUTE;

export const draftsAndRemovedPosts = {
  title: 'drafts and removed posts',
  registerTests(open: Open): void {
    test('a draft is saved if its newest version is known, and not over a newer one', async (t) => {
      const { community, alice, bob } = await openFixture(open, t);
      const id = await community.addPost(asMember(bob), newPost(bob, AS_DRAFT));

      const first = await community.saveDraft(asMember(bob, LATER), id, textOf('one'), NOON);
      const stale = await community.saveDraft(asMember(bob, LATER), id, textOf('lost'), NOON);
      const second = await community.saveDraft(asMember(bob, LATER), id, textOf('two'), first);
      const anyway = await community.saveDraft(asMember(bob, LATER + 9), id, textOf('three'));
      const foreign = await community.saveDraft(asMember(alice, LATER), id, textOf('mine'));

      // Each change has a time of its own, even if the clock stands still.
      assert.deepEqual([first, stale, second, anyway], [LATER, undefined, LATER + 1, LATER + 9]);
      assert.equal(foreign, undefined);
      assert.equal((await community.findPost(id))?.title, 'three');
    });

    test('of 16 saves at once of the same version one happens', async (t) => {
      const { community, bob } = await openFixture(open, t);
      const id = await community.addPost(asMember(bob), newPost(bob, AS_DRAFT));

      const saves = await atOnce(16, (index) =>
        community.saveDraft(asMember(bob, LATER), id, textOf(`${index}`), NOON),
      );

      assert.equal(saves.filter((version) => version !== undefined).length, 1);
    });

    test('a published post is never saved as a draft, and only edited if its newest version is known', async (t) => {
      const { community, bob } = await openFixture(open, t);
      const id = await community.addPost(asMember(bob), newPost(bob));

      const saved = await community.saveDraft(asMember(bob, LATER), id, textOf('as a draft'));
      const stale = await community.editPost(asMember(bob, LATER), id, textOf('stale'), NOON - 1);
      const edited = await community.editPost(asMember(bob, LATER), id, textOf('edited'), NOON);

      assert.deepEqual([saved, stale, edited], [undefined, undefined, LATER]);
      assert.equal((await community.findPost(id))?.title, 'edited');
    });

    test('a draft without a title or without a text is not published', async (t) => {
      const { community, bob } = await openFixture(open, t);
      const untitled = await community.addPost(asMember(bob), newPost(bob, { ...AS_DRAFT, title: '' }));
      const empty = await community.addPost(asMember(bob), newPost(bob, { ...AS_DRAFT, body: '' }));

      assert.equal(await community.publishDraft(asMember(bob, LATER), untitled, publication()), false);
      assert.equal(await community.publishDraft(asMember(bob, LATER), empty, publication()), false);
    });

    test('a removed post is restored once, with its earlier status and its points', async (t) => {
      const { community, identity, alice, bob } = await openFixture(open, t);
      const published = await community.addPost(asMember(bob), newPost(bob));
      const draft = await community.addPost(asMember(bob), newPost(bob, AS_DRAFT));
      for (const id of [published, draft]) await community.removePost(asMember(bob, LATER), id, 10);
      const xpRemoved = (await identity.findUser(bob))?.xp;
      const removedPosts = await community.removedPostsOf(bob, NOON);

      const byAlice = await community.restorePost(asMember(alice, LATER), published, publication(), NOON);
      const tooLate = await community.restorePost(asMember(bob, LATER), published, publication(), LATER);
      const answers = await atOnce(8, () =>
        community.restorePost(asMember(bob, LATER), published, publication(), NOON),
      );
      const asDraft = await community.restorePost(asMember(bob, LATER), draft, publication(), NOON);

      assert.deepEqual([byAlice, tooLate, asDraft], [false, false, true]);
      assert.equal(answers.filter((happened) => happened).length, 1);
      assert.deepEqual(
        removedPosts.map(({ id, removedAt, isByOperator }) => [id, removedAt, isByOperator]),
        [
          [draft, LATER, false],
          [published, LATER, false],
        ],
      );
      assert.equal((await community.findPost(published))?.status, 'published');
      assert.equal((await community.findPost(published))?.publishedAt, NOON);
      assert.equal((await community.findPost(draft))?.status, 'draft');
      assert.equal(xpRemoved, 0);
      assert.equal((await identity.findUser(bob))?.xp, 10);
      assert.deepEqual(await community.removedPostsOf(bob, NOON), []);
    });

    test('its author can’t restore a post that an operator removed', async (t) => {
      const { community, alice, bob } = await openFixture(open, t);
      const id = await community.addPost(asMember(bob), newPost(bob));
      const subject = await community.findReportable({ postId: id });
      assert.ok(subject);
      const removal = { subject, xp: 10, weight: 1 };
      assert.ok(await community.removeContent(asOperator(alice, LATER), removal));

      const [removed] = await community.removedPostsOf(bob, NOON);

      assert.equal(removed?.isByOperator, true);
      assert.equal(await community.restorePost(asMember(bob, LATER), id, publication(), NOON), false);
    });
  },
};
