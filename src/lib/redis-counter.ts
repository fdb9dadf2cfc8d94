// A counter in Redis or Valkey, so that several machines share one count.

import { once } from 'node:events';
import { Redis } from 'ioredis';
import type { Counter } from './counter.ts';

// Redis runs a script as one step, so no hit comes between another one's read and write.
const HIT = `
local count = tonumber(redis.call('GET', KEYS[1]) or '0')
local allowed = 0
if count < tonumber(ARGV[1]) then
  allowed = 1
  count = redis.call('INCR', KEYS[1])
  if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
end
return { allowed, count, redis.call('PTTL', KEYS[1]) }
`;

const LONGEST_PAUSE_MS = 1_000;

interface HitCommand {
  countHit(key: string, limit: number, windowMs: number): Promise<[number, number, number]>;
}

/**
 * Count in Redis. A hit fails if Redis doesn't answer within 200 ms, and at once while the connection is
 * lost. The caller decides what to do then.
 */
export function redisCounter(url: string): Counter {
  const redis = new Redis(url, {
    connectTimeout: LONGEST_PAUSE_MS,
    commandTimeout: 200,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    // Counts are shared again within a second after Redis is back.
    retryStrategy: (attempt) => Math.min(50 * attempt, LONGEST_PAUSE_MS),
  });
  redis.defineCommand('countHit', { numberOfKeys: 1, lua: HIT });
  // The reason why there is no connection. ioredis reconnects by itself.
  let connectionError: Error | undefined;
  redis.on('error', (error) => {
    connectionError = error;
  });
  redis.on('ready', () => {
    connectionError = undefined;
  });
  // The first hits wait until the first connection succeeds or fails, at most for the longest pause.
  const firstConnection = once(redis, 'ready').then(
    () => {},
    () => {},
  );
  const commands = redis as unknown as HitCommand;
  return {
    async hit(key, limit, windowSeconds) {
      await firstConnection;
      const [allowed, count, ttl] = await commands
        .countHit(`portico:${key}`, limit, windowSeconds * 1000)
        .catch((error) => {
          throw connectionError ?? error;
        });
      return {
        allowed: allowed === 1,
        remaining: Math.max(0, limit - count),
        resetSeconds: Math.max(1, Math.ceil(ttl / 1000)),
      };
    },
    async close() {
      redis.disconnect();
    },
  };
}
