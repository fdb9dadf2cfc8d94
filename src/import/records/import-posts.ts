// Importing posts.

import type { ImportedPost } from '../../community/import-store.ts';
import { fittingTitle, importedPost } from '../../community/importing.ts';
import type { ImportRun } from '../import-run.ts';
import type { PostRecord } from '../record.ts';
import { categoryId } from './import-categories.ts';
import {
  bodyOf,
  countOutcome,
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
  const batchRun = await withCategoriesRead(run);
  const ready: { record: PostRecord; post: ImportedPost }[] = [];
  for (const record of fresh) {
    const post = await postFrom(batchRun, record);
    if (post !== undefined) ready.push({ record, post });
  }
  const posts = ready.map(({ post }) => post);
  const outcomes = await run.community.writes.addImportedPosts(run.source, posts);
  for (const [index, { record }] of ready.entries()) {
    countOutcome(run, record, outcomes[index], 'author: the account is closed');
  }
}

/** A run that reads the list of categories once, instead of once for each post. */
async function withCategoriesRead(run: ImportRun): Promise<ImportRun> {
  const categories = await run.community.reads.categories();
  const reads = { ...run.community.reads, categories: async () => categories };
  return { ...run, community: { ...run.community, reads } };
}

/** The post, or undefined if the record was refused. */
async function postFrom(run: ImportRun, record: PostRecord): Promise<ImportedPost | undefined> {
  const body = bodyOf(run, record);
  if (body === undefined) return undefined;
  const at = createdAtOf(run, record);
  if (at === undefined) return undefined;
  const userId = run.authors.idOf(record.author);
  if (userId === undefined) {
    refuse(run, record, unknownAuthor(record.author));
    return undefined;
  }
  const category = await categoryId(run, record.category || undefined);
  if (category === undefined) {
    refuse(run, record, 'category: is not a valid name for a category');
    return undefined;
  }
  const title = run.isForeign ? fittingTitle(record.title, body) : record.title;
  const checked = await importedPost(run.community, {
    externalId: record.id,
    userId,
    title,
    body,
    categoryId: category,
    status: record.status,
    at,
    views: record.views ?? 0,
  });
  if ('problems' in checked) {
    refuse(run, record, sentenceOf(checked.problems));
    return undefined;
  }
  if (run.isForeign && title !== record.title.trim())
    reportChange(run, record, `title: changed to "${title}"`);
  return checked.post;
}
