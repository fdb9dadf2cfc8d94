// Wraps an OAuthStore in another OAuthStore that answers the most frequent reads from memory.

import type { User } from '../../identity/user.ts';
import type { OAuthStore } from '../../oauth/store.ts';
import type { Cache } from './cache.ts';

export function cachedOAuthStore(store: OAuthStore, cache: Cache): OAuthStore {
  const { clients, signingKeys, accessTokens, tokenFamilies, personalTokens, users } = cache.records;
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
      return cache.readKept(signingKeys, alg, () => store.activeSigningKey(alg));
    },
    findAccessToken(key) {
      return cache.readThrough({
        find() {
          const cached = accessTokens.get(key);
          if (cached === undefined) return undefined;
          const { token, family } = cached;
          const isCurrent =
            token.user === users.get(token.user.id) && family === tokenFamilies.get(token.familyKey);
          return isCurrent ? token : undefined;
        },
        read: () => store.findAccessToken(key),
        keep(token) {
          const family = tokenFamilies.get(token.familyKey) ?? {};
          tokenFamilies.set(token.familyKey, family);
          // Not the `key` argument: it can be a slice of the token's text, and would keep that text in memory.
          const record = { ...token, user: sharedUser(cache, token) };
          accessTokens.set(token.key, { token: record, family });
        },
      });
    },
    findPersonalToken(key) {
      return cache.readThrough({
        find() {
          const token = personalTokens.get(key);
          return token !== undefined && token.user === users.get(token.user.id) ? token : undefined;
        },
        read: () => store.findPersonalToken(key),
        keep: (token) => personalTokens.set(token.key, { ...token, user: sharedUser(cache, token) }),
      });
    },
  };
}

/**
 * Return the account that a token shares with the member's other cached tokens. The cache drops it when the member
 * changes, and with it all of them: a cached token is up to date only while its `user` is the object in the cache.
 */
function sharedUser({ records: { users } }: Cache, { user: fresh }: { user: User }): User {
  const user = users.get(fresh.id) ?? fresh;
  users.set(user.id, user);
  return user;
}
