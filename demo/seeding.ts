// Fills the demo with two years of a community's life, straight through the stores, many records to a commit.

import { byServer } from '../src/audit/doer.ts';
import { categoryNamed } from '../src/community/category.ts';
import type { Portico } from '../src/compose.ts';
import { setMembership } from '../src/identity/membership.ts';
import { hashPassword } from '../src/identity/password.ts';
import type { NewUser } from '../src/identity/store.ts';
import { usernameKey } from '../src/identity/username.ts';
import { importedComment, importedLike, importedPost } from '../src/import/checked-records.ts';
import type { Destination } from '../src/import/destination.ts';
import type { ImportedComment } from '../src/import/store.ts';
import { DAY, HOUR, MINUTE, type Timestamp } from '../src/lib/clock.ts';
import { type Chance, chanceFrom } from './random.ts';
import type { Language } from './texts/texts.ts';
import { chinese, english, writePost } from './writing.ts';

export const OPERATOR = 'olive';
export const MEMBER = 'alice';
export const PASSWORD = 'a long walk in the rain';

const SOURCE = 'demo';
const SPAN = 730 * DAY;
const BATCH_SIZE = 1000;

interface Author {
  id: number;
  language: Language;
  joinedAt: Timestamp;
  /** How much this member writes, relative to the others. */
  weight: number;
}

interface DemoPost {
  id: number;
  author: Author;
  at: Timestamp;
}

/** Write the community. It is the same each time, except that its dates end at the present. */
export async function seed(portico: Portico, memberCount: number, postCount: number): Promise<void> {
  const chance = chanceFrom(20260131);
  const authors = await addMembers(portico, chance, memberCount);
  const posts = await addPosts(portico, chance, authors, postCount);
  await addComments(portico, chance, authors, posts);
  await addLikes(portico, chance, authors, posts);
  const alice = await portico.identity.reads.findUserByName(MEMBER);
  const by = byServer(portico.clock);
  await setMembership(by, portico.identity, alice?.id ?? 0, {
    until: by.at + 200 * DAY,
    isPastMeant: false,
  });
}

async function addMembers({ imports, clock }: Portico, chance: Chance, count: number): Promise<Author[]> {
  // Hashed once: hashing is slow on purpose, and all demo members have the same password.
  const passwordHash = await hashPassword(PASSWORD);
  const now = clock();
  const members = [...namesOf(chance, count)].map(({ username, language }, index) => {
    const joinedAt = index < 2 ? now - SPAN : now - Math.floor(chance.next() ** 1.3 * SPAN);
    const user: NewUser = {
      username,
      usernameKey: usernameKey(username),
      email: undefined,
      emailKey: undefined,
      passwordHash,
      bio: chance.pick(language.bios),
      isOperator: username === OPERATOR,
      createdAt: joinedAt,
    };
    return { user, language, joinedAt, weight: chance.next() ** 4 + (username === MEMBER ? 0.4 : 0.01) };
  });
  const records = members.map(({ user }, index) => ({ externalId: `${index}`, user }));
  const idOf = await addInBatches(imports, 'member', records, (batch) =>
    imports.writes.addImportedMembers(SOURCE, batch),
  );
  return members.map(({ language, joinedAt, weight }, index) => {
    return { id: idOf(`${index}`), language, joinedAt, weight };
  });
}

async function addPosts(
  portico: Portico,
  chance: Chance,
  authors: readonly Author[],
  count: number,
): Promise<DemoPost[]> {
  const { community, imports, clock } = portico;
  const by = byServer(clock);
  const categoryIds = new Map<string, number>();
  for (const { subjects } of [english, chinese]) {
    for (const { category } of subjects) {
      const named = await categoryNamed(by, community, category);
      categoryIds.set(category, typeof named === 'string' ? 1 : named.id);
    }
  }
  const categories = await community.reads.categories();
  const choose = chooser(chance, authors);
  const plans = Array.from({ length: count }, () => {
    const author = choose();
    return { author, at: author.joinedAt + Math.floor(chance.next() * (clock() - author.joinedAt)) };
  }).toSorted((a, b) => a.at - b.at);
  const records = [];
  for (const [index, { author, at }] of plans.entries()) {
    const { title, body, category, tags } = writePost(chance, author.language);
    const views = Math.floor(20 + 400 * chance.next() ** 3);
    const text = { title, body, categoryId: categoryIds.get(category) ?? 1, tags: tags.join(',') };
    const checked = importedPost(
      { externalId: `${index}`, userId: author.id, text, status: 'published', at, views },
      categories,
    );
    if ('problems' in checked) throw new Error(`${title}: ${JSON.stringify(checked.problems)}`);
    records.push(checked.post);
  }
  const idOf = await addInBatches(imports, 'post', records, (batch) =>
    imports.writes.addImportedPosts(SOURCE, batch),
  );
  return plans.map(({ author, at }, index) => ({ id: idOf(`${index}`), author, at }));
}

