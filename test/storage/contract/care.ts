// Care: pictures, the last operator, closing an account, reports and their end, the operators' book, lists of members.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, MINUTE } from '../../../src/lib/clock.ts';
import { asMember, asOperator, COMMAND_LINE, SERVER } from '../doers.ts';
import { atOnce, type Fixture, type Open, openFixture, signedIn } from '../fixture.ts';
import { NOON, newClient, newPersonalToken, newPost, newUser } from '../records.ts';

const LATER = NOON + MINUTE;

async function operator({ identity }: Fixture, username: string): Promise<number> {
  const id = await identity.addUser(SERVER, newUser(username, { isOperator: true }));
  assert.ok(typeof id === 'number');
  return id;
}

async function comment(
  fixture: Fixture,
  postId: number,
  userId: number,
  body = 'Well said.',
): Promise<number> {
  const comment = { postId, answers: undefined, body, xp: 2, weight: 1 };
  const id = await fixture.community.addComment(asMember(userId), comment);
  assert.ok(id !== undefined);
  return id;
}

async function report(fixture: Fixture, reporterId: number, postId: number, commentId?: number) {
  const report = { postId, commentId, reason: 'spam', note: 'Look.' } as const;
  return fixture.community.addReport(asMember(reporterId), report);
}

async function book({ audit }: Fixture): Promise<string[]> {
  const events = await audit.auditEvents({ limit: 50 });
  return events.map(
    ({ action, subject, actorName }) => `${actorName} ${action} ${subject.kind}:${subject.id}`,
  );
}

