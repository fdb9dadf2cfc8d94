// What operators and moderators change about tags: their names, which of them are one, and which nobody sees.
//
// The rows of posts keep the names that their authors chose. Pages show the present names instead (`shownTagsOf`), so
// that a change of a tag with very many posts is at once everywhere.

import type { Moderating } from '../audit/doer.ts';
import type { Community } from './community.ts';
import { tooFastOf } from './pace.ts';
import { type Tag, tagNamed } from './tag.ts';

/** Every page with posts knows all changed tags. */
export const MOST_CHANGED_TAGS = 2000;

/** `too_fast`: a moderator changed very many tags this hour. */
export type TagChangeProblem = 'invalid' | 'taken' | 'same' | 'unknown' | 'too_many' | 'too_fast';

/** Rename a tag. Its earlier name leads to it from then on. Returns the problem, if there is one. */
export async function renameTag(
  by: Moderating,
  community: Community,
  tag: Tag,
  text: string,
): Promise<TagChangeProblem | undefined> {
  const { reads, writes } = community;
  const name = tagNamed(text);
  if (name === undefined) return 'invalid';
  if (name === tag.name) return undefined;
  const other = await reads.findTag(name);
  if (other !== undefined && other.id !== tag.id) return 'taken';
  const obstacle = (await tooManyOf(community)) ?? (await tooFastOf(by, community));
  if (obstacle !== undefined) return obstacle;
  const hadName = other !== undefined;
  return (await writes.renameTag(by, tag, name, hadName)) ? undefined : 'taken';
}

/**
 * Merge a tag into another one, which gets its posts and followers, and to which its name leads from then on. The
 * background moves the posts of a tag that has many. Returns the problem, if there is one.
 */
export async function mergeTag(
  by: Moderating,
  community: Community,
  tag: Tag,
  into: Tag,
): Promise<TagChangeProblem | undefined> {
  if (tag.id === into.id) return 'same';
  const obstacle = (await tooManyOf(community)) ?? (await tooFastOf(by, community));
  if (obstacle !== undefined) return obstacle;
  return (await community.writes.mergeTag(by, tag, into)) ? undefined : 'unknown';
}

/** Hide a tag: it has no page, and no list or post shows it. Its posts stay. Returns the problem, if there is one. */
export async function hideTag(
  by: Moderating,
  community: Community,
  tag: Tag,
): Promise<TagChangeProblem | undefined> {
  const obstacle = (await tooManyOf(community)) ?? (await tooFastOf(by, community));
  if (obstacle !== undefined) return obstacle;
  await community.writes.hideTag(by, tag);
  return undefined;
}

/** Show a hidden tag again. Changes nothing if it isn't hidden. Returns the problem, if there is one. */
export async function showTag(
  by: Moderating,
  community: Community,
  tag: Tag,
): Promise<TagChangeProblem | undefined> {
  const obstacle = await tooFastOf(by, community);
  if (obstacle !== undefined) return obstacle;
  await community.writes.showTag(by, tag);
  return undefined;
}

async function tooManyOf({ reads }: Community): Promise<'too_many' | undefined> {
  const changed = await reads.changedTags(MOST_CHANGED_TAGS);
  return changed.length >= MOST_CHANGED_TAGS ? 'too_many' : undefined;
}
