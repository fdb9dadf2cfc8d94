// Mentions: which names become links, and who is told, once each.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { byServer } from '../../src/audit/doer.ts';
import { approve } from '../../src/community/approval.ts';
import { comment, editComment, removeComment, reply } from '../../src/community/comment.ts';
import type { Community } from '../../src/community/community.ts';
import { MOST_NOTIFIED } from '../../src/community/mention.ts';
import { preview } from '../../src/community/preview.ts';
import { htmlOf } from '../../src/community/rendering.ts';
import { publish, save, write } from '../../src/community/writing.ts';
import { renameUser } from '../../src/identity/renaming.ts';
import { HOUR } from '../../src/lib/clock.ts';
import { NO_ENTRY } from '../../src/storage/audit/audit-trail.ts';
import { sql } from '../../src/storage/engine/sql.ts';
import { setStatus } from '../support/people.ts';
import { openForum, text } from './forum.ts';

type Forum = Awaited<ReturnType<typeof openForum>>;

async function told({ community }: Forum, userId: number): Promise<string[]> {
  const notifications = await community.reads.notificationsOf(userId, Number.MAX_SAFE_INTEGER, 100);
  return notifications.map(({ kind }) => kind).reverse();
}

async function htmlOfPost({ community }: Forum, id: number): Promise<string> {
  const post = await community.reads.findPost(id);
  return post === undefined ? '' : htmlOf(community, 'post', post);
}

/** Let bob publish a post, with his limits. */
async function bobPublishes(forum: Forum, body: string): Promise<number> {
  const post = await write(forum.as(forum.bob), forum.community, {
    authorId: forum.bob,
    text: text({ body }),
    status: 'published',
  });
  assert.ok('id' in post);
  return post.id;
}

function idOf(result: object | undefined): number {
  assert.ok(result !== undefined && 'id' in result);
  return Number(result.id);
}

