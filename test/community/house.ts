// The stage of the tests about posts: a database in memory, a clock that is set, alice who reads and bob who writes.

import assert from 'node:assert/strict';
import type { Community } from '../../src/community/community.ts';
import { type PostText, writePost } from '../../src/community/post.ts';
import { signUp } from '../../src/identity/sign-up.ts';
import type { Timestamp } from '../../src/lib/clock.ts';
import { communityStore } from '../../src/storage/community/community-store.ts';
import { identityStore } from '../../src/storage/identity/identity-store.ts';
import { openMemory, type Scope } from '../support/databases.ts';
import { portsOf } from '../support/ports.ts';

export const NEW_YEAR: Timestamp = Date.UTC(2027, 0, 1);

/** A post's text in the category that every community begins with. */
export function text(more: Partial<PostText> = {}): PostText {
  return { title: 'On arches', body: 'An arch *never* sleeps.', categoryId: 1, ...more };
}

export async function openHouse(scope: Scope) {
  const database = await openMemory(scope);
  const people = identityStore(database);
  let now = NEW_YEAR;
  const community: Community = { ...portsOf(communityStore(database)), clock: () => now };

  async function moveIn(username: string): Promise<number> {
    const made = await signUp(
      { ...portsOf(people), clock: () => now },
      { username, password: 'correct horse' },
    );
    assert.ok('id' in made);
    return made.id;
  }
  const [alice, bob] = [await moveIn('alice'), await moveIn('bob')];

  return {
    community,
    alice,
    bob,
    /** Sets the clock to so long after New Year. */
    setClock(sinceNewYear: number): void {
      now = NEW_YEAR + sinceNewYear;
    },
    async xpOf(userId: number): Promise<number | undefined> {
      return (await people.findUser(userId))?.xp;
    },
    /** Lets bob write a post. Returns its number. */
    async bobWrites(status: 'draft' | 'published', more: Partial<PostText> = {}): Promise<number> {
      const written = await writePost(community, bob, text(more), status);
      assert.ok('id' in written);
      return written.id;
    },
  };
}
