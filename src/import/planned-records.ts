// The records that a dry run would have imported, in a few bytes each. Their ids are negative, so that they are
// never those of records in the database.

import { DigestTable } from './digest-table.ts';
import type { ImportedKind, ImportedPost } from './store.ts';

export class PlannedRecords {
  /** The number of a record by its kind and its id at the source. Its id here is the negative number. */
  private readonly numbers = new DigestTable();
  private lastNumber = 0;
  // By the numbers of posts.
  private readonly authorIds: number[] = [];
  private readonly isPublished: boolean[] = [];
  private readonly likes = new DigestTable();
  /** Accounts that the operator named for members of the source. */
  private readonly linkedIds = new Map<string, number>();

  /** The id of a record that would have been imported. */
  idOf(kind: ImportedKind, externalId: string): number | undefined {
    if (kind === 'member' && this.linkedIds.has(externalId)) return this.linkedIds.get(externalId);
    const number = this.numbers.get(`${kind} ${externalId}`);
    return number === 0 ? undefined : -number;
  }

  /** Remember a record, and return its id. */
  add(kind: ImportedKind, externalId: string): number {
    this.lastNumber += 1;
    this.numbers.set(`${kind} ${externalId}`, this.lastNumber);
    return -this.lastNumber;
  }

  addPost({ externalId, userId, status }: ImportedPost): void {
    const number = -this.add('post', externalId);
    this.authorIds[number] = userId;
    this.isPublished[number] = status === 'published';
  }

  /** The author of a post that would have been imported, and whether it would be published. */
  postWith(id: number): { authorId: number | undefined; isPublished: boolean } {
    return { authorId: this.authorIds[-id], isPublished: this.isPublished[-id] === true };
  }

  addLike(externalId: string, userId: number, postId: number): void {
    this.add('like', externalId);
    this.likes.add(`${userId} ${postId}`);
  }

  hasLike(userId: number, postId: number): boolean {
    return this.likes.get(`${userId} ${postId}`) > 0;
  }

  link(externalId: string, userId: number): void {
    this.linkedIds.set(externalId, userId);
  }

  isLinked(userId: number): boolean {
    return this.linkedIds.values().some((id) => id === userId);
  }
}
