// A backup of Discourse. The dump has its tables in the order of their names and their rows in any order, so it is read
// several times: for everything but the texts, then for the texts of some topics at a time, then for the likes.
// The columns were read in discourse/discourse, in the schema comments of app/models/{category,topic,post,post_action,
// user,user_email,user_profile}.rb, and the types of posts in Post.types.

import type { FileEntry, ImportFile } from '../record.ts';
import { dumpedRows } from './discourse-dump.ts';
import {
  categoryEntry,
  type DiscoursePost,
  type DiscourseTopic,
  memberEntry,
  topicEntries,
} from './discourse-entries.ts';
import { HIDING, HiddenFromVisitors } from './discourse-hidden.ts';
import { type FileChunks, fileChunks } from './file-chunks.ts';

/** How much text is in memory at a time. */
const MOST_CHARACTERS = 64 * 1024 * 1024;

const LIKE = '2';
const SORT_OF_POST: Record<string, string> = { 3: 'moderator actions', 4: 'whispers' };

/** Open a backup of `size` bytes. `site` is the address of the forum, if it is known. `mostCharacters` is for tests. */
export function readDiscourseBackup(
  path: string,
  size: number,
  site?: string,
  mostCharacters: number = MOST_CHARACTERS,
): ImportFile {
  const chunks = fileChunks(path, size);
  let passes = 3;
  async function* entries(): AsyncGenerator<FileEntry> {
    const forum = await readForum(chunks);
    yield* forum.entries;
    const slices = slicesOf(forum.topics, mostCharacters);
    passes = slices.length + 2;
    for (const slice of slices) yield* entriesOfSlice(chunks, slice, forum.categories, site);
    yield* likeEntries(chunks, forum.topics);
  }
  const progress = () => Math.min(1, chunks.progress() / passes);
  return { source: 'discourse', isForeign: true, entries: entries(), progress };
}

interface Topic extends DiscourseTopic {
  characters: number;
  firstPost: string | undefined;
  /** Why it is not imported. */
  sort: string | undefined;
}

interface Forum {
  categories: Map<number, string>;
  topics: Map<number, Topic>;
  /** The categories and members. */
  entries: Generator<FileEntry>;
}

const FACTS = {
  categories: ['id', 'name', 'read_restricted'],
  posts: ['id', 'topic_id', 'post_number', 'user_id', 'raw'],
  tags: ['id', 'name'],
  topic_tags: ['topic_id', 'tag_id'],
  topics: ['id', 'title', 'views', 'category_id', 'archetype', 'deleted_at', 'visible'],
  user_emails: ['user_id', 'email', 'primary'],
  user_profiles: ['user_id', 'bio_raw'],
  users: ['id', 'username', 'created_at', 'active', 'email', 'trust_level'],
  ...HIDING,
};

async function readForum(chunks: FileChunks): Promise<Forum> {
  const categories = new Map<number, string>();
  const restricted = new Set<number>();
  const topics = new Map<number, Topic>();
  const tags = new Map<string, string>();
  const tagsOfTopics = new Map<number, string[]>();
  const characters = new Map<number, number>();
  const firstPosts = new Map<number, string>();
  const users: Record<string, string | null>[] = [];
  const emails = new Map<string, string>();
  const bios = new Map<string, string>();
  const authors = new Set<string>();
  const hidden = new HiddenFromVisitors();
  for await (const { table, values } of dumpedRows(chunks, FACTS)) {
    const id = Number(values.id);
    if (hidden.note(table, values)) continue;
    if (table === 'posts') {
      const topic = Number(values.topic_id);
      characters.set(topic, (characters.get(topic) ?? 0) + (values.raw?.length ?? 0) + 500);
      if (values.post_number === '1') firstPosts.set(topic, values.id ?? '');
      if (values.user_id != null) authors.add(values.user_id);
    } else if (table === 'categories') {
      if (values.read_restricted === 't') restricted.add(id);
      else categories.set(id, values.name ?? '');
    } else if (table === 'tags') tags.set(values.id ?? '', values.name ?? '');
    else if (table === 'topic_tags') {
      const topic = Number(values.topic_id);
      tagsOfTopics.set(topic, [...(tagsOfTopics.get(topic) ?? []), values.tag_id ?? '']);
    } else if (table === 'topics') topics.set(id, topicFrom(values));
    else if (table === 'users') users.push(values);
    else if (table === 'user_emails') {
      if (values.primary !== 'f') emails.set(values.user_id ?? '', values.email ?? '');
    } else bios.set(values.user_id ?? '', values.bio_raw ?? '');
  }
  for (const [id, topic] of topics) {
    topic.characters = characters.get(id) ?? 0;
    topic.firstPost = firstPosts.get(id);
    const visible = tagsOfTopics.get(id)?.filter((tag) => !hidden.hasTag(tag));
    topic.tags = visible?.flatMap((tag) => tags.get(tag) ?? []);
    if (topic.category_id != null && restricted.has(topic.category_id)) {
      topic.sort ??= 'topics in categories that not everyone may read';
    }
  }
  function* entries(): Generator<FileEntry> {
    for (const [id, name] of categories) yield categoryEntry({ id, name });
    for (const id of tags.keys()) {
      if (hidden.hasTag(id)) yield skipped(`tag ${id}`, 'tags that not everyone may see');
    }
    for (const user of users) {
      const { id, username, created_at, active, email } = user;
      // Nobody confirmed the address of such an account.
      if (active === 'f' && !authors.has(id ?? '')) {
        yield skipped(`user ${id}`, 'accounts that were never activated');
        continue;
      }
      const bio = bios.get(id ?? '') ?? '';
      const isBioHidden = bio !== '' && hidden.hasBioOf(user);
      if (isBioHidden) yield skipped(`user ${id}`, 'bios that not everyone may read');
      yield memberEntry({
        id: Number(id),
        username: username ?? '',
        email: emails.get(id ?? '') ?? email,
        created_at: timestampFrom(created_at),
        bio_raw: isBioHidden ? undefined : bio,
      });
    }
  }
  return { categories, topics, entries: entries() };
}

