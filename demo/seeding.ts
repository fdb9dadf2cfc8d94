// A community of two years, written straight through the stores, many records to a commit.

import { byServer } from '../src/audit/doer.ts';
import { categoryNamed } from '../src/community/category.ts';
import type { Portico } from '../src/compose.ts';
import { setMembership } from '../src/identity/membership.ts';
import { hashPassword } from '../src/identity/password.ts';
import type { NewUser } from '../src/identity/store.ts';
import { usernameKey } from '../src/identity/username.ts';
import { importedComment, importedLike, importedPost } from '../src/import/checked-records.ts';
import type { Destination } from '../src/import/destination.ts';
import { DAY, HOUR, MINUTE, type Timestamp } from '../src/lib/clock.ts';
import { type Chance, chanceFrom } from './random.ts';
import type { Language } from './texts/texts.ts';
import { chinese, english, writePost } from './writing.ts';

export const OPERATOR = 'olive';
export const MEMBER = 'alice';
export const PASSWORD = 'a long walk in the rain';

const SOURCE = 'demo';
const SPAN = 730 * DAY;
const AT_ONCE = 1000;

interface Author {
  id: number;
  language: Language;
  joinedAt: Timestamp;
  /** How much they write, beside others. */
  weight: number;
}

interface Written {
  id: number;
  author: Author;
  at: Timestamp;
}

/** Writes the community. The same each time, but that it ends now. */
export async function seed(portico: Portico, members: number, posts: number): Promise<void> {
  const chance = chanceFrom(20260131);
  const authors = await addMembers(portico, chance, members);
  const written = await addPosts(portico, chance, authors, posts);
  await addComments(portico, chance, authors, written);
  await addLikes(portico, chance, authors, written);
  const alice = await portico.identity.reads.findUserByName(MEMBER);
  const by = byServer(portico.clock);
  await setMembership(by, portico.identity, alice?.id ?? 0, by.at + 200 * DAY);
}

async function addMembers({ imports, clock }: Portico, chance: Chance, count: number): Promise<Author[]> {
  // One for all: to hash a password takes its time, and everybody here has the same.
  const passwordHash = await hashPassword(PASSWORD);
  const now = clock();
  const made = [...namesOf(chance, count)].map(({ username, language }, index) => {
    const joinedAt = index < 2 ? now - SPAN : now - Math.floor(chance.next() ** 1.3 * SPAN);
    const user: NewUser = {
      ...{ username, usernameKey: usernameKey(username), passwordHash, isOperator: username === OPERATOR },
      ...{ email: undefined, emailKey: undefined, bio: chance.pick(language.bios), createdAt: joinedAt },
    };
    return { user, language, joinedAt, weight: chance.next() ** 4 + (username === MEMBER ? 0.4 : 0.01) };
  });
  const records = made.map(({ user }, index) => ({ externalId: `${index}`, user }));
  const ids = await numbered(imports, 'member', records, (some) =>
    imports.writes.addImportedMembers(SOURCE, some),
  );
  return made.map(({ language, joinedAt, weight }, index) => {
    return { id: ids(`${index}`), language, joinedAt, weight };
  });
}

async function addPosts(
  portico: Portico,
  chance: Chance,
  authors: readonly Author[],
  count: number,
): Promise<Written[]> {
  const { community, imports, clock } = portico;
  const by = byServer(clock);
  const categories = new Map<string, number>();
  for (const { subjects } of [english, chinese]) {
    for (const { category } of subjects)
      categories.set(category, (await categoryNamed(by, community, category))?.id ?? 1);
  }
  const known = await community.reads.categories();
  const choose = chooser(chance, authors);
  const plans = Array.from({ length: count }, () => {
    const author = choose();
    return { author, at: author.joinedAt + Math.floor(chance.next() * (clock() - author.joinedAt)) };
  }).toSorted((a, b) => a.at - b.at);
  const records = [];
  for (const [index, { author, at }] of plans.entries()) {
    const { title, body, category } = writePost(chance, author.language);
    const views = Math.floor(20 + 400 * chance.next() ** 3);
    const text = { title, body, categoryId: categories.get(category) ?? 1 };
    const checked = importedPost(
      { externalId: `${index}`, userId: author.id, text, status: 'published', at, views },
      known,
    );
    if ('problems' in checked) throw new Error(`${title}: ${JSON.stringify(checked.problems)}`);
    records.push(checked.post);
  }
  const ids = await numbered(imports, 'post', records, (some) =>
    imports.writes.addImportedPosts(SOURCE, some),
  );
  return plans.map(({ author, at }, index) => ({ id: ids(`${index}`), author, at }));
}