describe('A name behind an @', () => {
  test('links to the page of the member, whatever its case, and not in code or in a link', async (t) => {
    const forum = await openForum(t);

    const id = await bobPublishes(forum, '@Alice, `@alice` [@alice](/x) @nobody a@alice.example');

    assert.equal(
      await htmlOfPost(forum, id),
      `<p><a class="mention" href="/members/${forum.alice}">@Alice</a>, <code>@alice</code> ` +
        '<a href="/x" rel="nofollow ugc noopener">@alice</a> @nobody ' +
        '<a href="mailto:a@alice.example" rel="nofollow ugc noopener">a@alice.example</a></p>\n',
    );
  });

  test('is found in front of Chinese words, which have no space between them', async (t) => {
    const forum = await openForum(t);

    const id = await bobPublishes(forum, '感谢@alice你好，@bobby');

    assert.equal(
      await htmlOfPost(forum, id),
      `<p>感谢<a class="mention" href="/members/${forum.alice}">@alice</a>你好，@bobby</p>\n`,
    );
  });

  test('leads to the member also after a rename, and is no link to the name in a new text', async (t) => {
    const forum = await openForum(t);
    const first = await bobPublishes(forum, '@alice');
    const alice = await forum.identity.reads.findUser(forum.alice);
    assert.ok(alice !== undefined);
    await renameUser(byServer(forum.community.clock), forum.identity, alice, {
      to: 'alicia',
      language: 'en',
    });

    const second = await bobPublishes(forum, '@alice @alicia');

    const link = `<a class="mention" href="/members/${forum.alice}">`;
    assert.equal(await htmlOfPost(forum, first), `<p>${link}@alice</a></p>\n`);
    assert.equal(await htmlOfPost(forum, second), `<p>@alice ${link}@alicia</a></p>\n`);
  });

  test('of a closed account is no link, and of a suspended one a link that tells no one', async (t) => {
    const forum = await openForum(t);
    await setStatus(forum.identity, forum.alice, 'suspended');
    const first = await bobPublishes(forum, '@alice');
    await setStatus(forum.identity, forum.alice, 'closed');
    const second = await bobPublishes(forum, '@alice');

    assert.match(await htmlOfPost(forum, first), /<a class="mention"/);
    assert.equal(await htmlOfPost(forum, second), '<p>@alice</p>\n');
    assert.deepEqual(await told(forum, forum.alice), []);
  });

  test('is a link in a preview, and after the server has rendered the text anew', async (t) => {
    const forum = await openForum(t);
    const { community } = forum;

    const shown = await preview(forum.as(forum.bob), community, text({ body: '@alice' }));
    const stored = { id: 0, body: '@alice', html: undefined, htmlVersion: 0 };

    assert.deepEqual(shown, {
      html: `<p><a class="mention" href="/members/${forum.alice}">@alice</a></p>\n`,
    });
    assert.equal(await htmlOf(community, 'post', stored), 'html' in shown ? shown.html : '');
    assert.deepEqual(await told(forum, forum.alice), []);
  });

  test('can’t be forged by writing the mark of the parser', async (t) => {
    const forum = await openForum(t);

    const id = await bobPublishes(forum, '<mention>@alice</mention> `<mention>@alice</mention>`');

    assert.doesNotMatch(
      await htmlOfPost(forum, id),
      /<mention>|class="mention" href="\/members\/\d+">@alice<\/a>&lt;\/mention>`/,
    );
    assert.match(await htmlOfPost(forum, id), /<code>&lt;mention&gt;@alice&lt;\/mention&gt;<\/code>/);
  });
});

describe('A member is told of a mention', () => {
  test('in a post when it is published, and not while it is a draft', async (t) => {
    const forum = await openForum(t);
    const { community } = forum;
    const by = forum.as(forum.bob);
    const id = idOf(
      await write(by, community, { authorId: forum.bob, text: text({ body: '@alice' }), status: 'draft' }),
    );
    await save(
      by,
      community,
      { id, status: 'draft' },
      { text: text({ body: '@alice!' }), version: undefined },
    );
    assert.deepEqual(await told(forum, forum.alice), []);

    await publish(by, community, id);

    assert.deepEqual(await told(forum, forum.alice), ['mention']);
  });

  test('or the text stays a draft, if the member’s other texts are being rendered', async (t) => {
    const forum = await openForum(t);
    const { community } = forum;
    const by = forum.as(forum.bob);
    const draft = { authorId: forum.bob, text: text({ body: '@alice' }), status: 'draft' } as const;
    const id = idOf(await write(by, community, draft));
    const renderer = { ...community.renderer, render: async () => ({ problem: 'busy' as const }) };

    assert.deepEqual(await publish(by, { ...community, renderer }, id), { problems: { body: 'busy' } });

    assert.deepEqual(await told(forum, forum.alice), []);
    idOf(await publish(by, community, id));
    assert.deepEqual(await told(forum, forum.alice), ['mention']);
  });

  test('once: an edit tells only those whom it adds', async (t) => {
    const forum = await openForum(t);
    const { community } = forum;
    const carol = await forum.join('carol');
    const id = await bobPublishes(forum, 'With @alice');
    // As after 90 days.
    await forum.database.atomically({ audit: NO_ENTRY, guard: sql`DELETE FROM notifications`() });

    const edit = { text: text({ body: 'With @alice and @carol' }), version: undefined };
    await save(forum.as(forum.bob), community, { id, status: 'published' }, edit);

    assert.deepEqual(await told(forum, forum.alice), []);
    assert.deepEqual(await told(forum, carol), ['mention']);
  });

  test('in a comment, and once if it is also a reply, or on a post of theirs', async (t) => {
    const forum = await openForum(t);
    const { community } = forum;
    const carol = await forum.join('carol');
    const post = await bobPublishes(forum, 'Bread');
    const first = idOf(await comment(forum.as(carol), community, post, 'Good, @bob! @alice?'));
    const second = idOf(await reply(forum.as(forum.alice), community, first, '@carol yes, @bob'));

    assert.deepEqual(await told(forum, forum.alice), ['mention']);
    assert.deepEqual(await told(forum, forum.bob), ['comment', 'comment']);
    assert.deepEqual(await told(forum, carol), ['reply']);

    const dora = await forum.join('dora');
    await editComment(forum.as(forum.alice), community, second, '@carol yes, @bob @dora');
    assert.deepEqual(await told(forum, dora), ['mention']);
    assert.deepEqual(await told(forum, carol), ['reply']);

    await removeComment(forum.as(forum.alice), community, second);
    assert.deepEqual(await told(forum, dora), []);
  });

  test('not by their own text', async (t) => {
    const forum = await openForum(t);

    await bobPublishes(forum, 'I, @bob');

    assert.deepEqual(await told(forum, forum.bob), []);
  });

  test('when a moderator approves the text, and not while it waits', async (t) => {
    const forum = await openForum(t);
    const community: Community = { ...forum.community, textsToApprove: () => 5 };
    const post = await forum.bobWrites('published');
    const carol = await forum.join('carol');
    const byCarol = forum.as(carol);
    await comment(byCarol, community, post, 'Hello @alice');
    await write(byCarol, community, { authorId: carol, text: text({ body: '@alice' }), status: 'published' });
    assert.deepEqual(await told(forum, forum.alice), []);

    const moderator = { kind: 'operator', userId: await forum.join('olivia'), at: byCarol.at } as const;
    for (const waiting of await community.reads.waitingTexts(10)) {
      assert.equal(await approve(moderator, community, waiting), true);
    }

    assert.deepEqual(await told(forum, forum.alice), ['mention', 'mention']);
  });

  test(`only if they are among the first ${MOST_NOTIFIED} active ones of the text`, async (t) => {
    const forum = await openForum(t);
    const names = Array.from({ length: MOST_NOTIFIED + 2 }, (_, index) => `member${index}`);
    const ids = [];
    for (const name of names) ids.push(await forum.join(name));
    await setStatus(forum.identity, ids[0] ?? 0, 'suspended');

    await bobPublishes(forum, names.map((name) => `@${name}`).join(' '));

    const counts = await Promise.all(ids.map(async (id) => (await told(forum, id)).length));
    assert.deepEqual(counts, [0, ...Array(MOST_NOTIFIED).fill(1), 0]);
  });

  test('by one author at most 60 in an hour; the texts are saved all the same', async (t) => {
    const forum = await openForum(t);
    const id = await forum.bobWrites('published');
    const by = byServer(forum.community.clock);
    const { writes } = forum.community;
    const carol = await forum.join('carol');
    for (let index = 0; index < 59; index += 1) {
      assert.ok(await writes.countAttempt(`mention ${forum.bob}`, 60, by.at, by.at + HOUR));
    }

    const edit = { text: text({ body: 'And @carol and @alice' }), version: undefined };
    const saved = await save(forum.as(forum.bob), forum.community, { id, status: 'published' }, edit);

    assert.ok(saved !== undefined && 'id' in saved);
    assert.match(await htmlOfPost(forum, id), /class="mention"/);
    assert.deepEqual([await told(forum, carol), await told(forum, forum.alice)], [['mention'], []]);
  });
});
