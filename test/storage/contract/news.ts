// Mails about answers and digests: whom they are queued for, once each, however many processes do it at once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, HOUR, MINUTE } from '../../../src/lib/clock.ts';
import type { TestScope } from '../../support/databases.ts';
import { asMember, SERVER } from '../doers.ts';
import { addComment, atOnce, type Fixture, type Open, openFixture, waitingMails } from '../fixture.ts';
import { NOON, newPost, newUser } from '../records.ts';

/** Carol has an address, has signed in, and has a post, on which bob comments so many times. */
async function openWithComments(open: Open, scope: TestScope, comments: number) {
  const fixture = await openFixture(open, scope);
  const { identity, community, bob } = fixture;
  const email = 'carol@x.example';
  const carol = await identity.addUser(SERVER, newUser('carol', { email, emailKey: email }));
  assert.ok(typeof carol === 'number');
  await identity.setLanguage(asMember(carol), 'en');
  const postId = await community.addPost(asMember(carol), newPost(carol));
  const comment = () => addComment(fixture, postId, bob);
  for (let index = 0; index < comments; index += 1) await comment();
  return { ...fixture, carol, comment };
}

const MAIL = 'answers carol@x.example';

async function queue({ community }: Fixture, at: number): Promise<boolean> {
  const { after, next } = await community.notificationsToMail(100);
  const through = next.at(-1)?.id ?? after;
  return community.queueAnswers({ after, through, at, pace: HOUR, claimedUntil: at + 5 * MINUTE });
}

export const news = {
  title: 'mails about answers, and digests',
  registerTests(open: Open): void {
    test('a member chooses, and has no choice before', async (t) => {
      const { community, alice } = await openFixture(open, t);

      const before = await community.mailChoice(alice);
      await community.chooseMails(asMember(alice), { answers: false, digest: true }, NOON);

      assert.equal(before, undefined);
      assert.deepEqual(await community.mailChoice(alice), { answers: false, digest: true });
    });

    test('of five processes, one queues one mail about several answers', async (t) => {
      const fixture = await openWithComments(open, t, 3);
      const { after, next } = await fixture.community.notificationsToMail(100);
      const answers = { after, through: next.at(-1)?.id ?? 0, at: NOON, pace: HOUR, claimedUntil: NOON };

      const queued = await atOnce(5, () => fixture.community.queueAnswers(answers));

      assert.deepEqual(queued.sort(), [false, false, false, false, true]);
      assert.deepEqual(await waitingMails(fixture), [MAIL]);
      assert.deepEqual(
        (await fixture.community.answersAfter(fixture.carol, after, 10)).map(({ kind, authorName }) => [
          kind,
          authorName,
        ]),
        Array.from({ length: 3 }, () => ['comment', 'bob']),
      );
    });

    test('no second mail is queued while one waits, and the next is due an hour after the last', async (t) => {
      const fixture = await openWithComments(open, t, 1);
      const { identity, community, comment } = fixture;
      await queue(fixture, NOON);
      await comment();
      await queue(fixture, NOON + MINUTE);
      const waiting = await identity.mailsDue(NOON + DAY, 10);
      for (const mail of waiting) await identity.removeMail(mail.id);
      await comment();
      await queue(fixture, NOON + 2 * MINUTE);
      const next = await identity.mailsDue(NOON + DAY, 10);

      assert.equal(waiting.length, 1);
      assert.deepEqual(
        next.map(({ nextAttemptAt }) => nextAttemptAt),
        [NOON + HOUR],
      );
      const { after } = next[0]?.about ?? {};
      assert.equal((await community.answersAfter(fixture.carol, after ?? 0, 10)).length, 1);
    });

    test('an answer that comes while a mail is being sent is in the next one', async (t) => {
      const fixture = await openWithComments(open, t, 1);
      const { identity, comment } = fixture;
      await queue(fixture, NOON);
      const [mail] = await identity.mailsDue(NOON, 10);
      assert.ok(mail !== undefined && (await identity.claimMail(mail, NOON + 5 * MINUTE)));

      await comment();
      await queue(fixture, NOON + MINUTE);

      assert.deepEqual(await waitingMails(fixture), [MAIL, MAIL]);
    });

    test('while the mail server is down, one mail waits and lists what comes meanwhile', async (t) => {
      const fixture = await openWithComments(open, t, 1);
      const { identity, community, carol, comment } = fixture;
      await queue(fixture, NOON);
      const [mail] = await identity.mailsDue(NOON, 10);
      assert.ok(mail !== undefined && (await identity.claimMail(mail, NOON + 5 * MINUTE)));
      await identity.postponeMail(mail.id, NOON + 6 * HOUR, 'connection refused');

      await comment();
      await queue(fixture, NOON + HOUR);

      assert.equal((await identity.mailsDue(NOON + DAY, 10)).length, 1);
      assert.equal((await community.answersAfter(carol, mail.about.after ?? 0, 10)).length, 2);
    });

    test('of five processes, one queues a digest, and a digest chosen before keeps its day', async (t) => {
      const fixture = await openWithComments(open, t, 0);
      const { community, carol } = fixture;
      await community.chooseMails(asMember(carol), { answers: true, digest: true }, NOON);
      await community.chooseMails(asMember(carol), { answers: false, digest: true }, NOON + DAY);
      const due = await community.digestsDue(NOON, 10);
      const [digest] = due;
      assert.ok(digest !== undefined);

      const queued = await atOnce(5, () => community.queueDigest(digest, NOON + 7 * DAY, NOON));

      assert.deepEqual(due, [{ userId: carol, dueAt: NOON }]);
      assert.equal(queued.filter(Boolean).length, 1);
      assert.deepEqual(await waitingMails(fixture), ['digest carol@x.example']);
      assert.deepEqual(await community.digestsDue(NOON + DAY, 10), []);
    });
  },
};
