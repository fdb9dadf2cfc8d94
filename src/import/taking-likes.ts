// Likes of posts that the same source brought.

import type { ImportedLike } from '../community/import-store.ts';
import { importedLike } from '../community/importing.ts';
import { missing, momentOf, noAuthor, numbersOf, refuse, settle } from './outcomes.ts';
import type { LikeRecord } from './record.ts';
import type { Taking } from './taking.ts';

export async function takeLikes(taking: Taking, records: readonly LikeRecord[]): Promise<void> {
  const { people, community, source } = taking;
  const wanted = await missing(taking, records);
  await people.look(wanted.map(({ by }) => by));
  const posts = await numbersOf(
    taking,
    'post',
    wanted.map(({ post }) => post),
  );
  const ready: { record: LikeRecord; like: ImportedLike }[] = [];
  for (const record of wanted) {
    const userId = people.numberOf(record.by);
    const postId = posts.get(record.post);
    const at = momentOf(taking, record);
    if (at === undefined) continue;
    if (userId === undefined) refuse(taking, record, noAuthor(record.by).replace('author', 'by'));
    else if (postId === undefined) refuse(taking, record, `post: there is none with the id "${record.post}"`);
    else ready.push({ record, like: importedLike({ externalId: record.id, postId, userId, at }) });
  }
  const brought = await community.writes.addImportedLikes(
    source,
    ready.map(({ like }) => like),
  );
  for (const [index, { record }] of ready.entries()) {
    settle(taking, record, brought[index], 'post: is not published, or is their own');
  }
}