function skipped(record: string, sort: string): FileEntry {
  return { kind: 'skipped', place: { record }, sort };
}

function topicFrom(values: Record<string, string | null>): Topic {
  const { id, title, views, category_id, archetype, deleted_at, visible } = values;
  return {
    id: Number(id),
    title: (title ?? '').slice(0, 1000),
    views: Number(views ?? 0),
    category_id: category_id == null ? null : Number(category_id),
    archetype: archetype ?? null,
    characters: 0,
    firstPost: undefined,
    sort: sortOfTopic(archetype, deleted_at, visible),
  };
}

function sortOfTopic(archetype?: string | null, deletedAt?: string | null, visible?: string | null) {
  if (archetype === 'private_message') return 'private messages';
  if (deletedAt != null) return 'deleted topics';
  return visible === 'f' ? 'unlisted topics' : undefined;
}

/** Divide the topics, in the order of their ids, into groups that fit into memory with their texts. */
function slicesOf(topics: ReadonlyMap<number, Topic>, mostCharacters: number): Topic[][] {
  const slices: Topic[][] = [[]];
  let characters = 0;
  for (const topic of [...topics.values()].toSorted((a, b) => a.id - b.id)) {
    characters += topic.sort === undefined ? topic.characters : 0;
    if (characters > mostCharacters && slices.at(-1)?.length !== 0) {
      slices.push([]);
      characters = topic.characters;
    }
    slices.at(-1)?.push(topic);
  }
  return slices;
}

const TEXTS = {
  posts: [
    'id',
    'user_id',
    'topic_id',
    'post_number',
    'raw',
    'created_at',
    'reply_to_post_number',
    'deleted_at',
    'post_type',
    'hidden',
    'user_deleted',
  ],
};

async function* entriesOfSlice(
  chunks: FileChunks,
  slice: readonly Topic[],
  categories: ReadonlyMap<number, string>,
  site: string | undefined,
): AsyncGenerator<FileEntry> {
  const posts = new Map<number, DiscoursePost[]>();
  for (const { id, sort } of slice) if (sort === undefined) posts.set(id, []);
  for await (const { values } of dumpedRows(chunks, TEXTS)) {
    const ofTopic = posts.get(Number(values.topic_id));
    if (ofTopic === undefined) continue;
    const sort = sortOfPost(values);
    if (sort === undefined) ofTopic.push(postFrom(values));
    else {
      const record = `topic ${values.topic_id}, post ${values.post_number}`;
      yield { kind: 'skipped', place: { record }, sort };
    }
  }
  for (const topic of slice) {
    if (topic.sort !== undefined) {
      yield skipped(`topic ${topic.id}`, topic.sort);
      continue;
    }
    const ofTopic = (posts.get(topic.id) ?? []).toSorted((a, b) => a.post_number - b.post_number);
    posts.delete(topic.id);
    yield* topicEntries(topic, ofTopic, categories, site);
  }
}

function sortOfPost({ deleted_at, user_deleted, post_type }: Record<string, string | null>) {
  if (deleted_at != null || user_deleted === 't') return 'deleted posts';
  return SORT_OF_POST[post_type ?? ''];
}

function postFrom(values: Record<string, string | null>): DiscoursePost {
  const { id, user_id, post_number, raw, created_at, reply_to_post_number: parent, hidden } = values;
  return {
    id: Number(id),
    user_id: user_id == null ? null : Number(user_id),
    post_number: Number(post_number),
    raw: raw ?? null,
    created_at: timestampFrom(created_at) ?? 0,
    reply_to_post_number: parent == null ? null : Number(parent),
    hidden: hidden === 't',
  };
}

const LIKES = {
  post_actions: ['id', 'post_id', 'user_id', 'post_action_type_id', 'deleted_at', 'created_at'],
};

async function* likeEntries(
  chunks: FileChunks,
  topics: ReadonlyMap<number, Topic>,
): AsyncGenerator<FileEntry> {
  const topicOf = new Map<string, number>();
  for (const { id, firstPost, sort } of topics.values()) {
    if (firstPost !== undefined && sort === undefined) topicOf.set(firstPost, id);
  }
  for await (const { values } of dumpedRows(chunks, LIKES)) {
    const { id, post_id, user_id, post_action_type_id, deleted_at, created_at } = values;
    if (post_action_type_id !== LIKE || deleted_at != null) continue;
    const place = { record: `like ${id}` };
    const topic = topicOf.get(post_id ?? '');
    if (topic === undefined) {
      yield { kind: 'skipped', place, sort: 'likes of comments, or of posts that were skipped' };
      continue;
    }
    const by = { id: user_id ?? '' };
    const createdAt = timestampFrom(created_at);
    yield { kind: 'like', place, id: id ?? '', post: String(topic), by, createdAt };
  }
}

// "2021-03-02 09:15:00.123456", in UTC.
function timestampFrom(text: string | null | undefined): number | undefined {
  const timestamp = Date.parse(`${(text ?? '').slice(0, 23).replace(' ', 'T')}Z`);
  return Number.isNaN(timestamp) ? undefined : timestamp;
}
