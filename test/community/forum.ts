// The setting of the tests about posts: a database in memory, a test clock, alice who reads and bob who writes.

import assert from 'node:assert/strict';
import type { MemberDoer } from '../../src/audit/doer.ts';
import type { Community } from '../../src/community/community.ts';
import type { PostText } from '../../src/community/post-text.ts';
import { write } from '../../src/community/writing.ts';
import { membersNamed } from '../../src/identity/named-members.ts';
import type { Timestamp } from '../../src/lib/clock.ts';
import { communityStore } from '../../src/storage/community/community-store.ts';
import { identityStore } from '../../src/storage/identity/identity-store.ts';
import { openMemory, type TestScope } from '../support/databases.ts';
import { portsOf } from '../support/ports.ts';
import { plainRenderer } from '../support/renderer.ts';
import { GUEST_RULES } from '../support/rules.ts';
import { addMember } from '../support/seeding.ts';

export const NEW_YEAR: Timestamp = Date.UTC(2027, 0, 1);

/** Return a post's text in the category that every community begins with. */
export function text(more: Partial<PostText> = {}): PostText {
  return { title: 'On arches', body: 'An arch *never* sleeps.', categoryId: 1, ...more };
}

/** Open a forum at New Year in which alice and bob have accounts. */
export async function openForum(scope: TestScope) {
  const database = await openMemory(scope);
  const identity = identityStore(database);
  let now = NEW_YEAR;
  const community: Community = {
    ...portsOf(communityStore(database)),
    clock: () => now,
    renderer: plainRenderer,
    textsToApprove: () => 0,
    membersNamed: (names) => membersNamed({ reads: identity }, names),
    pictures: { files: undefined, mostPerDay: 100, mostBytes: 1_000_000, onFailure() {} },
    maskCredentials: async (text: string) => text,
  };

  const people = {
    identity: {
      ...portsOf(identity),
      clock: () => now,
      passwordRules: { siteNames: () => [] },
      guestRules: () => GUEST_RULES,
      maskCredentials: async (text: string) => text,
    },
  };
  const [alice, bob] = [await addMember(people, 'alice'), await addMember(people, 'bob')];

  return {
    community,
    database,
    identity: people.identity,
    alice,
    bob,
    /** Return the member as the doer of something that happens now. */
    as(userId: number): MemberDoer {
      return { kind: 'member', userId, at: now };
    },
    /** Set the clock to this time after New Year. */
    setClock(sinceNewYear: number): void {
      now = NEW_YEAR + sinceNewYear;
    },
    /** Add another member. */
    join: (name: string) => addMember(people, name),
    async xpOf(userId: number): Promise<number | undefined> {
      return (await identity.findUser(userId))?.xp;
    },
    /** Let bob write a post, without the limit on his pace. Returns its id. */
    async bobWrites(status: 'draft' | 'published', more: Partial<PostText> = {}): Promise<number> {
      const by = { kind: 'server', at: now } as const;
      const post = await write(by, community, { authorId: bob, text: text(more), status });
      assert.ok('id' in post);
      return post.id;
    },
  };
}
