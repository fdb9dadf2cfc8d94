// What was read lately and still holds. It spares reading, never truth: a record is given again only as long as the
// rows that it was made from are unchanged.

import type { PublishedPosts } from '../community/post.ts';
import type { User } from '../identity/user.ts';
import type { AccessToken, PersonalToken } from '../oauth/store.ts';

/** The kinds of records that are kept, and by what each is found. */
export interface Kept {
  access_token: { key: string; record: AccessToken };
  personal_token: { key: string; record: PersonalToken };
  /** Shared by the records of a member's tokens. */
  user: { key: number; record: User };
  /** Pages of a member's published posts. */
  posts: { key: number; record: Map<string, PublishedPosts> };
}

export type Kind = keyof Kept;

export interface Recollection {
  /** The record, if it is kept and holds now; the same object as long as it does. */
  recall<K extends Kind>(kind: K, key: Kept[K]['key']): Kept[K]['record'] | undefined;
  /** Keeps a record that was read in this turn, and returns it. */
  keep<K extends Kind>(kind: K, key: Kept[K]['key'], record: Kept[K]['record']): Kept[K]['record'];
}

/** Keeps nothing: for databases that others write to without our knowledge. */
export const NO_RECOLLECTION: Recollection = {
  recall: () => undefined,
  keep: (_kind, _key, record) => record,
};

/** A recollection whose owner says what no longer holds. */
export interface Memory extends Recollection {
  forget(kind: Kind, key: string | number): void;
  forgetAll(): void;
}

/** Keeps so many records of each kind, and lets the oldest go for the next. `refresh` runs before each recall. */
export function memoryOf(limits: Record<Kind, number>, refresh: () => void): Memory {
  const records: { [K in Kind]: Map<string | number, unknown> } = {
    access_token: new Map(),
    personal_token: new Map(),
    user: new Map(),
    posts: new Map(),
  };
  return {
    recall<K extends Kind>(kind: K, key: Kept[K]['key']) {
      refresh();
      return records[kind].get(key) as Kept[K]['record'] | undefined;
    },
    keep(kind, key, record) {
      const kept = records[kind];
      if (kept.size >= limits[kind]) {
        for (const oldest of kept.keys()) {
          kept.delete(oldest);
          break;
        }
      }
      if (limits[kind] > 0) kept.set(key, record);
      return record;
    },
    forget(kind, key) {
      records[kind].delete(key);
    },
    forgetAll() {
      for (const kept of Object.values(records)) kept.clear();
    },
  };
}
