// `npm run fuzz -- --inputs 1000000 --seed 7`: as many inputs for the parsers as one likes, from any seed. `--target NAME`
// takes one parser, and `--base64 INPUT` with it one input.

import { parseArgs } from 'node:util';
import { decodeInput, describeFinding, fuzz, judgeInput } from './fuzzing.ts';
import { targetNamed } from './judging.ts';
import { TARGETS } from './targets.ts';

const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    target: { type: 'string', multiple: true, default: [] },
    base64: { type: 'string' },
  },
});
const [inputs, seed] = [Number(values.inputs), Number(values.seed)];
if (!Number.isSafeInteger(inputs) || inputs < 1) throw new Error('--inputs must be a whole number above 0.');
if (!Number.isSafeInteger(seed)) throw new Error('--seed must be a whole number.');
const targets = values.target.length === 0 ? TARGETS : values.target.map(targetNamed);

if (values.base64 === undefined) await fuzzAll();
else await judgeOne(values.base64);

async function fuzzAll(): Promise<void> {
  say(`${inputs} inputs, seed ${seed}`);
  const findings = await fuzz({
    seed,
    inputs,
    targets,
    onTarget: (name, count, seconds, slowest) =>
      say(
        `${name.padEnd(24)}${String(count).padStart(9)} inputs in ${seconds.toFixed(1).padStart(6)} s; ` +
          `slowest ${slowest.ms.toFixed(1)} ms (input ${slowest.index})`,
      ),
  });
  for (const finding of findings) say(describeFinding(finding));
  say(`${findings.length} findings`);
  process.exitCode = findings.length === 0 ? 0 : 1;
}

async function judgeOne(base64: string): Promise<void> {
  const [target] = targets;
  if (target === undefined || targets.length !== 1) throw new Error('--base64 needs one --target.');
  const problem = await judgeInput(target, decodeInput(target, base64));
  say(problem === undefined ? 'No problem.' : `${problem.kind}: ${problem.text}`);
  process.exitCode = problem === undefined ? 0 : 1;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
