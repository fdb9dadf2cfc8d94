// The port of the protocol's room, over the same port: answers the most frequent reads from memory.

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
 * Reads a token. A member's tokens share one record of the member, which the cache forgets when the member
 * changes. So a token is true only while the cache holds the very record that the token shares.
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
      // The row's own key: the caller's may be a slice of a whole token, which it would hold in memory.
      tokens.set(token.key, { ...token, user });
    },
  });
}
