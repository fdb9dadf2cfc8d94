// The port of the protocol's room over the same port: its most frequent reads are answered from memory.

import type { Awaitable } from '../../lib/awaitable.ts';
import type { BoundedMap } from '../../lib/remember.ts';
import type { AccessToken, OAuthStore, PersonalToken } from '../../oauth/store.ts';
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
 * Reads a token. All tokens of a member share one record of the member; one is true only while that is the record in
 * the cache, which forgets it when the member changes.
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
      // Under the row's own key: the other one may be a slice of a whole token, which would stay in memory with it.
      tokens.set(token.key, { ...token, user });
    },
  });
}
