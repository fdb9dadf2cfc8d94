// Writing, saving and publishing a post. Each checks the text, then the limit (`pace.ts`), and then acts: a
// refused text does not count.

import type { Doer, MemberDoer, SystemDoer } from '../audit/doer.ts';
import type { Timestamp } from '../lib/clock.ts';
import { hasTooManyWaitingPosts, mustWait } from './approval.ts';
import type { Community } from './community.ts';
import { toNotify } from './mention.ts';
import { paced, type TooFast } from './pace.ts';
import { postFor } from './post.ts';
import type { Post } from './post-store.ts';
import { gainsOf, type PostProblems, type PostText, prepareText, problemsWith } from './post-text.ts';
import { mentionedIn, render } from './rendering.ts';
import { wordsOfPost } from './search.ts';
import type { Category } from './store.ts';

type Status = 'draft' | 'published';

/** `version` is present if the text was saved before the refusal. */
export type Refused = ({ problems: PostProblems } | TooFast) & { version?: Timestamp };

/** The author's account is not active any more: it was suspended or closed while the text was rendered. */
export interface NotActive {
  isNotActive: true;
}

/**
 * `version` is the time of the last change. The next save passes it on. `isWaiting`: the post is a draft until a
 * moderator approves it.
 */
export type Written = { id: number; version: Timestamp; isWaiting?: boolean } | Refused | NotActive;

/** `newer` is the post as it was changed elsewhere since the version that the caller knows. */
export type Saved = { id: number; version: Timestamp } | Refused | { newer: Post };

/** As for `Saved`. */
export type Published = { id: number; isWaiting?: boolean } | { newer: Post } | Refused;

export interface NewWriting {
  authorId: number;
  text: PostText;
  status: Status;
}

/** A change of the text of a post. */
export interface Edit {
  text: PostText;
  /** The version that the caller knows. Undefined overwrites any version. */
  version: Timestamp | undefined;
}

/**
 * Write a new post, as a draft or published at once. Only members are limited, so an operator at the command
 * line can write any number of posts for a member.
 */
export function write(
  by: SystemDoer,
  community: Community,
  writing: NewWriting,
): Promise<Exclude<Written, TooFast>>;
export function write(by: Doer, community: Community, writing: NewWriting): Promise<Written>;
export async function write(
  by: Doer,
  community: Community,
  { authorId, text, status }: NewWriting,
): Promise<Written> {
  const problems = problemsWith(text, status, await community.reads.categories());
  if (problems !== undefined) return { problems };
  const isWaiting = status === 'published' && (await mustWait(by, community));
  const stored = isWaiting ? 'draft' : status;
  if (by.kind === 'member') {
    const tooFast = await paced(by, community, status === 'draft' ? 'draft' : 'post');
    if (tooFast !== undefined) return tooFast;
    if (stored === 'draft' && (await hasTooManyDrafts(community, authorId))) {
      return { problems: { body: 'too_many_drafts' } };
    }
    if (isWaiting && (await hasTooManyWaitingPosts(by, community))) {
      return { problems: { body: 'too_many_waiting' } };
    }
  }
  const shown = status === 'published' ? await masked(community, text) : text;
  const rendered = await render(by, community, shown.body);
  if ('problem' in rendered) return { problems: { body: rendered.problem } };
  const post = {
    ...prepareText(shown, rendered),
    ...gainsOf(shown, stored),
    mentioned: stored === 'draft' ? [] : await toNotify(by, community, rendered.mentioned),
    userId: authorId,
    status: stored,
  };
  const id = await community.writes.addPost(by, post);
  if (id === undefined) return { isNotActive: true };
  if (isWaiting && by.kind === 'member') await community.writes.submitPost(by, id, by.at);
  return { id, version: by.at, isWaiting };
}

// A draft has at most 100,000 characters, and nobody but its author sees how many there are.
const MOST_DRAFTS = 200;

// Removed drafts are limited separately, so that removing some makes room.
async function hasTooManyDrafts({ reads }: Community, authorId: number): Promise<boolean> {
  const { drafts, removed } = await reads.countDrafts(authorId);
  return drafts >= MOST_DRAFTS || removed >= MOST_DRAFTS;
}

/**
 * Save the member's own draft or published post. A draft that was published since
 * counts as changed. Returns undefined if the member has no such post (any more), or is not active (any more).
 */
export async function save(
  by: MemberDoer,
  community: Community,
  { id, status }: { id: number; status: Status },
  edit: Edit,
): Promise<Saved | undefined> {
  const problems = problemsWith(edit.text, status, await community.reads.categories());
  if (problems !== undefined) return { problems };
  return overwrite(by, community, { id, status }, edit);
}

/**
 * Publish the member's own draft. With an edit, saves it first, and it stays saved if publishing is refused.
 * Returns undefined if the member has no such draft (any more), or is not active (any more).
 */
