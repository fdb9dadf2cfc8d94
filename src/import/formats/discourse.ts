// An export of Discourse: the document that `discourse export_categories` writes (docs/importing.md).

import { z } from 'zod';
import type { FileEntry, ImportFile } from '../record.ts';
import {
  type CategoryNames,
  categoryEntry,
  type DiscoursePost,
  memberEntry,
  topicEntries,
} from './discourse-entries.ts';
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

/** Open an export of `size` bytes. The file has topics before members, so it is read twice. */
export function readDiscourse(path: string, size: number, site?: string): ImportFile {
  const chunks = fileChunks(path, size, 2);
  async function* entries(): AsyncGenerator<FileEntry> {
    const categories = new Map<number, string>();
    for await (const element of elementsOf(chunks, ['categories', 'users'])) {
      yield element.section === 'users' ? memberFrom(element) : categoryFrom(element, categories);
    }
    for await (const element of elementsOf(chunks, ['topics']))
      yield* entriesOfTopic(element, categories, site);
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
  return categoryEntry(result.value);
}

function memberFrom(element: JsonElement): FileEntry {
  const result = check(user, element);
  if ('value' in result) return memberEntry(result.value);
  return { kind: 'refused', place: { record: 'a user' }, recordKind: 'member', reason: result.reason };
}

function* entriesOfTopic(
  element: JsonElement,
  categories: CategoryNames,
  site: string | undefined,
): Generator<FileEntry> {
  const result = check(topic, element);
  if ('reason' in result) {
    yield { kind: 'refused', place: { record: 'a topic' }, recordKind: 'post', reason: result.reason };
    return;
  }
  const posts: DiscoursePost[] = [];
  for (const each of result.value.posts) {
    const read = check(post, { ...element, value: each });
    if ('value' in read) posts.push(read.value);
    else {
      const place = { record: `topic ${result.value.id}` };
      yield { kind: 'refused', place, recordKind: 'comment', reason: read.reason };
    }
  }
  yield* topicEntries(result.value, posts, categories, site);
}

function check<T>(schema: z.ZodType<T>, element: JsonElement): { value: T } | { reason: string } {
  return element.isTooLong ? { reason: 'is too long' } : read(schema, element.value);
}
