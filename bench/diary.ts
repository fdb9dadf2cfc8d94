// `npm run bench:diary`: the cost of the access diary. Requests of members who keep one and of members who have switched
// it off take turns on the same server, in two cases: tokens that ask again and again, and a new token for each request.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compose } from '../src/compose.ts';
import { readConfig } from '../src/config.ts';
import { addApplication, addMembers, addSignIns, type SignedIn, shuffle } from './community.ts';
import {
  measure,
  median,
  ROUNDS,
  SERVER_PORT,
  say,
  serveBaseline,
  settingsFor,
  startArguments,
} from './measuring.ts';
import { serve, stopAll } from './processes.ts';
import { get, type Workload } from './workloads.ts';

const MEMBERS = Number(process.env.BENCH_MEMBERS ?? 50_000);
const FEW_TOKENS = 100;

const folder = mkdtempSync(join(tmpdir(), 'portico-diary-'));
const settings = settingsFor(join(folder, 'portico.db'));
try {
  say(`adding ${MEMBERS} members …`);
  const portico = await compose(readConfig(settings));
  await portico.prepare();
  await addMembers(portico, MEMBERS);
  const signIns = await addSignIns(portico, await addApplication(portico), MEMBERS);
  const [kept, off] = [
    signIns.filter((_, index) => index % 2 === 0),
    signIns.filter((_, index) => index % 2 === 1),
  ];
  // Member numbers begin at 1, in the order of the sign-ins.
  for (let userId = 2; userId <= MEMBERS; userId += 2)
    await portico.oauth.writes.keepDiary(
      { kind: 'member', userId, at: Date.now(), address: undefined },
      false,
    );
  await portico.close();
  await serve(startArguments(), SERVER_PORT, settings);
  await serveBaseline();
  const rows: string[] = [];
  for (const [name, count] of [
    [`${FEW_TOKENS} tokens`, FEW_TOKENS],
    [`${MEMBERS / 2} tokens in turn`, MEMBERS / 2],
  ] as const) {
    const shares: Record<'kept' | 'off', number[]> = { kept: [], off: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [state, of] of [
        ['off', off],
        ['kept', kept],
      ] as const) {
        const {
          shares: [share = 0],
        } = await measure(workload(`${name}, diary ${state}`, of.slice(0, count)), 1);
        shares[state].push(share);
      }
    }
    const ratios = shares.kept.map((share, round) => share / (shares.off[round] ?? 1));
    rows.push(
      `| ${name} | ${percent(median(shares.off))} | ${percent(median(shares.kept))} | ${percent(100 * (1 - median(ratios)))} |`,
    );
  }
  const report = `# The cost of the access diary

\`GET /me\` on SQLite, as a share of a bare \`node:http\` server in the same run. Medians of ${ROUNDS} rounds; the cost is
the median of the rounds' ratios.

| Requests | diary off | diary kept | cost |
|---|---|---|---|
${rows.join('\n')}
`;
  writeFileSync(join(import.meta.dirname, 'results/diary.md'), report);
  process.stdout.write(report);
} finally {
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
}

function workload(name: string, signIns: readonly SignedIn[]): Workload {
  return {
    name,
    must: undefined,
    aim: undefined,
    status: 200,
    isRepeatable: true,
    requests: async () =>
      shuffle([...signIns]).map(({ access }) => get('/api/open/v1/me', `Authorization: Bearer ${access}`)),
  };
}

function percent(value: number): string {
  return `${value.toFixed(1)} %`;
}
