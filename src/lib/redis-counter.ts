// A counter in Redis or Valkey, so that several machines share one count. The hits of one turn of the event loop
// travel in one call of a script.

import { once } from 'node:events';
import { Redis, ReplyError } from 'ioredis';
import type { Counter, Hit } from './counter.ts';
import { groupsOf } from './groups.ts';
import { giveInSlices } from './in-slices.ts';

// Redis runs a script as one step, so no hit comes between another one's read and write. A hit that fails counts
// nothing, and its answer is its error.
const HITS = `
local function hit(key, limit, window)
  local count = tonumber(redis.call('GET', key) or '0')
  local allowed = 0
  if count < limit then
    allowed = 1
    count = redis.call('INCR', key)
    if count == 1 then redis.call('PEXPIRE', key, window) end
  end
  return { allowed, count, redis.call('PTTL', key) }
end
local answers = {}
for i, key in ipairs(KEYS) do
  local isCounted, answer = pcall(hit, key, tonumber(ARGV[2 * i - 1]), ARGV[2 * i])
  if not isCounted and type(answer) == 'string' then answer = redis.error_reply(answer) end
  answers[i] = answer
end
return answers
`;

// Redis does nothing else during a call. Longer ones save hardly more.
const MOST_HITS = 64;
const LONGEST_PAUSE_MS = 1_000;

type Answer = [allowed: number, count: number, ttl: number];

interface HitsCommand {
  /** Takes the number of keys, the keys, and the limit and the milliseconds of each. */
  countHits(...values: (string | number)[]): Promise<(Answer | Error)[]>;
}

interface WaitingHit {
  key: string;
  limit: number;
  windowSeconds: number;
  resolve(hit: Hit): void;
  reject(error: unknown): void;
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
  redis.defineCommand('countHits', { lua: HITS });
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
  const commands = redis as unknown as HitsCommand;
  let waiting: WaitingHit[] = [];

  function sendTurn(): void {
    const hits = waiting;
    waiting = [];
    for (const group of groupsOf(hits, MOST_HITS)) void send(group);
  }

  async function send(hits: readonly WaitingHit[]): Promise<void> {
    await firstConnection;
    const keys = hits.map(({ key }) => `portico:${key}`);
    const limits = hits.flatMap(({ limit, windowSeconds }) => [limit, windowSeconds * 1000]);
    try {
      const answers = await commands.countHits(hits.length, ...keys, ...limits);
      giveInSlices(hits.map((hit, index) => () => settle(hit, answers[index] as Answer | Error)));
    } catch (error) {
      // Redis counted nothing. Perhaps it refuses one of the keys, or keys that belong to different servers.
      if (hits.length > 1 && error instanceof ReplyError) for (const hit of hits) void send([hit]);
      else for (const { reject } of hits) reject(connectionError ?? error);
    }
  }

  return {
    hit(key, limit, windowSeconds) {
      return new Promise((resolve, reject) => {
        if (waiting.push({ key, limit, windowSeconds, resolve, reject }) === 1) setImmediate(sendTurn);
      });
    },
    async close() {
      redis.disconnect();
    },
  };
}

function settle({ limit, resolve, reject }: WaitingHit, answer: Answer | Error): void {
  if (answer instanceof Error) {
    reject(answer);
    return;
  }
  const [allowed, count, ttl] = answer;
  resolve({
    allowed: allowed === 1,
    remaining: Math.max(0, limit - count),
    resetSeconds: Math.max(1, Math.ceil(ttl / 1000)),
  });
}
