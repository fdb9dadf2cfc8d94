// What was read lately and still holds. It spares reading, never truth: a record is given again only as long as the
// rows that it was made from are unchanged.

import type { PostSummary, PublishedPosts } from '../../community/post.ts';
import type { User } from '../../identity/user.ts';
import { BoundedMap } from '../../lib/remember.ts';
import type { Client } from '../../oauth/client.ts';
import type { SigningAlgorithm, SigningKey } from '../../oauth/signing-key.ts';
import type { AccessToken, PersonalToken } from '../../oauth/store.ts';

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

// On a member's record that has changed, or may have since it is not watched any more: tokens may carry it still.
const OUTDATED = Symbol('outdated');

type KeptUser = User & { [OUTDATED]?: true };

function placeOf(kind: Kind, key: string | number): string | number {
  return kind === 'access_token' || kind === 'personal_token' ? numberOf(key as string) : key;
}

/**
 * What a token's record is kept under: the runtime finds numbers at once, and texts only after looking them up among
 * all texts that there are. Two keys that make the same number take each other's place.
 */
function numberOf(key: string): number {
  let number = 0;
  for (let at = key.length - CHARACTERS; at < key.length; at += 1) {
    number = (Math.imul(number, 61) + key.charCodeAt(at)) | 0;
  }
  return number;
}

// Of the random end of a key: as many as fill a number.
const CHARACTERS = 6;

/** Keeps so many records of each kind, and lets the oldest go for the next. `refresh` runs before each recall. */
export function memoryOf(limits: Record<Kind, number>, refresh: () => void): Memory {
  const bounded = (kind: Kind) => new BoundedMap<string | number, unknown>(limits[kind]);
  const records: { [K in Kind]: Map<string | number, unknown> } = {
    client: bounded('client'),
    access_token: bounded('access_token'),
    personal_token: bounded('personal_token'),
    user: new BoundedMap<string | number, KeptUser>(limits.user, (user) => {
      // Not to be seen by those who still hold the record.
      Object.defineProperty(user, OUTDATED, { value: true });
    }),
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
      const token = records[kind].get(numberOf(key)) as Kept[K]['record'] | undefined;
      if (token === undefined || token.key !== key) return undefined;
      return (token.user as KeptUser)[OUTDATED] ? undefined : token;
    },
    keep(kind, key, record) {
      if (isWatched) records[kind].set(placeOf(kind, key), record);
      return record;
    },
    forget(kind, key) {
      records[kind].delete(placeOf(kind, key));
    },
    forgetKind(kind) {
      records[kind].clear();
    },
    forgetAll() {
      for (const kept of Object.values(records)) kept.clear();
    },
  };
}
