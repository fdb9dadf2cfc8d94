// An export of Discourse: the document that its own `discourse export_categories` writes (docs/importing.md).

import { z } from 'zod';
import { type Chunks, chunksOf } from './chunks.ts';
import { markdownOfDiscourse } from './discourse-text.ts';
import { JsonCutter, type JsonElement } from './json-elements.ts';
import { DamagedFile, type Found, type Person, type Place, type Reading } from './record.ts';
import { moment, reasonOf } from './schemas.ts';

const number = z.int();

const category = z.object({ id: number, name: z.string() });
const user = z.object({
  id: number,
  username: z.string(),
  email: z.string().nullish(),
  created_at: moment.nullish(),
  bio_raw: z.string().nullish(),
});
const post = z.object({
  id: number,
  user_id: number.nullish(),
  post_number: number,
  raw: z.string().nullish(),
  created_at: moment,
  reply_to_post_number: number.nullish(),
  hidden: z.boolean().nullish(),
});
const topic = z.object({
  id: number,
  title: z.string(),
  created_at: moment,
  views: number.nullish(),
  category_id: number.nullish(),
  archetype: z.string().nullish(),
  posts: z.array(z.unknown()),
});

type Post = z.infer<typeof post>;

const SYSTEM_USER = -1;

/** Reads an export of `size` bytes: once for its members and categories, which stand behind what they wrote, and again. */
export function readDiscourse(path: string, size: number): Reading {
  const chunks = chunksOf(path, size, 2);
  async function* found(): AsyncGenerator<Found> {
    const categories = new Map<number, string>();
    for await (const { section, text } of elementsOf(chunks, ['categories', 'users'])) {
      if (section === 'users') yield memberIn(text);
      else yield* categoryIn(text, categories);
    }
    for await (const { text } of elementsOf(chunks, ['topics'])) yield* topicIn(text, categories);
  }
  return { source: 'discourse', isForeign: true, found: found(), share: chunks.share };
}

async function* elementsOf(chunks: Chunks, wanted: readonly string[]): AsyncGenerator<JsonElement> {
  const cutter = new JsonCutter(new Set(wanted));
  const decoder = new TextDecoder();
  for await (const chunk of chunks.read()) {
    yield* cutter.cut(decoder.decode(chunk, { stream: true }));
  }
  if (!cutter.isComplete) throw new DamagedFile('The file ends in the middle of its JSON document.');
}

function* categoryIn(text: string | undefined, categories: Map<number, string>): Generator<Found> {
  const checked = parsed(category, text);
  if ('reason' in checked) {
    yield { kind: 'refused', place: { record: 'a category' }, of: 'category', reason: checked.reason };
    return;
  }
  const { id, name } = checked.value;
  categories.set(id, name);
  yield { kind: 'category', place: { record: `category ${id}` }, id: String(id), name };
}

function memberIn(text: string | undefined): Found {
  const checked = parsed(user, text);
  if ('reason' in checked) {
    return { kind: 'refused', place: { record: 'a user' }, of: 'member', reason: checked.reason };
  }
  const { id, username, email, created_at, bio_raw } = checked.value;
  const place = { record: `user ${id}` };
  if (id <= SYSTEM_USER) return { kind: 'skipped', place, what: 'accounts of the program itself' };
  const more = { email: email ?? undefined, bio: bio_raw ?? undefined, createdAt: created_at ?? undefined };
  return { kind: 'member', place, id: String(id), username, ...more };
}

function* topicIn(text: string | undefined, categories: ReadonlyMap<number, string>): Generator<Found> {
  const checked = parsed(topic, text);
  if ('reason' in checked) {
    yield { kind: 'refused', place: { record: 'a topic' }, of: 'post', reason: checked.reason };
    return;
  }
  const { id, title, views, category_id, archetype, posts } = checked.value;
  const place = { record: `topic ${id}` };
  if (archetype === 'private_message') {
    yield { kind: 'skipped', place, what: 'private messages' };
    return;
  }
  const contributions: Post[] = [];
  for (const each of posts) {
    const { data, error } = post.safeParse(each);
    if (data !== undefined) contributions.push(data);
    else yield { kind: 'refused', place, of: 'comment', reason: reasonOf(error) };
  }
  const first = contributions.find(({ post_number }) => post_number === 1);
  const author = personOf(first);
  if (first === undefined || first.hidden) {
    yield { kind: 'skipped', place, what: 'topics without a visible first post' };
  } else if (author === undefined) {
    yield { kind: 'skipped', place, what: 'topics of the program itself or of deleted accounts' };
  } else {
    yield {
      kind: 'post',
      place,
      id: String(id),
      author,
      title,
      body: () => markdownOfDiscourse(first.raw ?? ''),
      category: category_id == null ? undefined : categories.get(category_id),
      status: 'published',
      createdAt: first.created_at,
      views: views ?? undefined,
    };
    yield* commentsAmong(contributions, id);
  }
}

function* commentsAmong(contributions: readonly Post[], topicId: number): Generator<Found> {
  const ids = new Map(contributions.map(({ post_number, id }) => [post_number, String(id)]));
  for (const contribution of contributions) {
    const { id, post_number, raw, hidden, reply_to_post_number: answered, created_at } = contribution;
    if (post_number === 1) continue;
    const place: Place = { record: `topic ${topicId}, post ${post_number}` };
    const author = personOf(contribution);
    if (hidden) yield { kind: 'skipped', place, what: 'hidden posts' };
    // Such as "closed the topic".
    else if ((raw ?? '').trim() === '')
      yield { kind: 'skipped', place, what: 'notes of what moderators did' };
    else if (author === undefined) {
      yield { kind: 'skipped', place, what: 'posts of the program itself or of deleted accounts' };
    } else {
      yield {
        kind: 'comment',
        ...{ place, id: String(id), author, post: String(topicId), createdAt: created_at },
        body: () => markdownOfDiscourse(raw ?? ''),
        replyTo: answered == null || answered === 1 ? undefined : ids.get(answered),
      };
    }
  }
}

function personOf(written: Post | undefined): Person | undefined {
  const id = written?.user_id;
  return id == null || id <= SYSTEM_USER ? undefined : { id: String(id) };
}

function parsed<T>(schema: z.ZodType<T>, text: string | undefined): { value: T } | { reason: string } {
  if (text === undefined) return { reason: 'is too long' };
  try {
    const { data, error } = schema.safeParse(JSON.parse(text));
    return error === undefined ? { value: data } : { reason: reasonOf(error) };
  } catch {
    return { reason: 'is not JSON' };
  }
}
