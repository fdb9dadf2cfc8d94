// Importing posts.

import type { Category } from '../../community/store.ts';
import { fittingTags } from '../../community/tag.ts';
import { fittingTitle, importedPost } from '../checked-records.ts';
import type { ImportRun } from '../import-run.ts';
import type { PostRecord } from '../record.ts';
import type { ImportedPost } from '../store.ts';
import { categoryId, categoryOfPost } from './import-categories.ts';
import {
  bodyOf,
  countOutcome,
  countPictures,
  createdAtOf,
  newRecords,
  refuse,
  reportChange,
  sentenceOf,
  unknownAuthor,
} from './outcomes.ts';

export async function importPosts(run: ImportRun, records: readonly PostRecord[]): Promise<void> {
  const fresh = await newRecords(run, records);
  await run.authors.load(fresh.map(({ author }) => author));
  for (const { category } of fresh) await categoryId(run, category || undefined);
  const categories = await run.reads.categories();
  const ready: { record: PostRecord; post: ImportedPost }[] = [];
  for (const record of fresh) {
    const post = await postFrom(run, record, categories);
    if (post !== undefined) ready.push({ record, post });
  }
  const posts = ready.map(({ post }) => post);
  const outcomes = await run.writes.addImportedPosts(run.source, posts);
  for (const [index, { record, post }] of ready.entries()) {
    countOutcome(run, record, outcomes[index], 'author: the account is closed');
    countPictures(run, outcomes[index], post.body);
  }
}

/** The post, or undefined if the record was refused. */
async function postFrom(
  run: ImportRun,
  record: PostRecord,
  categories: readonly Category[],
): Promise<ImportedPost | undefined> {
  const body = bodyOf(run, record);
  if (body === undefined) return undefined;
  const at = createdAtOf(run, record);
  if (at === undefined) return undefined;
  const userId = run.authors.idOf(record.author);
  if (userId === undefined) {
    refuse(run, record, unknownAuthor(record.author));
    return undefined;
  }
  const category = await categoryOfPost(run, record);
  if (category === undefined) {
    refuse(run, record, 'category: is not a valid name for a category');
    return undefined;
  }
  const title = run.isForeign ? fittingTitle(record.title, body) : record.title;
  const result = importedPost(
    {
      externalId: record.id,
      userId,
      text: { title, body, categoryId: category, tags: tagsOf(run, record) },
      status: record.status,
      at,
      views: record.views ?? 0,
    },
    categories,
  );
  if ('problems' in result) {
    refuse(run, record, sentenceOf(result.problems));
    return undefined;
  }
  if (run.isForeign && title !== record.title.trim()) {
    reportChange(run, record, `title: changed to "${title}"`);
  }
  return result.post;
}

function tagsOf({ isForeign }: ImportRun, { tags }: PostRecord): string | undefined {
  if (tags === undefined) return undefined;
  return isForeign ? fittingTags(tags) : tags.join(',');
}