async function addComments(
  portico: Portico,
  chance: Chance,
  authors: readonly Author[],
  posts: readonly DemoPost[],
): Promise<void> {
  const { imports, clock } = portico;
  const choose = chooser(chance, authors);
  const comments: ImportedComment[] = [];
  const replies: { at: Timestamp; userId: number; to: string; body: string; postId: number }[] = [];
  for (const { id: postId, author, at: postedAt } of posts) {
    const count = Math.floor(chance.next() ** 3 * 9);
    let at = postedAt;
    for (let index = 0; index < count; index += 1) {
      const by = choose();
      at = Math.min(clock(), at + MINUTE + Math.floor(chance.next() ** 2 * 2 * DAY));
      const externalId = `${postId}-${index}`;
      const body = chance.pick(author.language.comments);
      comments.push(commentFrom({ externalId, postId, userId: by.id, answeredId: undefined, body, at }));
      if (chance.next() > 0.4) continue;
      const reply = chance.pick(author.language.replies);
      const repliedAt = Math.min(clock(), at + Math.floor(chance.next() * 6 * HOUR));
      replies.push({ at: repliedAt, userId: author.id, to: externalId, body: reply, postId });
    }
  }
  const add = (batch: readonly ImportedComment[]) => imports.writes.addImportedComments(SOURCE, batch);
  const idOf = await addInBatches(imports, 'comment', comments, add);
  const answers = replies.map(({ at, userId, to, body, postId }) =>
    commentFrom({ externalId: `to ${to}`, postId, userId, answeredId: idOf(to), body, at }),
  );
  await addInBatches(imports, 'comment', answers, add);
}

function commentFrom(comment: Parameters<typeof importedComment>[0]) {
  const checked = importedComment(comment);
  if ('problems' in checked) throw new Error(JSON.stringify(checked.problems));
  return checked.comment;
}

async function addLikes(
  { imports, clock }: Portico,
  chance: Chance,
  authors: readonly Author[],
  posts: readonly DemoPost[],
): Promise<void> {
  const likes = posts.flatMap(({ id: postId, author, at: postedAt }) => {
    const count = Math.floor(chance.next() ** 4 * 30);
    const fans = chance.some(authors, count).filter(({ id }) => id !== author.id);
    return fans.map(({ id: userId }) => {
      const at = Math.min(clock(), postedAt + Math.floor(chance.next() * 9 * DAY));
      return importedLike({ externalId: `${postId} ${userId}`, postId, userId, at });
    });
  });
  for (let from = 0; from < likes.length; from += BATCH_SIZE) {
    await imports.writes.addImportedLikes(SOURCE, likes.slice(from, from + BATCH_SIZE));
  }
}

/** Add records, many at once. Returns a function that gives the id of each. */
async function addInBatches<T extends { externalId: string }>(
  imports: Destination,
  kind: 'member' | 'post' | 'comment',
  records: readonly T[],
  add: (batch: readonly T[]) => Promise<unknown>,
): Promise<(externalId: string) => number> {
  const ids = new Map<string, number>();
  for (let from = 0; from < records.length; from += BATCH_SIZE) {
    const batch = records.slice(from, from + BATCH_SIZE);
    await add(batch);
    const batchIds = await imports.reads.importedRecords(
      SOURCE,
      kind,
      batch.map(({ externalId }) => externalId),
    );
    for (const [externalId, id] of batchIds) ids.set(externalId, id);
  }
  return (externalId) => {
    const id = ids.get(externalId);
    if (id === undefined) throw new Error(`The ${kind} ${externalId} was not added.`);
    return id;
  };
}

/** Return a function that picks an author at random, by weight. */
function chooser(chance: Chance, authors: readonly Author[]): () => Author {
  let sum = 0;
  const sums = authors.map(({ weight }) => {
    sum += weight;
    return sum;
  });
  return () => {
    const point = chance.next() * sum;
    return authors[sums.findIndex((upTo) => upTo > point)] as Author;
  };
}

function* namesOf(chance: Chance, count: number): Generator<{ username: string; language: Language }> {
  yield { username: OPERATOR, language: english };
  yield { username: MEMBER, language: english };
  const usernames = new Set([OPERATOR, MEMBER]);
  while (usernames.size < count) {
    const isChinese = chance.next() < 0.4;
    const username = isChinese
      ? chance.pick(SURNAMES) + chance.pick(GIVEN) + chance.pick(GIVEN)
      : chance.pick(FIRST) + chance.pick(['', '_', '.']) + chance.pick(SECOND);
    if (usernames.has(username)) continue;
    usernames.add(username);
    yield { username, language: isChinese ? chinese : english };
  }
}

const SURNAMES = ['林', '陈', '周', '沈', '苏', '许', '叶', '江', '宋', '何'];
const GIVEN = ['禾', '木', '舟', '川', '晴', '野', '竹', '云', '溪', '松', '白', '夏'];
const FIRST = [
  'bob',
  'carol',
  'dora',
  'emil',
  'frida',
  'goran',
  'hana',
  'ines',
  'jonas',
  'kit',
  'lena',
  'milo',
];
const SECOND = [
  'bakes',
  'rides',
  'reads',
  'digs',
  'birch',
  'harbor',
  'moss',
  'wren',
  'north',
  'clay',
  'pine',
];
