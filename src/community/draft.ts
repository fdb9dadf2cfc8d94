// Drafts: saved again and again while somebody writes, perhaps in two places at once.

import type { Timestamp } from '../lib/clock.ts';
import type { Community } from './community.ts';
import type { Place } from './feed.ts';
import {
  type Post,
  type PostProblems,
  type PostSummary,
  type PostText,
  postFor,
  prepared,
  problemsWith,
} from './post.ts';
import type { PreparedText } from './store.ts';

export interface DraftStore {
  /**
   * Changes a draft of this author; false answers are undefined, the others its new moment of change, which is another
   * each time. With `version` only if nothing changed it since that moment.
   */
  saveDraft(
    id: number,
    userId: number,
    text: PreparedText,
    at: Timestamp,
    version?: Timestamp,
  ): Promise<Timestamp | undefined>;
  /** A member's drafts below a moment of change and number, last changed first. */
  draftsOf(userId: number, before: Place, limit: number): Promise<PostSummary[]>;
}

/** `version` is the moment of change by which the next save tells that it knows this one. */
export type Saved = { id: number; version: Timestamp } | { problems: PostProblems } | { newer: Post };

/** Keeps a new draft. A title or a text is enough. */
export async function addDraft(community: Community, userId: number, text: PostText): Promise<Saved> {
  const problems = await problemsWith(community, text, 'draft');
  if (problems !== undefined) return { problems };
  const at = community.clock();
  const draft = { ...prepared(text), userId, status: 'draft', xp: 0, at } as const;
  return { id: await community.writes.addPost(draft), version: at };
}

/**
 * Saves an author's own draft. With `version`, what was saved elsewhere in the meantime is not overwritten: it comes
 * back as `newer`, and so does what was published. Undefined if there is no such post of theirs (any more).
 */
export async function saveDraft(
  community: Community,
  userId: number,
  id: number,
  text: PostText,
  version?: Timestamp,
): Promise<Saved | undefined> {
  const problems = await problemsWith(community, text, 'draft');
  if (problems !== undefined) return { problems };
  const { writes, clock } = community;
  const saved = await writes.saveDraft(id, userId, prepared(text), clock(), version);
  if (saved !== undefined) return { id, version: saved };
  const newer = await postFor(community, userId, id);
  return newer?.userId === userId ? { newer } : undefined;
}
