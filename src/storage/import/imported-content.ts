// The members, posts, comments and likes of an import. One transaction inserts each record with the row that
// remembers it, so a repeated import adds nothing twice.

import type {
  ImportedComment,
  ImportedKind,
  ImportedLike,
  ImportedMember,
  ImportedPost,
  ImportOutcome,
  ImportStore,
  Standing,
} from '../../import/store.ts';
import { OF_IMPORT } from '../audit/audit-trail.ts';
import { countComment } from '../community/comments.ts';
import { countLike } from '../community/likes.ts';
import { updatePopularity } from '../community/popularity.ts';
import { insertWordsOfNewPost } from '../community/post-words.ts';
import { insertPost } from '../community/posts.ts';
import { NO_TAGS, setTagsOfNewPost } from '../community/tags.ts';
import { addXp, addXpToAuthor } from '../community/xp.ts';
import type { Database, Transaction } from '../engine/database.ts';
import { type Dialect, fragment, sql } from '../engine/sql.ts';
import { insertForeignUsername } from '../identity/usernames.ts';
import { insertUser, userRow } from '../identity/users.ts';
import { inLanes } from './import-lanes.ts';
import {
  deleteRecordWithoutId,
  IS_RECORD,
  insertRecord,
  insertRecordOfMember,
  insertRecordOnPost,
  insertRecordWithId,
  type Origin,
  selectMemberRecord,
  selectRecords,
  setCommentId,
  setMemberId,
  setPostId,
} from './imported-records.ts';

type ImportedContent = Omit<
  ImportStore,
  | 'beginImport'
  | 'ensureImportedCategory'
  | 'categories'
  | 'findUserByName'
  | 'findUserByEmail'
  | 'addOldAddresses'
  | 'textsWithPictures'
  | 'addPicture'
  | 'addOldAddressesOfCategories'
>;

export function importedContent(database: Database): ImportedContent {
  const { dialect } = database;
  return {
    importedRecords: (source, kind, externalIds) => importedRecords(database, source, kind, externalIds),
    async isImportedMember(source, userId) {
      return (await database.first(selectMemberRecord({ source, userId }))) !== undefined;
    },
    async standing(userId, postId) {
      const row = await database.first(selectStanding({ userId, postId }));
      const { memberStatus, postStatus, authorId } = row ?? {};
      return { memberStatus, postStatus, authorId, isLiked: (row?.likes ?? 0) > 0 };
    },
    async rememberImportedMember(source, externalId, localId) {
      const guard = insertRecordWithId({ source, kind: 'member', externalId, localId });
      await database.atomically({ audit: OF_IMPORT, guard });
    },
    addImportedMembers(source, members) {
      const usernameOf = ({ user }: ImportedMember) => user.usernameKey;
      return inLanes(dialect, members, usernameOf, (member) => addMember(database, source, member));
    },
    addImportedPosts: (source, posts) => addAll(database, source, POSTS, posts),
    addImportedComments: (source, comments) => addAll(database, source, COMMENTS, comments),
    addImportedLikes: (source, likes) =>
      inLanes(dialect, likes, postIdOf, (like) => addLike(database, source, like)),
  };
}

function postIdOf({ postId }: { postId: number }): number {
  return postId;
}

async function importedRecords(
  database: Database,
  source: string,
  kind: ImportedKind,
  externalIds: readonly string[],
): Promise<Map<string, number>> {
  const ids = JSON.stringify(externalIds);
  const rows = await database.rows(selectRecords[database.dialect]({ source, kind, ids }));
  return new Map(rows.map(({ externalId, localId }) => [externalId, localId]));
}

/** How the records of a kind are added. */
interface Addition<T extends { externalId: string }> {
  kind: ImportedKind;
  /** Records with the same key are added in order. */
  orderKey(record: T): number;
  transactionOf(record: T, origin: Origin, dialect: Dialect): Transaction;
}

const POSTS: Addition<ImportedPost> = {
  kind: 'post',
  orderKey: ({ userId }) => userId,
  transactionOf: postTransaction,
};

const COMMENTS: Addition<ImportedComment> = {
  kind: 'comment',
  orderKey: postIdOf,
  transactionOf: commentTransaction,
};

/** Run a transaction for each record. */
async function addAll<T extends { externalId: string }>(
  database: Database,
  source: string,
  { kind, orderKey, transactionOf }: Addition<T>,
  records: readonly T[],
): Promise<ImportOutcome[]> {
  const { dialect } = database;
  const isAdded = await inLanes(dialect, records, orderKey, async (record) => {
    const origin = { source, kind, externalId: record.externalId };
    return (await database.atomically(transactionOf(record, origin, dialect))).happened;
  });
  if (!isAdded.includes(false)) return isAdded.map(() => 'added');
  // A record that was not added exists already, or lost its post or author.
  const otherIds = records.filter((_, index) => !isAdded[index]).map(({ externalId }) => externalId);
  const earlierRecords = await importedRecords(database, source, kind, otherIds);
  return records.map(({ externalId }, index) => {
    if (isAdded[index]) return 'added';
    return earlierRecords.has(externalId) ? 'already_there' : 'target_missing';
  });
}

