// What was read lately and still holds. It spares reading, never truth: a record is given again only as long as the
// rows that it was made from are unchanged.

import type { PostSummary, PublishedPosts } from '../community/post.ts';
import type { User } from '../identity/user.ts';
import { BoundedMap } from '../lib/remember.ts';
import type { Client } from '../oauth/client.ts';
import type { SigningAlgorithm, SigningKey } from '../oauth/signing-key.ts';
import type { AccessToken, PersonalToken } from '../oauth/store.ts';

/** The kinds of records that are kept, and by what each is found. */
export interface Kept {
  client: { key: string; record: Client };
  access_token: { key: string; record: AccessToken };
  personal_token: { key: string; record: PersonalToken };
  /** The keys that sign now. */
  signing_key: { key: SigningAlgorithm; record: SigningKey };
  /** Shared by the records of a member's tokens. */
  user: { key: number; record: User };
  /** Pages of a member's published posts. */
  posts: { key: number; record: Map<string, PublishedPosts> };
  /** So many of the community's newest posts. */
  newest: { key: number; record: readonly PostSummary[] };
}

export type Kind = keyof Kept;

export interface Recollection {
  /** The record, if it is kept and holds now; the same object as long as it does. */
  recall<K extends Kind>(kind: K, key: Kept[K]['key']): Kept[K]['record'] | undefined;
  /** The same for a token, whose member must be unchanged too: who changed comes back as another object. */
  recallToken<K extends 'access_token' | 'personal_token'>(
    kind: K,
    key: string,
  ): Kept[K]['record'] | undefined;
  /**
   * Keeps a record that was read in this turn, and returns it. The key must be the row's own: one that was cut out of
   * a token would keep the whole token in memory.
   */
  keep<K extends Kind>(kind: K, key: Kept[K]['key'], record: Kept[K]['record']): Kept[K]['record'];
}

/** Keeps nothing: for databases that others write to without our knowledge. */
export const NO_RECOLLECTION: Recollection = {
  recall: () => undefined,
  recallToken: () => undefined,
  keep: (_kind, _key, record) => record,
};

/** A recollection whose owner says what no longer holds. */
export interface Memory extends Recollection {
  /** Keeps nothing before this: first somebody must watch what changes. */
  begin(): void;
  forget(kind: Kind, key: string | number): void;
  forgetKind(kind: Kind): void;
  forgetAll(): void;
}

/** Keeps so many records of each kind, and lets the oldest go for the next. `refresh` runs before each recall. */
export function memoryOf(limits: Record<Kind, number>, refresh: () => void): Memory {
  const bounded = (kind: Kind) => new BoundedMap<string | number, unknown>(limits[kind]);
  // Members whose account has changed, or may since it is not watched any more: some tokens carry them still.
  const outdated = new WeakSet<User>();
  const records: { [K in Kind]: Map<string | number, unknown> } = {
    client: bounded('client'),
    access_token: bounded('access_token'),
    personal_token: bounded('personal_token'),
    user: new BoundedMap<string | number, User>(limits.user, (user) => outdated.add(user)),
    signing_key: bounded('signing_key'),
    posts: bounded('posts'),
    newest: bounded('newest'),
  };
  let isWatched = false;
  return {
    begin() {
      isWatched = true;
    },
    recall<K extends Kind>(kind: K, key: Kept[K]['key']) {
      refresh();
      return records[kind].get(key) as Kept[K]['record'] | undefined;
    },
    recallToken<K extends 'access_token' | 'personal_token'>(kind: K, key: string) {
      refresh();
      const token = records[kind].get(key) as Kept[K]['record'] | undefined;
      return token === undefined || outdated.has(token.user) ? undefined : token;
    },
    keep(kind, key, record) {
      if (isWatched) records[kind].set(key, record);
      return record;
    },
    forget(kind, key) {
      records[kind].delete(key);
    },
    forgetKind(kind) {
      records[kind].clear();
    },
    forgetAll() {
      for (const kept of Object.values(records)) kept.clear();
    },
  };
}
