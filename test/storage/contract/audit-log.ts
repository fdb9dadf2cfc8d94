// The audit log: entries whose subject the database numbers, and entries that stand for many transactions.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asMember, asOperator, COMMAND_LINE, SERVER } from '../doers.ts';
import { atOnce, type Fixture, type Open, openFixture } from '../fixture.ts';
import { newPost, newUser } from '../records.ts';

/** The entries, oldest first. */
async function entriesOf({ audit }: Fixture): Promise<unknown[]> {
  const events = await audit.auditEvents({ limit: 50 });
  return events
    .map(({ action, subject, actorName, detail }) => [
      actorName,
      action,
      `${subject.kind}:${subject.id}`,
      detail,
    ])
    .reverse();
}

export const auditLog = {
  title: 'the audit log',
  promises(open: Open): void {
    test('a post from the command line has an entry with its number; a member’s own post has none', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, bob } = fixture;

      await community.addPost(asMember(bob), newPost(bob));
      await community.addPost(SERVER, newPost(bob));
      const post = await community.addPost(COMMAND_LINE, newPost(bob));
      const draft = await community.addPost(COMMAND_LINE, newPost(bob, { status: 'draft', xp: 0 }));

      assert.deepEqual(await entriesOf(fixture), [
        [undefined, 'post.create', `post:${post}`, { status: 'published' }],
        [undefined, 'post.create', `post:${draft}`, { status: 'draft' }],
      ]);
    });

    test('of posts that are added at once each has the entry with its own number', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, bob } = fixture;

      const ids = await atOnce(16, (index) => {
        const by = index % 2 === 0 ? COMMAND_LINE : asMember(bob);
        return community.addPost(by, newPost(bob));
      });

      const events = await fixture.audit.auditEvents({ limit: 50 });
      assert.deepEqual(
        new Set(events.map(({ subject }) => Number(subject.id))),
        new Set(ids.filter((_, index) => index % 2 === 0)),
      );
      assert.equal(events.length, 8);
    });

    test('an import has one entry for all that it adds', async (t) => {
      const fixture = await openFixture(open, t);
      const { imports } = fixture;

      await imports.beginImport(COMMAND_LINE, { source: 'old fixture', format: 'jsonl' });
      await imports.ensureImportedCategory('craft', 'Craft');
      await imports.addImportedMembers('old fixture', [{ externalId: '1', user: newUser('carol') }]);

      assert.deepEqual(await entriesOf(fixture), [
        [undefined, 'import', 'import:old fixture', { source: 'old fixture', format: 'jsonl' }],
      ]);
    });

    test('a category has an entry when it is added or renamed, not when it exists already', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice } = fixture;
      const byAlice = asOperator(alice);

      await community.ensureCategory(COMMAND_LINE, 'craft', 'Craft');
      await community.ensureCategory(byAlice, 'craft', 'Craft');
      await community.renameCategory(byAlice, 'craft', 'Crafts');
      await community.renameCategory(byAlice, 'nothing', 'Nothing');

      assert.deepEqual(await entriesOf(fixture), [
        [undefined, 'category.create', 'category:craft', {}],
        ['alice', 'category.rename', 'category:craft', { name: 'Crafts' }],
      ]);
    });
  },
};