export async function publish(
  by: MemberDoer,
  community: Community,
  id: number,
  edit?: Edit,
): Promise<Published | undefined> {
  const categories = await community.reads.categories();
  if (edit === undefined) {
    const stored = await storedText(by, community, id, categories);
    return stored && publishText(by, community, stored, problemsWith(stored.text, 'published', categories));
  }
  const problems = problemsWith(edit.text, 'draft', categories);
  if (problems !== undefined) return { problems };
  const draft = await overwrite(by, community, { id, status: 'draft' }, edit);
  if (draft === undefined || !('id' in draft)) return draft;
  const stored = { ...draft, text: edit.text };
  const result = await publishText(by, community, stored, problemsWith(edit.text, 'published', categories));
  const isRefused = result !== undefined && !('id' in result) && !('newer' in result);
  return isRefused ? { ...result, version: draft.version } : result;
}

interface StoredText {
  id: number;
  text: PostText;
  version: Timestamp;
}

// If another request removed or published the draft at the same moment, there is nothing left to do here. If it
// changed the text, the draft stays a draft: its author may not have seen that text. If it did neither, the member
// was suspended.
async function publishText(
  by: MemberDoer,
  community: Community,
  draft: StoredText,
  problems: PostProblems | undefined,
): Promise<Published | undefined> {
  if (problems !== undefined) return { problems };
  const tooFast = await paced(by, community, 'post');
  if (tooFast !== undefined) return tooFast;
  const stored = await saveMasked(by, community, draft);
  if ('problems' in stored) return stored;
  const { id, text, version } = stored;
  const isWaiting = await mustWait(by, community);
  if (isWaiting && (await hasTooManyWaitingPosts(by, community, id))) {
    return { problems: { body: 'too_many_waiting' } };
  }
  const names = isWaiting ? [] : await mentionedIn(by, community, text.body);
  if (names === undefined) return { problems: { body: 'busy' } };
  const mentioned = await toNotify(by, community, names);
  const publication = { ...gainsOf(text, 'published'), version, mentioned };
  const isDone = isWaiting
    ? await community.writes.submitPost(by, id, version)
    : await community.writes.publishDraft(by, id, publication);
  if (isDone) return isWaiting ? { id, isWaiting } : { id };
  const newer = await postFor(community, by.userId, id);
  if (newer?.status !== 'draft') return { id };
  return newer.updatedAt === version ? undefined : { newer };
}

// A draft can have credentials, since only its author sees it. A published post can't.
async function saveMasked(
  by: MemberDoer,
  community: Community,
  draft: StoredText,
): Promise<StoredText | { problems: PostProblems }> {
  const text = await masked(community, draft.text);
  if (text === draft.text) return draft;
  const rendered = await render(by, community, text.body);
  if ('problem' in rendered) return { problems: { body: rendered.problem } };
  const prepared = prepareText(text, rendered);
  const version = await community.writes.saveDraft(by, draft.id, prepared, draft.version);
  // If the draft was changed meanwhile, the old version makes the publication fail.
  return version === undefined ? draft : { ...draft, text, version };
}

async function masked({ maskCredentials }: Community, text: PostText): Promise<PostText> {
  const title = await maskCredentials(text.title, 'post');
  const body = await maskCredentials(text.body, 'post');
  return title === text.title && body === text.body ? text : { ...text, title, body };
}

async function overwrite(
  by: MemberDoer,
  community: Community,
  { id, status }: { id: number; status: Status },
  { text: typed, version }: Edit,
): Promise<Saved | undefined> {
  const { writes } = community;
  const tooFast = await paced(by, community, status === 'draft' ? 'save' : 'edit');
  if (tooFast !== undefined) return tooFast;
  const text = status === 'published' ? await masked(community, typed) : typed;
  const rendered = await render(by, community, text.body);
  if ('problem' in rendered) return { problems: { body: rendered.problem } };
  const prepared = prepareText(text, rendered);
  const additions = async () => {
    const before = (await community.reads.findPost(id))?.html;
    const mentioned = await toNotify(by, community, rendered.mentioned, before);
    return { words: wordsOfPost(text.title, text.body), mentioned };
  };
  const newVersion =
    status === 'draft'
      ? await writes.saveDraft(by, id, prepared, version)
      : await writes.editPost(by, id, { ...prepared, ...(await additions()) }, version);
  if (newVersion !== undefined) return { id, version: newVersion };
  const newer = await postFor(community, by.userId, id);
  if (newer?.userId !== by.userId) return undefined;
  // If the post is as the caller knows it, the member was suspended.
  return newer.status === status && newer.updatedAt === version ? undefined : { newer };
}

async function storedText(
  { userId }: MemberDoer,
  community: Community,
  id: number,
  categories: readonly Category[],
): Promise<StoredText | undefined> {
  const post = await postFor(community, userId, id);
  if (post?.userId !== userId || post.status !== 'draft') return undefined;
  const categoryId = categories.find(({ slug }) => slug === post.categorySlug)?.id ?? 0;
  return { id, text: { title: post.title, body: post.body, categoryId }, version: post.updatedAt };
}
