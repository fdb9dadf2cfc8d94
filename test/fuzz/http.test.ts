// The server, fed with streams of bytes from a fixed seed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeHttpFinding, fuzzHttp } from './http/http-fuzzing.ts';

const SEED = 20_261_122;
const STREAMS = 12_000;

test(`${STREAMS} streams: each gets well-formed answers with their headers, or a closed connection`, async () => {
  const { findings, statuses } = await fuzzHttp(SEED, STREAMS);

  assert.deepEqual(findings.map(describeHttpFinding), []);
  // Streams that all ended at the first check would test nothing.
  for (const status of [200, 303, 400, 401, 403, 404, 415, 417])
    assert.ok(statuses.has(status), `no ${status}`);
});
