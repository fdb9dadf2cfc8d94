// Wraps an OAuthStore in another OAuthStore that answers the most frequent reads from memory.

import type { Awaitable } from '../../lib/awaitable.ts';
import type { BoundedMap } from '../../lib/remember.ts';
import type { PersonalToken } from '../../oauth/personal-token-store.ts';
import type { AccessToken, OAuthStore } from '../../oauth/store.ts';
import type { Cache } from './cache.ts';

export function cachedOAuthStore(store: OAuthStore, cache: Cache): OAuthStore {
  const { clients, signingKeys, accessTokens, personalTokens } = cache.records;
  return {
    ...store,
    async findClient(id) {
      return cache.readThrough({
        find: () => clients.get(id),
        read: () => store.findClient(id),
        keep: (client) => clients.set(client.id, client),
      });
    },
    async activeSigningKey(alg) {
      return cache.readThrough({
        find: () => signingKeys.get(alg),
        read: () => store.activeSigningKey(alg),
        keep: (signingKey) => signingKeys.set(alg, signingKey),
      });
    },
    findAccessToken(key) {
      return readToken(cache, accessTokens, key, () => store.findAccessToken(key));
    },
    findPersonalToken(key) {
      return readToken(cache, personalTokens, key, () => store.findPersonalToken(key));
    },
  };
}

type Token = AccessToken | PersonalToken;

/**
 * Read a token. All cached tokens of a member refer to one cached `User`, which the cache drops when the
 * member changes. A cached token is up to date only while its `user` is the object in the cache.
 */
function readToken<T extends Token>(
  cache: Cache,
  tokens: BoundedMap<string, T>,
  key: string,
  read: () => Awaitable<T | undefined>,
): Awaitable<T | undefined> {
  const { users } = cache.records;
  return cache.readThrough({
    find() {
      const token = tokens.get(key);
      return token !== undefined && token.user === users.get(token.user.id) ? token : undefined;
    },
    read,
    keep(token) {
      const user = users.get(token.user.id) ?? token.user;
      users.set(user.id, user);
      // Not the `key` argument: it can be a slice of the token's text, and would keep that text in memory.
      tokens.set(token.key, { ...token, user });
    },
  });
}