async function addComments(
  portico: Portico,
  chance: Chance,
  authors: readonly Author[],
  written: readonly Written[],
): Promise<void> {
  const { imports, clock } = portico;
  const choose = chooser(chance, authors);
  const tops = [];
  const replies: { at: Timestamp; userId: number; to: string; body: string; postId: number }[] = [];
  for (const { id: postId, author, at: postedAt } of written) {
    const count = Math.floor(chance.next() ** 3 * 9);
    let at = postedAt;
    for (let index = 0; index < count; index += 1) {
      const by = choose();
      at = Math.min(clock(), at + MINUTE + Math.floor(chance.next() ** 2 * 2 * DAY));
      const externalId = `${postId}-${index}`;
      const body = chance.pick(author.language.comments);
      tops.push(commentFrom({ externalId, postId, userId: by.id, answeredId: undefined, body, at }));
      if (chance.next() > 0.4) continue;
      const answer = chance.pick(author.language.replies);
      const later = Math.min(clock(), at + Math.floor(chance.next() * 6 * HOUR));
      replies.push({ at: later, userId: author.id, to: externalId, body: answer, postId });
    }
  }
  const ids = await numbered(imports, 'comment', tops, (some) =>
    imports.writes.addImportedComments(SOURCE, some),
  );
  const answers = replies.map(({ at, userId, to, body, postId }) =>
    commentFrom({ externalId: `to ${to}`, postId, userId, answeredId: ids(to), body, at }),
  );
  await numbered(imports, 'comment', answers, (some) => imports.writes.addImportedComments(SOURCE, some));
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
  written: readonly Written[],
): Promise<void> {
  const likes = written.flatMap(({ id: postId, author, at: postedAt }) => {
    const count = Math.floor(chance.next() ** 4 * 30);
    const fans = chance.some(authors, count).filter(({ id }) => id !== author.id);
    return fans.map(({ id: userId }) => {
      const at = Math.min(clock(), postedAt + Math.floor(chance.next() * 9 * DAY));
      return importedLike({ externalId: `${postId} ${userId}`, postId, userId, at });
    });
  });
  for (let from = 0; from < likes.length; from += AT_ONCE) {
    await imports.writes.addImportedLikes(SOURCE, likes.slice(from, from + AT_ONCE));
  }
}

/** Adds records, many at once; afterwards tells the number of each. */
async function numbered<T extends { externalId: string }>(
  imports: Destination,
  kind: 'member' | 'post' | 'comment',
  records: readonly T[],
  add: (some: readonly T[]) => Promise<unknown>,
): Promise<(externalId: string) => number> {
  const numbers = new Map<string, number>();
  for (let from = 0; from < records.length; from += AT_ONCE) {
    const some = records.slice(from, from + AT_ONCE);
    await add(some);
    const known = await imports.reads.importedRecords(
      SOURCE,
      kind,
      some.map(({ externalId }) => externalId),
    );
    for (const [id, number] of known) numbers.set(id, number);
  }
  return (externalId) => {
    const number = numbers.get(externalId);
    if (number === undefined) throw new Error(`The ${kind} ${externalId} was not added.`);
    return number;
  };
}

/** Draws authors, those who write much more often. */
function chooser(chance: Chance, authors: readonly Author[]): () => Author {
  let sum = 0;
  const sums = authors.map(({ weight }) => {
    sum += weight;
    return sum;
  });
  return () => {
    const drawn = chance.next() * sum;
    return authors[sums.findIndex((upTo) => upTo > drawn)] as Author;
  };
}

function* namesOf(chance: Chance, count: number): Generator<{ username: string; language: Language }> {
  yield { username: OPERATOR, language: english };
  yield { username: MEMBER, language: english };
  const taken = new Set([OPERATOR, MEMBER]);
  while (taken.size < count) {
    const isChinese = chance.next() < 0.4;
    const username = isChinese
      ? chance.pick(SURNAMES) + chance.pick(GIVEN) + chance.pick(GIVEN)
      : chance.pick(FIRST) + chance.pick(['', '_', '.']) + chance.pick(SECOND);
    if (taken.has(username)) continue;
    taken.add(username);
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
