// The contents of Discourse as entries of an import, whichever file they come from.

import type { FileEntry, Person, Place } from '../record.ts';
import { markdownFromDiscourse } from './discourse-text.ts';

export interface DiscourseCategory {
  id: number;
  name: string;
}

export interface DiscourseUser {
  id: number;
  username: string;
  email?: string | null | undefined;
  created_at?: number | null | undefined;
  bio_raw?: string | null | undefined;
}

export interface DiscoursePost {
  id: number;
  user_id?: number | null | undefined;
  post_number: number;
  raw?: string | null | undefined;
  created_at: number;
  reply_to_post_number?: number | null | undefined;
  hidden?: boolean | null | undefined;
}

export interface DiscourseTopic {
  id: number;
  title: string;
  views?: number | null | undefined;
  category_id?: number | null | undefined;
  archetype?: string | null | undefined;
  tags?: readonly string[] | undefined;
}

export type CategoryNames = ReadonlyMap<number, string>;

// Discourse's own account; accounts that plugins add have lower ids.
const SYSTEM_USER = -1;

export function categoryEntry({ id, name }: DiscourseCategory): FileEntry {
  const addresses = [`/c/${id}`];
  return { kind: 'category', place: { record: `category ${id}` }, id: String(id), name, addresses };
}

export function memberEntry({ id, username, email, created_at, bio_raw }: DiscourseUser): FileEntry {
  const place = { record: `user ${id}` };
  if (id <= SYSTEM_USER) return { kind: 'skipped', place, sort: 'system accounts' };
  return {
    kind: 'member',
    place,
    id: String(id),
    username,
    email: email ?? undefined,
    bio: bio_raw ?? undefined,
    createdAt: created_at ?? undefined,
    addresses: [`/u/${username}`],
  };
}

/** The post that a topic becomes, and its comments. `site` is the address of the forum, if it is known. */
export function* topicEntries(
  topic: DiscourseTopic,
  posts: readonly DiscoursePost[],
  categories: CategoryNames,
  site: string | undefined,
): Generator<FileEntry> {
  if (topic.archetype === 'private_message') {
    yield { kind: 'skipped', place: { record: `topic ${topic.id}` }, sort: 'private messages' };
    return;
  }
  const entry = postFrom(topic, posts, categories, site);
  yield entry;
  if (entry.kind === 'post') yield* commentEntries(posts, topic.id, site);
}

/** A topic with its first post is one post here. */
function postFrom(
  { id, title, views, category_id, tags }: DiscourseTopic,
  posts: readonly DiscoursePost[],
  categories: CategoryNames,
  site: string | undefined,
): FileEntry {
  const place = { record: `topic ${id}` };
  const first = posts.find(({ post_number }) => post_number === 1);
  if (first === undefined || first.hidden) {
    return { kind: 'skipped', place, sort: 'topics without a visible first post' };
  }
  const author = authorOf(first);
  if (author === undefined) {
    return { kind: 'skipped', place, sort: 'topics by system or deleted accounts' };
  }
  return {
    kind: 'post',
    place,
    id: String(id),
    author,
    title,
    body: () => markdownFromDiscourse(first.raw ?? '', site),
    category: category_id == null ? undefined : categories.get(category_id),
    tags,
    status: 'published',
    createdAt: first.created_at,
    views: views ?? undefined,
    addresses: [`/t/${id}`],
  };
}

function* commentEntries(
  posts: readonly DiscoursePost[],
  topicId: number,
  site: string | undefined,
): Generator<FileEntry> {
  const ids = new Map(posts.map(({ post_number, id }) => [post_number, String(id)]));
  for (const each of posts) {
    if (each.post_number !== 1) yield commentFrom(each, topicId, ids, site);
  }
}

function commentFrom(
  each: DiscoursePost,
  topicId: number,
  ids: ReadonlyMap<number, string>,
  site: string | undefined,
): FileEntry {
  const { id, post_number, raw, hidden, reply_to_post_number: parent, created_at } = each;
  const place: Place = { record: `topic ${topicId}, post ${post_number}` };
  if (hidden) return { kind: 'skipped', place, sort: 'hidden posts' };
  // Discourse records "closed the topic" and the like as posts without text.
  if ((raw ?? '').trim() === '') return { kind: 'skipped', place, sort: 'moderator actions' };
  const author = authorOf(each);
  if (author === undefined) return { kind: 'skipped', place, sort: 'posts by system or deleted accounts' };
  return {
    kind: 'comment',
    place,
    id: String(id),
    author,
    post: String(topicId),
    body: () => markdownFromDiscourse(raw ?? '', site),
    createdAt: created_at,
    replyTo: parent == null || parent === 1 ? undefined : ids.get(parent),
    addresses: [`/t/${topicId}/${post_number}`],
  };
}

function authorOf({ user_id: id }: DiscoursePost): Person | undefined {
  return id == null || id <= SYSTEM_USER ? undefined : { id: String(id) };
}
