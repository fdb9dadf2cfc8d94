// `npm run bench`: how much of what the runtime itself can do is left for the work. Each work is measured beside a
// baseline taken in the same minute, server and load on cores of their own, several times; medians count.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { compose, type Portico } from '../src/compose.ts';
import { readConfig } from '../src/config.ts';
import {
  type Application,
  addApplication,
  addCodes,
  addMembers,
  addSessions,
  addSignIns,
  CALLBACK,
  VERIFIER,
} from './community.ts';
import type { Orders, Report } from './load.ts';

const MEMBERS = Number(process.env.BENCH_MEMBERS ?? 100_000);
const ONCE = Number(process.env.BENCH_ONCE ?? 20_000);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const CONNECTIONS = 32;
const SERVER_PORT = 4301;
const BASELINE_PORT = 4302;
const canPin = availableParallelism() > 1 && spawnSync('taskset', ['-V']).status === 0;

interface Work {
  name: string;
  must: string;
  status: number;
  /** Requests that can be sent again and again, or, made anew for each round, once. */
  requests(round: number): Promise<string[]>;
  again: boolean;
}

const folder = mkdtempSync(join(tmpdir(), 'portico-bench-'));
const settings = {
  HOST: '127.0.0.1',
  PORT: String(SERVER_PORT),
  BASE_URL: `http://127.0.0.1:${SERVER_PORT}`,
  DATABASE_URL: `file:${join(folder, 'portico.db')}`,
  RATE_LIMIT_PER_MINUTE: '1000000000',
  TOKEN_RATE_LIMIT_PER_MINUTE: '1000000000',
  LOG_LEVEL: 'warn',
};
const portico = await compose(readConfig(settings));
await portico.prepare();
say(`seeding ${MEMBERS} members with ${MEMBERS} live tokens …`);
await addMembers(portico, MEMBERS, 100, 200);
const works = await prepareWorks(portico);
const processes: ChildProcess[] = [];
try {
  await serve(['src/main.ts'], SERVER_PORT, settings);
  await serve(['bench/baseline.ts', String(BASELINE_PORT)], BASELINE_PORT, {});
  const table: string[] = [];
  for (const work of works) table.push(await measure(work));
  const text = render(table);
  const results = join(import.meta.dirname, 'results');
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, 'latest.md'), text);
  process.stdout.write(text);
} finally {
  for (const child of processes) child.kill('SIGTERM');
  await portico.close();
  rmSync(folder, { recursive: true, force: true });
}

async function prepareWorks(portico: Portico): Promise<Work[]> {
  const notebook = await addApplication(portico);
  const signIns = await addSignIns(portico, notebook, MEMBERS);
  const cookies = await addSessions(portico, Math.min(MEMBERS, 10_000));
  const api = (path: string, token: string) => get(`/api/open/v1${path}`, `Authorization: Bearer ${token}`);
  const shuffled = signIns.map(({ access }) => access).sort(() => (portico.clock() % 2) - 0.5);
  const fresh = async (alg: 'RS256' | 'ES256', openid: boolean) => {
    const application = await addApplication(portico, alg);
    const scopes = openid ? (['openid', 'profile:read'] as const) : (['profile:read', 'posts:read'] as const);
    const codes = await addCodes(portico, application, Math.min(ONCE, MEMBERS), scopes);
    return codes.map(({ text }) => exchange(application, text));
  };
  const tokens = async (
    use: (application: Application, tokens: { access: string; refresh: string }) => string,
  ) => {
    const application = await addApplication(portico);
    return (await addSignIns(portico, application, Math.min(ONCE, MEMBERS))).map((one) =>
      use(application, one),
    );
  };
  const authors = signIns.slice(0, 100).map(({ access }) => access);
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: notebook.client.id,
    redirect_uri: CALLBACK,
    scope: 'profile:read posts:read',
    state: 'af0ifjsldkj',
  });
  return [
    {
      name: 'GET /me',
      must: '50 %',
      status: 200,
      again: true,
      requests: async () => shuffled.map((token) => api('/me', token)),
    },
    {
      name: 'GET /me/posts, 20 of 200',
      must: '20 %',
      status: 200,
      again: true,
      requests: async () => authors.map((token) => api('/me/posts', token)),
    },
    {
      name: 'code exchange with PKCE',
      must: '9 %',
      status: 200,
      again: false,
      requests: () => fresh('RS256', false),
    },
    {
      name: 'the same with an RS256 id_token',
      must: '85 % of what the core signs',
      status: 200,
      again: false,
      requests: () => fresh('RS256', true),
    },
    {
      name: 'the same with an ES256 id_token',
      must: '7 %',
      status: 200,
      again: false,
      requests: () => fresh('ES256', true),
    },
    {
      name: 'refresh with rotation',
      must: '12 %',
      status: 200,
      again: false,
      requests: () =>
        tokens((application, { refresh }) =>
          form('/api/oauth/token', {
            grant_type: 'refresh_token',
            refresh_token: refresh,
            ...credentials(application),
          }),
        ),
    },
    {
      name: 'authorize with remembered consent',
      must: '8 %',
      status: 303,
      again: true,
      requests: async () =>
        cookies.map((cookie) => get(`/oauth/authorize?${query}`, `Cookie: portico_session=${cookie}`)),
    },
    {
      name: 'revoke',
      must: '12 %',
      status: 200,
      again: false,
      requests: () =>
        tokens((application, { access }) =>
          form('/api/oauth/revoke', { token: access, ...credentials(application) }),
        ),
    },
  ];
}