export const care = {
  title: 'care',
  promises(open: Open): void {
    test('a picture is kept under its version, replaced by the next, and gone when removed', async (t) => {
      const { identity, alice, bob } = await openFixture(open, t);

      const kept = await identity.setAvatar(asMember(alice), 'aaaaaaaaaaaa', Buffer.from([0, 255, 7]));
      const first = await identity.findAvatar(alice, 'aaaaaaaaaaaa');
      const user = await identity.findUser(alice);
      await identity.setAvatar(asMember(alice, LATER), 'bbbbbbbbbbbb', Buffer.from('second'));
      const [old, second] = [
        await identity.findAvatar(alice, 'aaaaaaaaaaaa'),
        await identity.findAvatar(alice, 'bbbbbbbbbbbb'),
      ];
      const foreign = await identity.findAvatar(bob, 'bbbbbbbbbbbb');
      await identity.removeAvatar(asMember(alice));

      assert.equal(kept, true);
      assert.deepEqual([...(first ?? [])], [0, 255, 7]);
      assert.equal(user?.avatar, 'aaaaaaaaaaaa');
      assert.equal(old, undefined);
      assert.equal(Buffer.from(second ?? []).toString(), 'second');
      assert.equal(foreign, undefined);
      assert.equal((await identity.findUser(alice))?.avatar, undefined);
      assert.equal(await identity.findAvatar(alice, 'bbbbbbbbbbbb'), undefined);
    });

    test('the last operator who can act is neither suspended nor closed nor made a member', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity } = fixture;
      const olivia = await operator(fixture, 'olivia');
      const otto = await operator(fixture, 'otto');
      assert.equal(await identity.setStatus(SERVER, otto, 'suspended'), true);

      const answers = [
        await identity.setStatus(SERVER, olivia, 'suspended'),
        await identity.closeAccount(SERVER, olivia),
        await identity.setOperator(SERVER, olivia, false),
      ];

      assert.deepEqual(answers, [false, false, false]);
      assert.equal(await identity.hasOtherOperator(olivia), false);
      assert.deepEqual(
        [(await identity.findUser(olivia))?.status, (await identity.findUser(olivia))?.isOperator],
        ['active', true],
      );
      // Who can't act already is not needed.
      assert.equal(await identity.closeAccount(SERVER, otto), true);
    });

    test('of operators who act on one another at once, one is left who can', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity } = fixture;
      const operators = await Promise.all(['o1', 'o2', 'o3', 'o4'].map((name) => operator(fixture, name)));

      await atOnce(16, (index) => identity.setStatus(SERVER, operators[index % 4] ?? 0, 'suspended'));

      const users = await Promise.all(operators.map((id) => identity.findUser(id)));
      assert.equal(users.filter((user) => user?.status === 'active').length, 1);
    });

    test('an operator is made and unmade', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice, bob } = fixture;
      await operator(fixture, 'olivia');
      await identity.setStatus(SERVER, bob, 'suspended');

      const made = await identity.setOperator(COMMAND_LINE, alice, true);
      const during = (await identity.findUser(alice))?.isOperator;
      const unmade = await identity.setOperator(COMMAND_LINE, alice, false);

      assert.deepEqual([made, during, unmade], [true, true, true]);
      assert.equal((await identity.findUser(alice))?.isOperator, false);
      assert.equal(await identity.setOperator(COMMAND_LINE, bob, true), false);
      assert.deepEqual(await book(fixture), [
        `undefined user.unmake_operator user:${alice}`,
        `undefined user.make_operator user:${alice}`,
      ]);
    });

    test('closing takes words from sight and deletes what tells of the person, and nothing of anybody else', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, community, oauth, bob } = fixture;
      const carol = await identity.addUser(
        SERVER,
        newUser('carol', { email: 'carol@x.example', emailKey: 'carol@x.example', bio: 'Sings.' }),
      );
      assert.ok(typeof carol === 'number');
      await identity.setAvatar(asMember(carol), 'aaaaaaaaaaaa', Buffer.from('picture'));
      const own = await community.addPost(asMember(carol), newPost(carol, { xp: 10 }));
      const draft = await community.addPost(asMember(carol), newPost(carol, { status: 'draft', xp: 0 }));
      const bobs = await community.addPost(asMember(bob), newPost(bob));
      const [hers, other] = [
        await comment(fixture, bobs, carol, 'Hers.'),
        await comment(fixture, bobs, bob, 'His.'),
      ];
      await comment(fixture, own, bob);
      await oauth.addPersonalToken(asMember(carol), newPersonalToken(carol), 50);
      await signedIn(fixture, carol, 'notebook');
      const bobsXp = (await identity.findUser(bob))?.xp;

      const closed = await identity.closeAccount({ ...SERVER, at: LATER }, carol);

      const user = await identity.findUser(carol);
      assert.equal(closed, true);
      assert.deepEqual(
        [user?.status, user?.email, user?.bio, user?.avatar, user?.username],
        ['closed', undefined, '', undefined, 'carol'],
      );
      assert.equal(await identity.findAvatar(carol, 'aaaaaaaaaaaa'), undefined);
      assert.deepEqual(
        [(await community.findPost(own))?.status, (await community.findPost(draft))?.status],
        ['removed', 'removed'],
      );
      assert.equal((await community.publishedPostsOf(carol, 0, 20)).total, 0);
      assert.equal(await community.findComment(hers), undefined);
      assert.equal((await community.ownComments(carol, 0, 10))[0]?.body, '');
      assert.equal((await community.findComment(other))?.body, 'His.');
      assert.equal((await community.findPost(bobs))?.commentCount, 1);
      assert.equal((await identity.findUser(bob))?.xp, bobsXp);
      assert.equal(await oauth.countGrants('notebook'), 0);
      // The address is free again; the name is not.
      const again = await identity.addUser(
        SERVER,
        newUser('dave', { email: 'carol@x.example', emailKey: 'carol@x.example' }),
      );
      assert.ok(typeof again === 'number');
      assert.equal(await identity.addUser(SERVER, newUser('carol')), 'username_taken');
    });

    test('a closed account gets no picture any more', async (t) => {
      const { identity, alice } = await openFixture(open, t);
      await identity.closeAccount(SERVER, alice);

      const kept = await identity.setAvatar(asMember(alice, LATER), 'aaaaaaaaaaaa', Buffer.from('picture'));

      assert.equal(kept, false);
      assert.equal(await identity.findAvatar(alice, 'aaaaaaaaaaaa'), undefined);
    });

    test('each act is in the book with who did it; what did not happen is not', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, oauth, community, alice, bob } = fixture;
      const olivia = await operator(fixture, 'olivia');
      const by = asOperator(olivia);

      await identity.setStatus(by, alice, 'suspended');
      await identity.setStatus(by, alice, 'active');
      await identity.setMemberUntil(by, alice, NOON + 30 * DAY);
      await identity.closeAccount(by, bob);
      await identity.closeAccount(by, bob);
      await identity.setStatus(by, olivia, 'suspended');
      await oauth.setClientStatus(COMMAND_LINE, 'pocket', 'deactivated');
      await oauth.setClientStatus(COMMAND_LINE, 'nothing', 'deactivated');
      await oauth.replaceClientSecret(COMMAND_LINE, 'notebook', 'x'.repeat(43));
      await oauth.addClient(COMMAND_LINE, newClient('atlas'));
      await community.ensureCategory(by, 'craft', 'Craft');
      await community.ensureCategory(by, 'craft', 'Craft');
      await community.renameCategory(by, 'craft', 'Handwerk');
      await community.renameCategory(by, 'nothing', 'Nothing');
      // Neither the server's acts nor a member's own are logged.
      await identity.setStatus(SERVER, alice, 'suspended');
      await identity.closeAccount(asMember(alice), alice);

      assert.deepEqual([...(await book(fixture))].reverse(), [
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

    test('the book is read from any place on, and for one subject alone', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, audit, alice, bob } = fixture;
      for (let day = 1; day <= 5; day += 1) {
        for (const who of [alice, bob]) {
          await identity.setMemberUntil({ ...COMMAND_LINE, at: NOON + day }, who, NOON + day * DAY);
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

    test('a member reports a thing once until it is decided, also in calls at once', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice, bob } = fixture;
      const post = await community.addPost(asMember(bob), newPost(bob));
      const answer = await comment(fixture, post, bob);

      const answers = await atOnce(8, () => report(fixture, alice, post));

      assert.equal(answers.filter(Boolean).length, 1);
      assert.equal(await report(fixture, alice, post, answer), true);
      assert.equal(await community.countOpenReports(10), 2);
      assert.equal(await community.countOpenReports(1), 1);
      const subject = { postId: post, commentId: undefined };
      await community.closeReports(asOperator(alice, LATER), subject, 'kept');
      assert.equal(await report(fixture, alice, post), true);
    });

    test('the queue gathers reports by what they are about, the longest waiting first', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice, bob } = fixture;
      const [first, second] = [
        await community.addPost(asMember(bob), newPost(bob)),
        await community.addPost(asMember(bob), newPost(bob)),
      ];
      const answer = await comment(fixture, first, bob, 'Buy **arches**.');
      await report(fixture, alice, second);
      await report(fixture, alice, first, answer);
      await report(fixture, bob, second);

      const queue = await community.openReports(10);

      assert.deepEqual(
        queue.map(({ subject, reports }) => [
          subject.postId,
          subject.commentId,
          reports.map((r) => r.reporterName),
        ]),
        [
          [second, undefined, ['alice', 'bob']],
          [first, answer, ['alice']],
        ],
      );
      assert.equal(queue[1]?.subject.text, 'Buy **arches**.');
      assert.equal((await community.openReports(1)).length, 1);
    });

    test('a reported post is removed with its points, its author is told, and its reports are closed', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, identity, alice, bob } = fixture;
      const olivia = await operator(fixture, 'olivia');
      const post = await community.addPost(asMember(bob), newPost(bob, { xp: 10 }));
      const answer = await comment(fixture, post, bob);
      await report(fixture, alice, post);
      await report(fixture, alice, post, answer);
      const subject = await community.findReportable({ postId: post });
      assert.ok(subject !== undefined);
      const removal = { subject, xp: 10, weight: 1 };

      const answers = await atOnce(4, () => community.removeReported(asOperator(olivia, LATER), removal));

      assert.deepEqual(answers.filter(Boolean).length, 1);
      assert.equal((await community.findPost(post))?.status, 'removed');
      assert.equal((await identity.findUser(bob))?.xp, 2);
      assert.equal(await community.countOpenReports(10), 0);
      const notifications = await community.notificationsOf(bob, 1e9, 10);
      assert.deepEqual(
        notifications.map(({ kind, postId }) => [kind, postId]),
        [['removal', post]],
      );
      assert.deepEqual(await book(fixture), [`olivia post.remove post:${post}`]);
      // What operators removed its author does not bring back.
      assert.equal(await community.restorePost(asMember(bob, LATER), post, 10, NOON), false);
      assert.equal(await community.findReportable({ postId: post }), undefined);
    });

    test('a reported comment is removed alone', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, identity, alice, bob } = fixture;
      const post = await community.addPost(asMember(alice), newPost(alice, { xp: 10 }));
      const answer = await comment(fixture, post, bob);
      await report(fixture, alice, post);
      await report(fixture, alice, post, answer);
      const subject = await community.findReportable({ commentId: answer });
      assert.ok(subject !== undefined);

      const removal = { subject, xp: 2, weight: 1 };
      const done = await community.removeReported(asOperator(alice, LATER), removal);

      assert.equal(done, true);
      assert.equal(await community.findComment(answer), undefined);
      assert.equal((await community.findPost(post))?.status, 'published');
      assert.equal((await community.findPost(post))?.commentCount, 0);
      assert.deepEqual([(await identity.findUser(bob))?.xp, (await identity.findUser(alice))?.xp], [0, 10]);
      assert.equal(await community.countOpenReports(10), 1);
      const notifications = await community.notificationsOf(bob, 1e9, 10);
      assert.deepEqual(
        notifications.map(({ kind, commentId }) => [kind, commentId]),
        [['removal', answer]],
      );
    });

    test('members are listed the newest first, or by the beginning of their names, from any place on', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice, bob } = fixture;
      const olivia = await operator(fixture, 'olivia');
      for (const name of ['bo', 'bobby', 'Bob.2', '伯博', 'bpb']) {
        await identity.addUser(SERVER, newUser(name, { usernameKey: name.toLowerCase() }));
      }
      await identity.setStatus(SERVER, alice, 'suspended');
      const names = (users: { username: string }[]) => users.map(({ username }) => username);

      assert.deepEqual(names(await identity.newestMembers('all', undefined, 2)), ['bpb', '伯博']);
      assert.deepEqual(names(await identity.newestMembers('all', olivia, 10)), ['bob', 'alice']);
      assert.deepEqual(names(await identity.newestMembers('suspended', undefined, 10)), ['alice']);
      assert.deepEqual(names(await identity.newestMembers('operators', undefined, 10)), ['olivia']);
      assert.deepEqual(names(await identity.membersNamed('bob', undefined, 10)), ['bob', 'Bob.2', 'bobby']);
      assert.deepEqual(names(await identity.membersNamed('bob', 'bob.2', 10)), ['bobby']);
      assert.deepEqual(names(await identity.membersNamed('伯', undefined, 10)), ['伯博']);
      assert.deepEqual(names(await identity.membersNamed('b%', undefined, 10)), []);
      assert.deepEqual(await identity.countMembers(10), { made: bob + 6, suspended: 1, closed: 0 });
    });

    test('applications are listed the newest first, with who runs them', async (t) => {
      const { oauth } = await openFixture(open, t);

      const all = await oauth.clientsBefore(undefined, 10);
      const rest = await oauth.clientsBefore(all[0]?.client.id, 10);

      assert.deepEqual(
        all.map(({ client, ownerName }) => [client.id, ownerName]),
        [
          ['pocket', undefined],
          ['notebook', 'bob'],
        ],
      );
      assert.deepEqual(
        rest.map(({ client }) => client.id),
        ['notebook'],
      );
    });

    test('a member’s own posts, comments and likes are read in pieces, each once', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice, bob } = fixture;
      // All at one moment: the place is told by the number then.
      const ids = [];
      for (let n = 0; n < 5; n += 1) ids.push(await community.addPost(asMember(alice), newPost(alice)));
      await community.addPost(asMember(bob), newPost(bob));
      const before = { at: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };

      const first = await community.ownPosts(alice, 'published', before, 3);
      const last = first.at(-1);
      const second = await community.ownPosts(alice, 'published', { at: NOON, id: last?.id ?? 0 }, 3);
      await community.removePost(asMember(alice, LATER), ids[0] ?? 0, 10);

      assert.deepEqual(
        [...first, ...second].map(({ id }) => id),
        [...ids].reverse(),
      );
      assert.equal(first[0]?.body, 'An arch *never* sleeps.');
      assert.deepEqual(
        (await community.ownPosts(alice, 'removed', before, 3)).map(({ id, removedAt }) => [id, removedAt]),
        [[ids[0], LATER]],
      );
      assert.deepEqual(await community.ownPosts(alice, 'draft', before, 3), []);
      await comment(fixture, ids[1] ?? 0, alice, 'One.');
      await comment(fixture, ids[1] ?? 0, alice, 'Two.');
      const [one] = await community.ownComments(alice, 0, 1);
      const [two] = await community.ownComments(alice, one?.id ?? 0, 1);
      assert.deepEqual([one?.body, two?.body], ['One.', 'Two.']);
    });
  },
};
