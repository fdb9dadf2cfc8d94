// What a member writes and publishes on the site: judged, then counted, then done. What is refused counts nothing.

import type { Community } from './community.ts';
import { addDraft, type Saved } from './draft.ts';
import { paced, type TooFast } from './pace.ts';
import {
  type PostProblems,
  type PostText,
  problemsWith,
  publishDraft,
  type Written,
  writePost,
} from './post.ts';

export type WritingRefused = { problems: PostProblems } | TooFast;

/** As `writePost`, within the bounds. */
export async function writeOwn(
  community: Community,
  userId: number,
  text: PostText,
  status: 'draft' | 'published',
): Promise<Written | TooFast> {
  return (await refusal(community, userId, text, status)) ?? writePost(community, userId, text, status);
}

/** As `addDraft`, within the bounds. */
export async function beginDraft(
  community: Community,
  userId: number,
  text: PostText,
): Promise<Saved | TooFast> {
  return (await refusal(community, userId, text, 'draft')) ?? addDraft(community, userId, text);
}

/** Publishes an author's own draft, whose text this is. Says why it can't be done (yet). */
export async function publishOwn(
  community: Community,
  userId: number,
  id: number,
  text: PostText,
): Promise<WritingRefused | undefined> {
  const refused = await refusal(community, userId, text, 'published');
  if (refused !== undefined) return refused;
  await publishDraft(community, userId, id);
  return undefined;
}

async function refusal(
  community: Community,
  userId: number,
  text: PostText,
  status: 'draft' | 'published',
): Promise<WritingRefused | undefined> {
  const problems = await problemsWith(community, text, status);
  if (problems !== undefined) return { problems };
  return paced(community, status === 'draft' ? 'draft' : 'post', userId);
}
