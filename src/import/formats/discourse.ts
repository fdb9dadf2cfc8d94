// An export of Discourse: the document that `discourse export_categories` writes (docs/importing.md).

import { z } from 'zod';
import type { FileEntry, ImportFile, Person, Place } from '../record.ts';
import { markdownFromDiscourse } from './discourse-text.ts';
import { type FileChunks, fileChunks } from './file-chunks.ts';
import { type JsonElement, JsonElementReader } from './json-elements.ts';
import { read, timestamp } from './schemas.ts';

const number = z.int();

const category = z.object({ id: number, name: z.string() });
const user = z.object({
  id: number,
  username: z.string(),
  email: z.string().nullish(),
  created_at: timestamp.nullish(),
  bio_raw: z.string().nullish(),
});
const post = z.object({
  id: number,
  user_id: number.nullish(),
  post_number: number,
  raw: z.string().nullish(),
  created_at: timestamp,
  reply_to_post_number: number.nullish(),
  hidden: z.boolean().nullish(),
});
const topic = z.object({
  id: number,
  title: z.string(),
  created_at: timestamp,
  views: number.nullish(),
  category_id: number.nullish(),
  archetype: z.string().nullish(),
  posts: z.array(z.unknown()),
});

type DiscoursePost = z.infer<typeof post>;
type DiscourseTopic = z.infer<typeof topic>;
type CategoryNames = ReadonlyMap<number, string>;

// Discourse's own account; accounts that plugins add have lower ids.
const SYSTEM_USER = -1;

/** Open an export of `size` bytes. The file has topics before members, so it is read twice. */
export function readDiscourse(path: string, size: number): ImportFile {
  const chunks = fileChunks(path, size, 2);
  async function* entries(): AsyncGenerator<FileEntry> {
    const categories = new Map<number, string>();
    for await (const element of elementsOf(chunks, ['categories', 'users'])) {
      yield element.section === 'users' ? memberFrom(element) : categoryFrom(element, categories);
    }
    for await (const element of elementsOf(chunks, ['topics'])) yield* topicEntries(element, categories);
  }
  return { source: 'discourse', isForeign: true, entries: entries(), progress: chunks.progress };
}

async function* elementsOf(chunks: FileChunks, sections: readonly string[]): AsyncGenerator<JsonElement> {
  const reader = new JsonElementReader(sections);
  const decoder = new TextDecoder();
  for await (const chunk of chunks.read()) yield* reader.read(decoder.decode(chunk, { stream: true }));
  reader.end();
}

function categoryFrom(element: JsonElement, categories: Map<number, string>): FileEntry {
  const result = check(category, element);
  if ('reason' in result) {
    const { reason } = result;
    return { kind: 'refused', place: { record: 'a category' }, recordKind: 'category', reason };
  }
  const { id, name } = result.value;
  categories.set(id, name);
  return { kind: 'category', place: { record: `category ${id}` }, id: String(id), name };
}

function memberFrom(element: JsonElement): FileEntry {
  const result = check(user, element);
  if ('reason' in result) {
    return { kind: 'refused', place: { record: 'a user' }, recordKind: 'member', reason: result.reason };
  }
  const { id, username, email, created_at, bio_raw } = result.value;
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
  };
}

function* topicEntries(element: JsonElement, categories: CategoryNames): Generator<FileEntry> {
  const result = check(topic, element);
  if ('reason' in result) {
    yield { kind: 'refused', place: { record: 'a topic' }, recordKind: 'post', reason: result.reason };
    return;
  }
  const place = { record: `topic ${result.value.id}` };
  if (result.value.archetype === 'private_message') {
    yield { kind: 'skipped', place, sort: 'private messages' };
    return;
  }
  const posts: DiscoursePost[] = [];
  for (const each of result.value.posts) {
    const result = read(post, each);
    if ('value' in result) posts.push(result.value);
    else yield { kind: 'refused', place, recordKind: 'comment', reason: result.reason };
  }
  const entry = postFrom(result.value, posts, categories);
  yield entry;
  if (entry.kind === 'post') yield* commentEntries(posts, result.value.id);
}

/** A topic with its first post is one post here. */
function postFrom(
  { id, title, views, category_id }: DiscourseTopic,
  posts: readonly DiscoursePost[],
  categories: CategoryNames,
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
    body: () => markdownFromDiscourse(first.raw ?? ''),
    category: category_id == null ? undefined : categories.get(category_id),
    status: 'published',
    createdAt: first.created_at,
    views: views ?? undefined,
  };
}

function* commentEntries(posts: readonly DiscoursePost[], topicId: number): Generator<FileEntry> {
  const ids = new Map(posts.map(({ post_number, id }) => [post_number, String(id)]));
  for (const each of posts) {
    if (each.post_number !== 1) yield commentFrom(each, topicId, ids);
  }
}

function commentFrom(each: DiscoursePost, topicId: number, ids: ReadonlyMap<number, string>): FileEntry {
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
    body: () => markdownFromDiscourse(raw ?? ''),
    createdAt: created_at,
    replyTo: parent == null || parent === 1 ? undefined : ids.get(parent),
  };
}

function authorOf({ user_id: id }: DiscoursePost): Person | undefined {
  return id == null || id <= SYSTEM_USER ? undefined : { id: String(id) };
}

function check<T>(schema: z.ZodType<T>, element: JsonElement): { value: T } | { reason: string } {
  return element.isTooLong ? { reason: 'is too long' } : read(schema, element.value);
}