async function measure(work: Work): Promise<string> {
  const ratios: number[] = [];
  const reports: Report[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const requests = await work.requests(round);
    const baseline = await load({
      port: BASELINE_PORT,
      connections: CONNECTIONS,
      requests: [get('/', 'Accept: */*')],
      seconds: SECONDS,
      status: 200,
    });
    const report = await load({
      port: SERVER_PORT,
      connections: CONNECTIONS,
      requests,
      status: work.status,
      ...(work.again ? { seconds: SECONDS } : {}),
    });
    if (report.wrong > 0)
      throw new Error(`${work.name}: ${report.wrong} wrong answers, such as\n${report.firstWrong}`);
    reports.push(report);
    ratios.push(report.perSecond / baseline.perSecond);
    say(`${work.name}: ${Math.round(report.perSecond)}/s of ${Math.round(baseline.perSecond)}/s`);
  }
  const percents = ratios.map((ratio) => 100 * ratio);
  const middle = reports.toSorted((a, b) => a.perSecond - b.perSecond)[
    Math.floor(reports.length / 2)
  ] as Report;
  return `| ${work.name} | ${median(percents).toFixed(1)} % | ${Math.min(...percents).toFixed(1)}–${Math.max(...percents).toFixed(1)} % | ${work.must} | ${Math.round(middle.perSecond)} | ${middle.p50.toFixed(2)} | ${middle.p99.toFixed(2)} | ${Math.round(100 * middle.cpu)} % |`;
}

function load(orders: Orders): Promise<Report> {
  return new Promise((resolve, reject) => {
    const [command, words] = pinned(1, ['bench/load.ts']);
    const child = spawn(command, words, { stdio: ['pipe', 'pipe', 'inherit'] });
    let printed = '';
    child.stdout.on('data', (text) => {
      printed += text;
    });
    child.on('exit', (code) =>
      code === 0 ? resolve(JSON.parse(printed)) : reject(new Error('the load failed')),
    );
    child.stdin.end(JSON.stringify(orders));
  });
}

async function serve(
  words: string[],
  port: number,
  environment: Record<string, string>,
): Promise<ChildProcess> {
  const [command, all] = pinned(0, words);
  const child = spawn(command, all, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  processes.push(child);
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${words[0]} ended at its start`);
    if (
      await fetch(`http://127.0.0.1:${port}/healthz`).then(
        () => true,
        () => false,
      )
    )
      return child;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function pinned(core: number, words: string[]): [string, string[]] {
  return canPin ? ['taskset', ['-c', String(core), process.execPath, ...words]] : [process.execPath, words];
}

function get(path: string, header: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${header}\r\n\r\n`;
}

function form(path: string, fields: Record<string, string>): string {
  const body = new URLSearchParams(fields).toString();
  return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

function exchange(application: Application, code: string): string {
  return form('/api/oauth/token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: CALLBACK,
    code_verifier: VERIFIER,
    ...credentials(application),
  });
}

function credentials({ client, secret }: Application): Record<string, string> {
  return { client_id: client.id, client_secret: secret };
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function render(rows: string[]): string {
  return `# Measured

${cpus()[0]?.model.trim()}, ${availableParallelism()} cores${canPin ? ', server and load pinned to one each' : ', not pinned'}; Node ${process.versions.node}, SQLite on disk,
synchronous=FULL; ${MEMBERS} members, ${MEMBERS} live tokens; ${CONNECTIONS} connections; medians of ${ROUNDS} rounds, each beside a bare server of the
runtime in the same minute.

| Work | Share of a bare server | Least–most | Must | Per second | p50 ms | p99 ms | Load's own core |
|---|---|---|---|---|---|---|---|
${rows.join('\n')}
`;
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
