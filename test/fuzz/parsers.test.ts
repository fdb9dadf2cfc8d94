// Every parser, fed with inputs from a fixed seed. `npm run fuzz` takes other seeds and more inputs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeFinding, fuzz } from './fuzzing.ts';
import { TARGETS } from './targets.ts';

const SEED = 20_261_122;
const INPUTS = 88_000;

test(`${INPUTS} inputs: each parser answers or refuses, in bounded time and memory`, async () => {
  const findings = await fuzz({ seed: SEED, inputs: INPUTS, targets: TARGETS });

  assert.deepEqual(findings.map(describeFinding), []);
});
