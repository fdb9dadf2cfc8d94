// The cached records: how many of each kind, and which of them a change makes outdated.

import type { PostSummary, PublishedPosts } from '../../community/post.ts';
import type { RelatedPost } from '../../community/related-store.ts';
import type { User } from '../../identity/user.ts';
import { BoundedMap } from '../../lib/remember.ts';
import type { Client } from '../../oauth/client-store.ts';
import type { PersonalToken } from '../../oauth/personal-token-store.ts';
import type { SigningAlgorithm } from '../../oauth/signing-algorithm.ts';
import type { SigningKey } from '../../oauth/signing-key-store.ts';
import type { AccessToken } from '../../oauth/store.ts';
import type { StoredSettings } from '../../site/site.ts';
import type { Change } from './change-log.ts';

export type CachedRecords = ReturnType<typeof cachedRecords>;

/** Stands for a sign-in as it was when its access tokens were read. */
export type FamilyMark = Readonly<Record<string, never>>;

export interface CachedAccessToken {
  token: AccessToken;
  family: FamilyMark;
}

/** Make room for `tokens` tokens of each kind. A token takes about 1 kB, a page of posts about 15 kB. */
export function cachedRecords(tokens: number) {
  return {
    clients: new BoundedMap<string, Client>(1000),
    /** The keys that sign now. */
    signingKeys: new BoundedMap<SigningAlgorithm, SigningKey>(2),
    accessTokens: new BoundedMap<string, CachedAccessToken>(tokens),
    /** A mark for each sign-in. Its access tokens are up to date only while they have it. */
    tokenFamilies: new BoundedMap<string, FamilyMark>(tokens),
    personalTokens: new BoundedMap<string, PersonalToken>(tokens),
    /** The members to whom the tokens belong. */
    users: new BoundedMap<number, User>(tokens),
    /** Pages of a member's published posts. */
    posts: new BoundedMap<number, BoundedMap<string, PublishedPosts>>(1000),
    /** The community's newest posts, by the length of the list. */
    newestPosts: new BoundedMap<number, readonly PostSummary[]>(1),
    /** All settings that operators have changed. */
    settings: new BoundedMap<'all', StoredSettings>(1),
    pinnedPosts: new BoundedMap<number, readonly PostSummary[]>(1),
    /** The most popular posts since a moment, by the moment and the length of the list. */
    popularPosts: new BoundedMap<string, readonly PostSummary[]>(1),
    /** The newest posts of a category, by its slug and the length of the list. */
    newestInCategory: new BoundedMap<string, readonly RelatedPost[]>(100),
  };
}

/** Forget the records that a change makes outdated. */
export function forget(records: CachedRecords, { kind, key }: Change): void {
  switch (kind) {
    case 'client':
      records.clients.delete(key as string);
      break;
    case 'access_token':
      records.accessTokens.delete(key as string);
      break;
    case 'token_family':
      records.tokenFamilies.delete(key as string);
      break;
    case 'personal_token':
      records.personalTokens.delete(key as string);
      break;
    case 'user':
      records.users.delete(key as number);
      break;
    case 'posts':
      records.posts.delete(key as number);
      records.newestPosts.clear();
      records.pinnedPosts.clear();
      records.popularPosts.clear();
      records.newestInCategory.clear();
      break;
    default:
      forgetAll(records);
  }
}

export function forgetAll(records: CachedRecords): void {
  for (const map of Object.values(records)) map.clear();
}