async function addMember(
  database: Database,
  source: string,
  { externalId, user, foreignName }: ImportedMember,
): Promise<ImportOutcome> {
  const origin: Origin = { source, kind: 'member', externalId };
  const { usernameKey, passwordHash, emailKey } = user;
  const { happened, changes } = await database.atomically({
    audit: OF_IMPORT,
    guard: insertRecord(origin),
    effects: {
      insertUser: insertUser(userRow(user)),
      setId: setMemberId({ ...origin, usernameKey, passwordHash }),
      rememberName:
        foreignName === undefined
          ? []
          : insertForeignUsername({ usernameKey, passwordHash, foreignName, at: user.createdAt }),
      // If the username or the email is taken, there is no account to remember.
      deleteRecord: deleteRecordWithoutId(origin),
    },
  });
  if (!happened) return 'already_there';
  if (changes.insertUser === 1) return 'added';
  if (changes.deleteRecord === 0) return 'already_there';
  const namesake = await database.first(selectNamesake({ usernameKey }));
  return namesake === undefined && emailKey !== undefined ? 'email_taken' : 'username_taken';
}

function postTransaction(post: ImportedPost, origin: Origin, dialect: Dialect): Transaction {
  const { userId, status, words, views, xp, tags = NO_TAGS } = post;
  return {
    audit: OF_IMPORT,
    guard: insertRecordOfMember({ ...origin, userId }),
    effects: [
      insertPost(post),
      setPostId[dialect](origin),
      ...(status === 'published' ? [insertWordsOfNewPost[dialect]({ words })] : []),
      ...(status === 'published' && tags !== NO_TAGS ? setTagsOfNewPost(dialect) : []),
      ...(views > 0 ? [setViewCount({ ...origin, views })] : []),
      ...(xp > 0 ? [addXp({ userId, xp })] : []),
    ],
  };
}

function commentTransaction(comment: ImportedComment, origin: Origin, dialect: Dialect): Transaction {
  const { postId, userId, xp, weight } = comment;
  return {
    audit: OF_IMPORT,
    guard: insertRecordOnPost[dialect]({ ...origin, postId, userId }),
    effects: [
      insertComment(comment),
      setCommentId[dialect](origin),
      countComment({ postId }),
      addXp({ userId, xp }),
      ...updatePopularity({ postId, weight }),
    ],
  };
}

async function addLike(database: Database, source: string, like: ImportedLike): Promise<ImportOutcome> {
  const { externalId, postId, userId, xp, weight } = like;
  const origin: Origin = { source, kind: 'like', externalId };
  const { happened } = await database.atomically({
    audit: OF_IMPORT,
    guard: insertLike[database.dialect]({ ...like, ...origin }),
    effects: [
      insertRecordWithId({ ...origin, localId: postId }),
      countLike({ postId }),
      addXpToAuthor({ postId, xp }),
      ...updatePopularity({ postId, weight }),
    ],
  });
  if (happened) return 'added';
  const post = await database.first(selectLikeablePost({ postId, userId }));
  return post === undefined ? 'target_missing' : 'already_there';
}

interface StandingRow extends Omit<Standing, 'isLiked'> {
  likes: number;
}

const selectStanding = sql<{ userId: number; postId: number }, StandingRow>`
  SELECT users.status AS "memberStatus", posts.status AS "postStatus", posts.user_id AS "authorId",
    (SELECT count(*) FROM likes WHERE likes.post_id = :postId AND likes.user_id = :userId) AS likes
  FROM (SELECT 1 AS one) AS one LEFT JOIN users ON users.id = :userId LEFT JOIN posts ON posts.id = :postId`;

const selectNamesake = sql<{ usernameKey: string }, { id: number }>`
  SELECT id FROM users WHERE username_key = :usernameKey
  UNION ALL SELECT user_id FROM earlier_usernames WHERE reserved_key = :usernameKey
  LIMIT 1`;

const setViewCount = sql<Origin & { views: number }>`
  UPDATE posts SET view_count = :views WHERE id = (SELECT local_id FROM imported_records WHERE ${IS_RECORD})`;

// Replies are one level deep: a reply to a reply is listed beside it. A reply to a comment that is not on
// this post becomes a comment on the post.
const insertComment = sql<Omit<ImportedComment, 'externalId' | 'xp' | 'weight' | 'pictures'>>`
  INSERT INTO comments (post_id, user_id, body, html, html_version, created_at, parent_id)
  VALUES (:postId, :userId, :body, :html, coalesce(cast(:htmlVersion AS integer), 0), :at,
    (SELECT coalesce(answered.parent_id, answered.id)
     FROM comments AS answered
     WHERE answered.id = :answeredId AND answered.post_id = :postId))`;

// A member can like the published posts of other members.
const LIKEABLE_POST = fragment`
  FROM posts JOIN users ON users.id = :userId
  WHERE posts.id = :postId AND posts.status = 'published' AND posts.user_id <> :userId
    AND users.status <> 'closed'`;

const selectLikeablePost = sql<{ postId: number; userId: number }, { id: number }>`
  SELECT posts.id ${LIKEABLE_POST}`;

const INSERT_LIKE = fragment`
  INSERT INTO likes (post_id, user_id, created_at)
  SELECT posts.id, users.id, :at
  ${LIKEABLE_POST}
    AND NOT EXISTS (SELECT 1 FROM imported_records WHERE ${IS_RECORD})`;

type NewLike = Origin & Omit<ImportedLike, 'xp' | 'weight'>;

// PostgreSQL locks the post before the status is read, so that the post cannot be removed in between.
const insertLike = {
  sqlite: sql<NewLike>`
    ${INSERT_LIKE}
    ON CONFLICT DO NOTHING`,
  postgres: sql<NewLike>`
    ${INSERT_LIKE}
    FOR NO KEY UPDATE OF posts
    ON CONFLICT DO NOTHING`,
};
