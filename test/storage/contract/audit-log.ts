// The audit log: which acts it has, entries whose subject gets its id from the database, and reading it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY } from '../../../src/lib/clock.ts';
import { asMember, asOperator, COMMAND_LINE, SERVER } from '../doers.ts';
import { addOperator, atOnce, auditActs, type Fixture, type Open, openFixture } from '../fixture.ts';
import { NOON, newClient, newPost, newUser } from '../records.ts';

/** Return the entries, oldest first. */
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
  registerTests(open: Open): void {
    test('each act has an entry with the actor; acts that changed nothing have none', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, oauth, community, alice, bob } = fixture;
      const olivia = await addOperator(fixture, 'olivia');
      const by = asOperator(olivia);

      await identity.setStatus(by, alice, 'active');
      await identity.setStatus(by, alice, 'suspended');
      await identity.setStatus(by, alice, 'suspended');
      await identity.setStatus(by, alice, 'active');
      await identity.setMemberUntil(by, alice, NOON + 30 * DAY);
      await identity.closeAccount(by, bob);
      await identity.closeAccount(by, bob);
      await identity.setStatus(by, olivia, 'suspended');
      await oauth.setClientStatus(COMMAND_LINE, 'pocket', 'deactivated');
      await oauth.setClientStatus(COMMAND_LINE, 'nothing', 'deactivated');
      await oauth.replaceClientSecret(
        COMMAND_LINE,
        'notebook',
        { digest: 'x'.repeat(43), ending: 'wxyz' },
        undefined,
      );
      await oauth.addClient(COMMAND_LINE, newClient('atlas'));
      await community.ensureCategory(by, 'craft', 'Craft', 100);
      await community.ensureCategory(by, 'craft', 'Craft', 100);
      await community.renameCategory(by, 'craft', 'Handwerk');
      await community.renameCategory(by, 'nothing', 'Nothing');
      // Neither the server's acts nor a member's own are logged.
      await identity.setStatus(SERVER, alice, 'suspended');
      await identity.closeAccount(asMember(alice), alice);

      assert.deepEqual([...(await auditActs(fixture))].reverse(), [
        `olivia user.suspend user:${alice}`,
        `olivia user.reactivate user:${alice}`,
        `olivia user.set_membership user:${alice}`,
        `olivia user.close user:${bob}`,
        'undefined client.deactivate client:pocket',
        'undefined client.rotate_secret client:notebook',
        'undefined client.create client:atlas',
        'olivia category.create category:craft',
        'olivia category.rename category:craft',
      ]);
    });

    test('the log can be read from any entry on, and for one subject alone', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, audit, alice, bob } = fixture;
      for (let day = 1; day <= 5; day += 1) {
        for (const userId of [alice, bob]) {
          await identity.setMemberUntil({ ...COMMAND_LINE, at: NOON + day }, userId, NOON + day * DAY);
        }
      }

      const first = await audit.auditEvents({ limit: 3 });
      const second = await audit.auditEvents({ before: first.at(-1)?.id, limit: 3 });
      const ofAlice = await audit.auditEvents({
        limit: 50,
        subject: { kind: 'user', id: String(alice) },
      });

      assert.deepEqual(
        [...first, ...second].map(({ at }) => at - NOON),
        [5, 5, 4, 4, 3, 3],
      );
      assert.equal(ofAlice.length, 5);
      assert.deepEqual(ofAlice[0]?.detail, { until: new Date(NOON + 5 * DAY).toISOString() });
    });

    test('a post from the command line has an entry with its id; a member’s own post has none', async (t) => {
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

    test('each of several posts that are added at once has an entry with its own id', async (t) => {
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

    test('an import has one entry for everything that it adds', async (t) => {
      const fixture = await openFixture(open, t);
      const { imports } = fixture;

      await imports.beginImport(COMMAND_LINE, { source: 'old site', format: 'jsonl' });
      await imports.ensureImportedCategory('craft', 'Craft', 100);
      await imports.addImportedMembers('old site', [{ externalId: '1', user: newUser('carol') }]);

      assert.deepEqual(await entriesOf(fixture), [
        [undefined, 'import', 'import:old site', { source: 'old site', format: 'jsonl' }],
      ]);
    });

    test('a category has an entry when it is added or renamed, not when it exists already', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice } = fixture;
      const byAlice = asOperator(alice);

      await community.ensureCategory(COMMAND_LINE, 'craft', 'Craft', 100);
      await community.ensureCategory(byAlice, 'craft', 'Craft', 100);
      await community.renameCategory(byAlice, 'craft', 'Crafts');
      await community.renameCategory(byAlice, 'nothing', 'Nothing');

      assert.deepEqual(await entriesOf(fixture), [
        [undefined, 'category.create', 'category:craft', {}],
        ['alice', 'category.rename', 'category:craft', { name: 'Crafts' }],
      ]);
    });
  },
};
