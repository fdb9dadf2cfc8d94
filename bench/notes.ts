// `npm run bench:notes`: the cost of what the server notes about each request: the members' access diary and the
// developers' request inspector. The processor time of a note, with the writing in the background, is measured by itself
// and compared with that of a whole request: it is too small to be found as the difference of two servers.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { compose, type Portico } from '../src/compose.ts';
import { readConfig } from '../src/config.ts';
import { authenticateBearer, type Principal } from '../src/oauth/bearer-token.ts';
import { credentialName } from '../src/oauth/request-rules.ts';
import { addApplication, addMembers, addSignIns } from './community.ts';
import {
  CONNECTIONS,
  median,
  ROUNDS,
  SECONDS,
  SERVER_PORT,
  say,
  settingsFor,
  startArguments,
} from './measuring.ts';
import { load, serve, stopAll } from './processes.ts';
import { get, refreshRequest } from './workloads.ts';

const MEMBERS = Number(process.env.BENCH_MEMBERS ?? 20_000);
const FEW_TOKENS = 100;
// As many as a fast core answers, in as many batches as come of that.
const READS_PER_SECOND = 30_000;
const REFRESHES_PER_SECOND = 4000;
const FROM = { address: '192.0.2.7', userAgent: 'notebook/1.0' };

interface Noted {
  /** How many requests a second are noted, and in how many batches. */
  perSecond: number;
  batches: number;
  note(principal: Principal): void;
  store(): Promise<unknown>;
}

const folder = mkdtempSync(join(tmpdir(), 'portico-notes-'));
const settings = settingsFor(join(folder, 'portico.db'));
const portico = await compose(readConfig(settings));
try {
  say(`adding ${MEMBERS} members …`);
  await portico.prepare();
  await addMembers(portico, MEMBERS);
  const application = await addApplication(portico);
  const signIns = await addSignIns(portico, application, MEMBERS);
  const callers: Principal[] = [];
  for (const { access } of signIns) callers.push(await authenticateBearer(portico.oauth, access));

  const { diary, inspector, refreshes } = notesOf(portico);
  const few = callers.slice(0, FEW_TOKENS);
  const notes = {
    diaryFew: await timeOfNote(diary, few),
    diaryAll: await timeOfNote(diary, callers),
    inspectorFew: await timeOfNote(inspector, few),
    inspectorAll: await timeOfNote(inspector, callers),
    refreshes: await timeOfNote(refreshes, callers),
  };
  await portico.close();

  const { pid = 0 } = await serve(startArguments(), SERVER_PORT, settings);
  const calls = signIns.map(({ access }) => get('/api/open/v1/me', `Authorization: Bearer ${access}`));
  const readFew = await timeOfRequest(pid, () => calls.slice(0, FEW_TOKENS), SECONDS);
  const readAll = await timeOfRequest(pid, () => calls, SECONDS);
  const share = Math.floor(MEMBERS / ROUNDS);
  const refresh = await timeOfRequest(pid, (round) =>
    signIns.slice(round * share, (round + 1) * share).map((one) => refreshRequest(one, application)),
  );
  const all = `${MEMBERS} tokens in turn`;
  const report = `# The cost of what is noted about each request

Microseconds of processor time on SQLite: of a note with its writing in the background, and of the whole request
(median of ${ROUNDS} rounds).

| Noted | Request | note | request | share |
|---|---|---|---|---|
${row('access diary', `\`GET /me\`, ${FEW_TOKENS} tokens`, notes.diaryFew, readFew)}
${row('access diary', `\`GET /me\`, ${all}`, notes.diaryAll, readAll)}
${row('request inspector', `\`GET /me\`, ${FEW_TOKENS} tokens`, notes.inspectorFew, readFew)}
${row('request inspector', `\`GET /me\`, ${all}`, notes.inspectorAll, readAll)}
${row('request inspector', 'refresh with rotation', notes.refreshes, refresh)}
`;
  writeFileSync(join(import.meta.dirname, 'results/notes.md'), report);
  process.stdout.write(report);
} finally {
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
}

function notesOf(portico: Portico): Record<'diary' | 'inspector' | 'refreshes', Noted> {
  return {
    diary: {
      perSecond: READS_PER_SECOND,
      batches: 2,
      note: (caller) => portico.diary.note(caller, { reading: 'profile', status: 200, posts: 0, ...FROM }),
      store: () => portico.mergeDiary(),
    },
    inspector: {
      perSecond: READS_PER_SECOND,
      batches: 1,
      note: (caller) => portico.inspector.noteRead(caller, '/api/open/v1/me', 200),
      store: () => portico.inspector.flush(),
    },
    refreshes: {
      perSecond: REFRESHES_PER_SECOND,
      batches: 1,
      note: ({ clientId, digest }) =>
        portico.inspector.note({
          clientId,
          kind: 'done',
          facts: {
            endpoint: 'token',
            outcome: 'tokens_issued',
            status: 200,
            grantType: 'refresh_token',
            credential: credentialName(digest),
            scope: 'profile:read posts:read',
            broken: [],
          },
          ...FROM,
        }),
      store: () => portico.inspector.flush(),
    },
  };
}

async function timeOfNote({ perSecond, batches, note, store }: Noted, callers: Principal[]): Promise<number> {
  const times: number[] = [];
  let next = 0;
  for (let second = 0; second < 2 * ROUNDS; second += 1) {
    const before = process.cpuUsage();
    for (let batch = 0; batch < batches; batch += 1) {
      const checkedAt = Date.now();
      for (let count = 0; count < perSecond / batches; count += 1) {
        const caller = callers[next % callers.length];
        next += 1;
        if (caller !== undefined) note({ ...caller, checkedAt });
      }
      await store();
    }
    const { user, system } = process.cpuUsage(before);
    // The first half only compiles.
    if (second >= ROUNDS) times.push((user + system) / perSecond);
  }
  return median(times);
}

async function timeOfRequest(
  pid: number,
  requests: (round: number) => string[],
  seconds?: number,
): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const orders = { port: SERVER_PORT, connections: CONNECTIONS, status: 200, requests: requests(round) };
    const before = processorTime(pid);
    const report = await load(seconds === undefined ? orders : { ...orders, seconds });
    if (report.wrong > 0) throw new Error(`${report.wrong} wrong answers, such as\n${report.firstWrong}`);
    // What was noted last is written in a second.
    await pause(1200);
    times.push((processorTime(pid) - before) / report.answered);
  }
  return median(times);
}

// In microseconds, of all threads.
function processorTime(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const times = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'));
  return times.reduce((sum, time) => sum + Number.parseInt(time, 10) / 1000, 0);
}

function row(noted: string, request: string, note: number, whole: number): string {
  return `| ${noted} | ${request} | ${note.toFixed(2)} | ${whole.toFixed(1)} | ${((100 * note) / whole).toFixed(1)} % |`;
}
