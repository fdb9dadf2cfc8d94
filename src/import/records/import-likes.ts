// Importing likes of posts that the same source imported.

import { importedLike } from '../checked-records.ts';
import type { ImportRun } from '../import-run.ts';
import type { LikeRecord } from '../record.ts';
import type { ImportedLike } from '../store.ts';
import { countOutcome, createdAtOf, importedIds, newRecords, refuse, unknownAuthor } from './outcomes.ts';

export async function importLikes(run: ImportRun, records: readonly LikeRecord[]): Promise<void> {
  const fresh = await newRecords(run, records);
  await run.authors.load(fresh.map(({ by }) => by));
  const posts = fresh.map(({ post }) => post);
  const postIds = await importedIds(run, 'post', posts);
  const ready: { record: LikeRecord; like: ImportedLike }[] = [];
  for (const record of fresh) {
    const like = likeFrom(run, record, postIds.get(record.post));
    if (like !== undefined) ready.push({ record, like });
  }
  const likes = ready.map(({ like }) => like);
  const outcomes = await run.writes.addImportedLikes(run.source, likes);
  for (const [index, { record }] of ready.entries()) {
    countOutcome(run, record, outcomes[index], 'post: is not published, or the member wrote it');
  }
}

/** The like, or undefined if the record was refused. */
function likeFrom(run: ImportRun, record: LikeRecord, postId: number | undefined): ImportedLike | undefined {
  const at = createdAtOf(run, record);
  if (at === undefined) return undefined;
  const userId = run.authors.idOf(record.by);
  if (userId === undefined) {
    refuse(run, record, unknownAuthor(record.by).replace('author', 'by'));
    return undefined;
  }
  if (postId === undefined) {
    refuse(run, record, `post: there is no post with the id "${record.post}"`);
    return undefined;
  }
  return importedLike({ externalId: record.id, postId, userId, at });
}
