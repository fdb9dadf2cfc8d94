// Posts, each of a member who is here.

import type { ImportedPost } from '../community/import-store.ts';
import { fittingTitle, importedPost } from '../community/importing.ts';
import { missing, momentOf, noAuthor, noteChange, refuse, sentence, settle, textOf } from './outcomes.ts';
import type { PostRecord } from './record.ts';
import type { Taking } from './taking.ts';
import { categoryNumber } from './taking-categories.ts';

export async function takePosts(taking: Taking, records: readonly PostRecord[]): Promise<void> {
  const { people, community, source } = taking;
  const ready: { record: PostRecord; post: ImportedPost }[] = [];
  const wanted = await missing(taking, records);
  await people.look(wanted.map(({ author }) => author));
  for (const { category } of wanted) await categoryNumber(taking, category || undefined);
  const known = await community.reads.categories();
  // Looked at once for all of them.
  const judging = { ...community, store: { ...community.store, categories: async () => known } };
  for (const record of wanted) {
    const post = await prepare({ ...taking, community: judging }, record);
    if (post !== undefined) ready.push({ record, post });
  }
  const brought = await community.writes.addImportedPosts(
    source,
    ready.map(({ post }) => post),
  );
  for (const [index, { record }] of ready.entries()) {
    settle(taking, record, brought[index], 'author: the account is closed');
  }
}

/** Undefined, and the record refused, if it can't be a post. */
async function prepare(taking: Taking, record: PostRecord): Promise<ImportedPost | undefined> {
  const { community, people, isForeign } = taking;
  const userId = people.numberOf(record.author);
  const body = textOf(taking, record);
  const at = momentOf(taking, record);
  if (body === undefined || at === undefined) return undefined;
  if (userId === undefined) {
    refuse(taking, record, noAuthor(record.author));
    return undefined;
  }
  const categoryId = await categoryNumber(taking, record.category || undefined);
  if (categoryId === undefined) {
    refuse(taking, record, 'category: can not be the name of one');
    return undefined;
  }
  const title = isForeign ? fittingTitle(record.title, body) : record.title;
  const { id: externalId, status, views = 0 } = record;
  const made = await importedPost(community, {
    externalId,
    userId,
    title,
    body,
    categoryId,
    status,
    at,
    views,
  });
  if ('problems' in made) {
    refuse(taking, record, sentence(made.problems));
    return undefined;
  }
  if (isForeign && title !== record.title.trim()) noteChange(taking, record, `is titled "${title}" here`);
  return made.post;
}
