// The protocol of the sandbox: Portico's, with access tokens that expire soon, and with records that look expired or
// used when a developer wants that. The refusals are Portico's own.

import { type Awaitable, andThen } from '../lib/awaitable.ts';
import { SECOND } from '../lib/clock.ts';
import { digestOf, randomBase62 } from '../lib/secrets.ts';
import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import { ACCESS_TOKEN_LIFETIME } from '../oauth/issued-tokens.ts';
import type { Counted } from './faults.ts';
import type { SandboxSet, Sets } from './sets.ts';

const SHORT_LIFETIME = 10 * SECOND;

/** Return the server for the doors of the sandbox. */
export function failingServer(server: AuthorizationServer, sets: Sets): AuthorizationServer {
  const { reads, writes, clock } = server;
  return {
    ...server,
    // A document can be anyone's: it would be fetched for a stranger, and all sets would share its application.
    documentPolicy: () => 'off',
    accessTokenLifetime: (userId) =>
      sets.ofMember(userId)?.hasShortTokens ? SHORT_LIFETIME : ACCESS_TOKEN_LIFETIME,
    writes: {
      ...writes,
      // An offer shows the name that one developer chose to another, and the application would outlive its set.
      async offerClient(by, clientId, to, until) {
        const set = sets.ofMember((await reads.findClient(clientId))?.ownerId ?? 0);
        if (to !== undefined && set?.members.every(({ id }) => id !== to)) return false;
        return writes.offerClient(by, clientId, to, until);
      },
    },
    reads: {
      ...reads,
      // A warning would tell one set what another has registered.
      clientsLike: async () => [],
      async findAuthorizationCode(key) {
        const code = await reads.findAuthorizationCode(key);
        if (code === undefined || code.redeemedAt !== undefined) return code;
        const set = sets.ofMember(code.userId);
        // A code that was refused stays refused.
        if (set?.faults.take('code', 'expired') !== undefined) set.expiredCodes.add(key);
        return set?.expiredCodes.has(key) ? { ...code, expiresAt: clock() - SECOND } : code;
      },
      async findTokenFamily(key) {
        const family = await reads.findTokenFamily(key);
        if (family === undefined || family.revokedAt !== undefined) return family;
        const isReplayed = sets.ofMember(family.userId)?.faults.take('refresh', 'replayed') !== undefined;
        // Whatever comes is not the newest refresh token any more, so it counts as used.
        return isReplayed
          ? { ...family, refreshDigest: digestOf(randomBase62(32)), previousDigest: undefined }
          : family;
      },
    },
  };
}

/** Find the set of a counted request. */
export function setOf(
  { reads }: AuthorizationServer,
  sets: Sets,
  counted: Counted,
): Awaitable<SandboxSet | undefined> {
  const ofMember = (userId: number | undefined) => (userId === undefined ? undefined : sets.ofMember(userId));
  if (counted.place === 'tokens') {
    return andThen(reads.findClient(counted.clientId), (client) => ofMember(client?.ownerId));
  }
  return andThen(reads.findAccessToken(counted.tokenKey), (token) =>
    token === undefined
      ? andThen(reads.findPersonalToken(counted.tokenKey), (personal) => ofMember(personal?.user.id))
      : ofMember(token.user.id),
  );
}
