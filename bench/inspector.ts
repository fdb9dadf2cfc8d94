// `npm run bench:inspector`: the cost of the request inspector. Two servers on copies of one database, one of which
// notes no requests, answer the same requests in turn. Compared is the processor time of a request, with the writing
// in the background: unlike the speed, it hardly depends on what else the machine does.

import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { compose } from '../src/compose.ts';
import { readConfig } from '../src/config.ts';
import { addApplication, addMembers, addSignIns, type SignedIn, shuffle } from './community.ts';
import { CONNECTIONS, median, ROUNDS, SECONDS, say, settingsFor } from './measuring.ts';
import { load, serve, stopAll } from './processes.ts';
import { get, refreshRequest } from './workloads.ts';

const MEMBERS = Number(process.env.BENCH_MEMBERS ?? 20_000);
const FEW_TOKENS = 100;
const PORTS = { on: 4303, off: 4304 };
type State = keyof typeof PORTS;
const STATES = ['on', 'off'] as const;

interface Case {
  name: string;
  /** The requests of a round, the same for both servers. */
  requests(round: number): string[];
  seconds?: number;
}

const pids: Record<State, number> = { on: 0, off: 0 };
const folder = mkdtempSync(join(tmpdir(), 'portico-inspector-'));
const fileOf = (state: State) => join(folder, `${state}.db`);
try {
  say(`adding ${MEMBERS} members …`);
  const portico = await compose(readConfig(settingsFor(fileOf('on'))));
  await portico.prepare();
  await addMembers(portico, MEMBERS);
  const application = await addApplication(portico);
  const signIns = await addSignIns(portico, application, MEMBERS);
  await portico.close();
  copyFileSync(fileOf('on'), fileOf('off'));
  for (const state of STATES) await serveOn(state);
  const perRound = Math.floor(MEMBERS / (ROUNDS + 1));
  const cases: Case[] = [
    {
      name: `\`GET /me\`, ${FEW_TOKENS} tokens`,
      requests: () => calls(signIns.slice(0, FEW_TOKENS)),
      seconds: SECONDS,
    },
    { name: `\`GET /me\`, ${MEMBERS} tokens in turn`, requests: () => calls(signIns), seconds: SECONDS },
    {
      name: 'refresh with rotation',
      requests: (round) =>
        signIns
          .slice(round * perRound, (round + 1) * perRound)
          .map((one) => refreshRequest(one, application)),
    },
  ];
  const rows: string[] = [];
  for (const one of cases) rows.push(await rowOf(one));
  const report = `# The cost of the request inspector

Microseconds of processor time a request on SQLite, of a server without and one with the inspector, in turn. Medians of
${ROUNDS} rounds; the cost is the median of the rounds' ratios.

| Requests | without | with | cost |
|---|---|---|---|
${rows.join('\n')}
`;
  writeFileSync(join(import.meta.dirname, 'results/inspector.md'), report);
  process.stdout.write(report);
} finally {
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
}

async function serveOn(state: State): Promise<void> {
  const main = [join(import.meta.dirname, '../src/main.ts'), 'serve'];
  const without = ['--import', join(import.meta.dirname, 'without-inspector.ts')];
  const port = PORTS[state];
  const settings = {
    ...settingsFor(fileOf(state)),
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
  };
  const { pid } = await serve(state === 'on' ? main : [...without, ...main], port, settings);
  pids[state] = pid ?? 0;
}

function calls(of: readonly SignedIn[]): string[] {
  return shuffle(of).map(({ access }) => get('/api/open/v1/me', `Authorization: Bearer ${access}`));
}

async function rowOf({ name, requests, seconds }: Case): Promise<string> {
  const times: Record<State, number[]> = { on: [], off: [] };
  // Round 0 only warms up.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const same = requests(round);
    for (const state of round % 2 === 0 ? STATES : STATES.toReversed()) {
      const time = await timeOfRequest(state, same, seconds);
      if (round > 0) times[state].push(time);
    }
    say(`${name}: ${rounded(times.off.at(-1))} us without, ${rounded(times.on.at(-1))} us with`);
  }
  const ratios = times.on.map((time, round) => time / (times.off[round] ?? 1));
  const cost = (100 * (median(ratios) - 1)).toFixed(1);
  return `| ${name} | ${rounded(median(times.off))} | ${rounded(median(times.on))} | ${cost} % |`;
}

async function timeOfRequest(state: State, requests: string[], seconds: number | undefined): Promise<number> {
  const orders = { port: PORTS[state], connections: CONNECTIONS, status: 200, requests };
  const before = processorTime(pids[state]);
  const { answered, wrong, firstWrong } = await load(seconds === undefined ? orders : { ...orders, seconds });
  if (wrong > 0) throw new Error(`${wrong} wrong answers, such as\n${firstWrong}`);
  // What was noted last is written in a second.
  await pause(1200);
  return (processorTime(pids[state]) - before) / answered;
}

// In microseconds, of all threads.
function processorTime(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const times = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'));
  return times.reduce((sum, time) => sum + Number.parseInt(time, 10) / 1000, 0);
}

function rounded(time = 0): string {
  return time.toFixed(1);
}
