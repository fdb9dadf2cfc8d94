// Comments on posts that the same source brought. One that answers another stands with it, one level deep.

import type { ImportedComment } from '../community/import-store.ts';
import { commentsOf, importedComment } from '../community/importing.ts';
import {
  missing,
  momentOf,
  noAuthor,
  noteChange,
  numbersOf,
  refuse,
  sentence,
  settle,
  textOf,
} from './outcomes.ts';
import type { CommentRecord } from './record.ts';
import type { Taking } from './taking.ts';

export async function takeComments(taking: Taking, records: readonly CommentRecord[]): Promise<void> {
  const wanted = (await missing(taking, records)).flatMap((record) => parted(taking, record));
  await taking.people.look(wanted.map(({ author }) => author));
  // Those that answer one of their own batch wait for it; where that answers too, for the one above both.
  const byId = new Map(wanted.map((record) => [record.id, record]));
  const above = (record: CommentRecord) => topOf(record, byId);
  await takeTogether(
    taking,
    wanted.filter((record) => above(record) === record),
  );
  const answers = wanted.filter((record) => above(record) !== record);
  await takeTogether(
    taking,
    answers.map((record) => ({ ...record, replyTo: above(record).id })),
  );
}

function topOf(record: CommentRecord, byId: ReadonlyMap<string, CommentRecord>): CommentRecord {
  let top = record;
  const passed = new Set([record]);
  for (;;) {
    const next = top.replyTo === undefined ? undefined : byId.get(top.replyTo);
    // Whoever answers each other in a ring answers nobody.
    if (next === undefined || next.post !== record.post || passed.has(next)) return top;
    passed.add(next);
    top = next;
  }
}

async function takeTogether(taking: Taking, records: readonly CommentRecord[]): Promise<void> {
  const { community, source } = taking;
  const posts = await numbersOf(
    taking,
    'post',
    records.map(({ post }) => post),
  );
  const answered = await numbersOf(
    taking,
    'comment',
    records.flatMap(({ replyTo }) => replyTo ?? []),
  );
  const ready: { record: CommentRecord; comment: ImportedComment }[] = [];
  for (const record of records) {
    const postId = posts.get(record.post);
    const answeredId = record.replyTo === undefined ? undefined : answered.get(record.replyTo);
    const comment = prepare(taking, record, postId, answeredId);
    if (comment !== undefined) ready.push({ record, comment });
  }
  const brought = await community.writes.addImportedComments(
    source,
    ready.map(({ comment }) => comment),
  );
  for (const [index, { record }] of ready.entries()) {
    settle(taking, record, brought[index], 'post: is not published, or the account of the author is closed');
  }
}

function prepare(
  taking: Taking,
  record: CommentRecord,
  postId: number | undefined,
  answeredId: number | undefined,
): ImportedComment | undefined {
  const { people, isForeign } = taking;
  const userId = people.numberOf(record.author);
  const at = momentOf(taking, record);
  const body = at === undefined ? undefined : textOf(taking, record);
  if (body === undefined || at === undefined) return undefined;
  let reason: string | undefined;
  if (userId === undefined) reason = noAuthor(record.author);
  else if (postId === undefined) reason = `post: there is none with the id "${record.post}"`;
  else if (record.replyTo !== undefined && answeredId === undefined && !isForeign)
    reason = `replyTo: there is no comment with the id "${record.replyTo}"`;
  else {
    const made = importedComment({ externalId: record.id, postId, userId, answeredId, body, at });
    if ('comment' in made) return made.comment;
    reason = sentence(made.problems);
  }
  refuse(taking, record, reason);
  return undefined;
}

/**
 * The record, or several where another program's comment is longer than one can be here. The last of them has its id:
 * when that is there, all are.
 */
function parted(taking: Taking, record: CommentRecord): CommentRecord[] {
  if (!taking.isForeign) return [record];
  const body = textOf(taking, record);
  if (body === undefined) return [];
  const parts = commentsOf(body);
  if (parts.length > 1)
    noteChange(taking, record, `is ${parts.length} comments here: it was too long for one`);
  return parts.map((part, index) => {
    const id = index === parts.length - 1 ? record.id : `${record.id} part ${index + 1}`;
    return { ...record, id, body: () => part };
  });
}
