// `npm run fuzz -- --inputs 1000000 --seed 7`: any number of inputs, from any seed. `--target NAME` fuzzes only that
// parser, or the server if NAME is http. With `--base64 INPUT` as well, only that one input is tried.

import { parseArgs } from 'node:util';
import { decodeInput, describeFinding, type Finding, fuzz, judgeInput } from './fuzzing.ts';
import { describeHttpFinding, fuzzHttp, judgeStream } from './http/http-fuzzing.ts';
import { HTTP } from './http/streams.ts';
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
const names = values.target.length === 0 ? [...TARGETS.map(({ name }) => name), HTTP.name] : values.target;
const targets = names.filter((name) => name !== HTTP.name).map(targetNamed);
const hasServer = names.includes(HTTP.name);
/** The server's part of the inputs, if there are parsers too. */
const SERVER_SHARE = 0.12;

if (values.base64 === undefined) await fuzzAll();
else await judgeOne(values.base64);

async function fuzzAll(): Promise<void> {
  const streams = !hasServer ? 0 : Math.ceil(targets.length === 0 ? inputs : inputs * SERVER_SHARE);
  say(`${inputs} inputs, seed ${seed}`);
  let count = 0;
  if (targets.length > 0) {
    // Said at once, since a run may take hours.
    const onFinding = (finding: Finding) => say(describeFinding(finding));
    const plan = { seed, inputs: inputs - streams, targets, onFinding, onTarget: sayTarget };
    count += (await fuzz(plan)).length;
  }
  if (streams > 0) count += await fuzzServer(streams);
  say(`${count} findings`);
  process.exitCode = count === 0 ? 0 : 1;
}

async function fuzzServer(streams: number): Promise<number> {
  const start = performance.now();
  const { findings, statuses, kept } = await fuzzHttp(seed, streams);
  const seconds = (performance.now() - start) / 1000;
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  say(`${line(HTTP.name, streams, seconds)}; kept ${kept.toFixed(1)} MB; answers ${counts.join(', ')}`);
  for (const finding of findings) say(describeHttpFinding(finding));
  return findings.length;
}

function sayTarget(
  name: string,
  count: number,
  seconds: number,
  slowest: { index: number; ms: number },
): void {
  say(`${line(name, count, seconds)}; slowest ${slowest.ms.toFixed(1)} ms (input ${slowest.index})`);
}

function line(name: string, count: number, seconds: number): string {
  return `${name.padEnd(24)}${String(count).padStart(9)} inputs in ${seconds.toFixed(1).padStart(6)} s`;
}

async function judgeOne(base64: string): Promise<void> {
  if (names.length !== 1) throw new Error('--base64 needs one --target.');
  const [target] = targets;
  const problem =
    target === undefined
      ? await judgeStream(Buffer.from(base64, 'base64').toString('latin1'))
      : await judgeInput(target, decodeInput(target, base64));
  if (problem === undefined) say('No problem.');
  else say(typeof problem === 'string' ? problem : `${problem.kind}: ${problem.text}`);
  process.exitCode = problem === undefined ? 0 : 1;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
