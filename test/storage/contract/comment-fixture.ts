// Posts with comments, for the contracts about comments.

import assert from 'node:assert/strict';
import type { MemberDoer } from '../../../src/audit/doer.ts';
import type { NewComment } from '../../../src/community/comment-store.ts';
import { MINUTE } from '../../../src/lib/clock.ts';
import { asMember } from '../doers.ts';
import type { Fixture } from '../fixture.ts';
import { NOON, newPost } from '../records.ts';

export const LATER = NOON + MINUTE;
export const WORTH = { xp: 2, weight: 1000 };

/** Add a post by bob with this many comments by alice. */
export async function postWith(
  fixture: Fixture,
  comments: number,
): Promise<{ postId: number; ids: number[] }> {
  const postId = await fixture.community.addPost(asMember(fixture.bob), newPost(fixture.bob, { xp: 0 }));
  const ids = [];
  for (let index = 0; index < comments; index += 1) ids.push(await add(fixture, newComment(postId)));
  return { postId, ids };
}

/** A comment on the post, or a reply. */
export function newComment(postId: number, replyTo?: NewComment['replyTo']): NewComment {
  return { postId, replyTo, body: 'True.', ...WORTH };
}

/** Add a comment, by alice unless someone else is named. Returns its id. */
export async function add(
  { community, alice }: Fixture,
  comment: NewComment,
  by: MemberDoer = asMember(alice),
): Promise<number> {
  const id = await community.addComment(by, comment);
  assert.ok(id !== undefined);
  return id;
}

/** Let alice remove her comment. */
export function remove({ community, alice }: Fixture, id: number, postId: number): Promise<boolean> {
  return community.removeComment(asMember(alice, LATER), { id, postId, ...WORTH });
}
