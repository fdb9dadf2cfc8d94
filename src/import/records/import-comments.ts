// Importing comments on posts that the same source imported. Replies are one level deep.

import { commentsOf, importedComment } from '../checked-records.ts';
import type { ImportRun } from '../import-run.ts';
import type { CommentRecord } from '../record.ts';
import type { ImportedComment } from '../store.ts';
import {
  bodyOf,
  countOutcome,
  countPictures,
  createdAtOf,
  importedIds,
  newRecords,
  refuse,
  reportChange,
  sentenceOf,
  unknownAuthor,
} from './outcomes.ts';

export async function importComments(run: ImportRun, records: readonly CommentRecord[]): Promise<void> {
  const fresh = (await newRecords(run, records)).flatMap((record) => split(run, record));
  await run.authors.load(fresh.map(({ author }) => author));
  const byId = new Map(fresh.map((record) => [record.id, record]));
  const threads: CommentRecord[] = [];
  const replies: CommentRecord[] = [];
  for (const record of fresh) {
    const top = topOf(record, byId);
    if (top === record) threads.push(record);
    else replies.push({ ...record, replyTo: top.id });
  }
  // A reply needs the id that its parent gets here.
  await importTogether(run, threads);
  await importTogether(run, replies);
}

/** The comment of this batch that begins the record's thread. */
function topOf(record: CommentRecord, byId: ReadonlyMap<string, CommentRecord>): CommentRecord {
  let top = record;
  const visitedRecords = new Set([record]);
  for (;;) {
    const parent = top.replyTo === undefined ? undefined : byId.get(top.replyTo);
    // Comments of a damaged file can reply to each other in a circle.
    if (parent === undefined || parent.post !== record.post || visitedRecords.has(parent)) return top;
    visitedRecords.add(parent);
    top = parent;
  }
}

async function importTogether(run: ImportRun, records: readonly CommentRecord[]): Promise<void> {
  const posts = records.map(({ post }) => post);
  const parents = records.flatMap(({ replyTo }) => replyTo ?? []);
  const postIds = await importedIds(run, 'post', posts);
  const parentIds = await importedIds(run, 'comment', parents);
  const ready: { record: CommentRecord; comment: ImportedComment }[] = [];
  for (const record of records) {
    const parentId = record.replyTo === undefined ? undefined : parentIds.get(record.replyTo);
    const comment = commentFrom(run, record, postIds.get(record.post), parentId);
    if (comment !== undefined) ready.push({ record, comment });
  }
  const comments = ready.map(({ comment }) => comment);
  const outcomes = await run.writes.addImportedComments(run.source, comments);
  for (const [index, { record, comment }] of ready.entries()) {
    countOutcome(run, record, outcomes[index], "post: is not published, or the author's account is closed");
    countPictures(run, outcomes[index], comment.body);
  }
}

/** The comment, or undefined if the record was refused. */
function commentFrom(
  run: ImportRun,
  record: CommentRecord,
  postId: number | undefined,
  answeredId: number | undefined,
): ImportedComment | undefined {
  const at = createdAtOf(run, record);
  const body = at === undefined ? undefined : bodyOf(run, record);
  if (at === undefined || body === undefined) return undefined;
  const userId = run.authors.idOf(record.author);
  if (userId === undefined) {
    refuse(run, record, unknownAuthor(record.author));
    return undefined;
  }
  if (postId === undefined) {
    refuse(run, record, `post: there is no post with the id "${record.post}"`);
    return undefined;
  }
  if (record.replyTo !== undefined && answeredId === undefined && !run.isForeign) {
    refuse(run, record, `replyTo: there is no comment with the id "${record.replyTo}"`);
    return undefined;
  }
  const result = importedComment({ externalId: record.id, postId, userId, answeredId, body, at });
  if ('comment' in result) return result.comment;
  refuse(run, record, sentenceOf(result.problems));
  return undefined;
}

/**
 * Split a comment of another program that is too long for one comment here. The last part keeps the record's
 * id: if the last part was imported, all were.
 */
function split(run: ImportRun, record: CommentRecord): CommentRecord[] {
  if (!run.isForeign) return [record];
  const body = bodyOf(run, record);
  if (body === undefined) return [];
  const parts = commentsOf(body);
  if (parts.length > 1) {
    reportChange(run, record, `body: split into ${parts.length} comments, since it is too long for one`);
  }
  return parts.map((part, index) => {
    const id = index === parts.length - 1 ? record.id : `${record.id} part ${index + 1}`;
    return { ...record, id, body: () => part };
  });
}
