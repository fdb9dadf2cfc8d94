// `npm run bench:growth`: how speed changes with a community a hundred times larger, a member with very many posts, ten
// thousand refreshes of one sign-in and the purge of a million tokens; and the bytes that records need on disk. Takes
// some twenty minutes and 6 GB in the system's temporary folder.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { compose, type Portico } from '../src/compose.ts';
import { readConfig } from '../src/config.ts';
import { Form } from '../src/oauth/form.ts';
import { rotateRefreshToken } from '../src/oauth/refresh-token.ts';
import { type Application, addApplication, addPosts, addSignIns, type SignedIn } from './community.ts';
import {
  type Measurement,
  measure,
  median,
  SERVER_PORT,
  say,
  serveBaseline,
  settingsFor,
  startArguments,
} from './measuring.ts';
import { load, residentMegabytes, serve, stop, stopAll } from './processes.ts';
import { addExpiredTokens, addManyMembers, addManyPosts, addManySignIns, settle } from './seeding.ts';
import { AUTHORS, get, POSTS_EACH, type Workload, workloadsOf } from './workloads.ts';

const SMALL = 10_000;
const LARGE = Number(process.env.GROWTH_LARGE ?? 1_000_000);
const MANY_POSTS = 100_000;
const ROUNDS = 3;

interface Community {
  path: string;
  portico: Portico;
  application: Application;
  /** The authors' tokens, then those of members chosen at random. */
  signIns: SignedIn[];
  prolific: SignedIn;
}

const folder = mkdtempSync(join(tmpdir(), 'portico-growth-'));
const lines: string[] = [];
try {
  await serveBaseline();
  const small = await seedCommunity('small', SMALL, SMALL);
  const sharesSmall = await measureAll(small);
  await small.portico.close();
  const large = await seedCommunity('large', LARGE, 10 * LARGE);
  const sharesLarge = await measureAll(large);
  compare(sharesSmall, sharesLarge);
  await deepPages(large);
  await generations(large);
  await bytesOnDisk(large);
  await purging(large);
  await large.portico.close();
  const results = join(import.meta.dirname, 'results');
  mkdirSync(results, { recursive: true });
  const text = `# Growth\n\n${lines.join('\n')}\n`;
  writeFileSync(join(results, 'growth.md'), text);
  process.stdout.write(text);
} finally {
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
}

async function seedCommunity(name: string, members: number, posts: number): Promise<Community> {
  say(`seeding ${members} members, ${posts} posts, ${members} live tokens …`);
  const path = join(folder, `${name}.db`);
  const portico = await compose(readConfig(settingsFor(path)));
  await portico.prepare();
  const application = await addApplication(portico);
  const database = new DatabaseSync(path);
  addManyMembers(database, members);
  addManyPosts(database, posts, members);
  const all = addManySignIns(database, portico.config.brand, application.client.id, members);
  settle(database);
  await addPosts(portico, { first: 1, authors: AUTHORS, postsEach: POSTS_EACH });
  const sample = Math.min(members, 200_000);
  const indexes = Array.from({ length: sample }, (_, index) =>
    index < AUTHORS ? index : Math.floor(Math.random() * members),
  );
  return {
    path,
    portico,
    application,
    signIns: indexes.map((index) => all[index] as SignedIn),
    prolific: all[AUTHORS] as SignedIn,
  };
}

async function measureAll({ path, portico, application, signIns }: Community): Promise<Measurement[]> {
  const server = await serve(startArguments(), SERVER_PORT, settingsFor(path));
  const seeded = { portico, application, signIns, unrepeatable: 10_000 };
  const workloads = workloadsOf(seeded).filter(({ must }) => must !== undefined);
  const measurements: Measurement[] = [];
  for (const workload of workloads) measurements.push(await measure(workload, ROUNDS));
  say(`the server holds ${Math.round(residentMegabytes(server))} MB`);
  await stop(server);
  return measurements;
}

function compare(small: Measurement[], large: Measurement[]): void {
  lines.push(
    `Requests per second as a share of a bare server's: small with ${SMALL} members, posts and live tokens, large with`,
    `${LARGE} members, ${10 * LARGE} posts and ${LARGE} live tokens, requested at random. Medians of ${ROUNDS} rounds.`,
    '',
    '| Work | Small | Large | Kept |',
    '|---|---|---|---|',
  );
  const row = (name: string, before: number[], after: number[]) =>
    lines.push(
      `| ${name} | ${median(before).toFixed(1)} % | ${median(after).toFixed(1)} % | ${((100 * median(after)) / median(before)).toFixed(0)} % |`,
    );
  for (const [index, { workload, shares }] of small.entries())
    row(workload.name, shares, large[index]?.shares ?? []);
  lines.push('');
}

/** Time the pages at both ends of a long list. There are too many of them for the cache. */
async function deepPages({ path, prolific }: Community): Promise<void> {
  const database = new DatabaseSync(path);
  addManyPosts(database, MANY_POSTS, 1, AUTHORS + 1);
  settle(database);
  const server = await serve(startArguments(), SERVER_PORT, settingsFor(path));
  const last = MANY_POSTS / 20 - 1;
  const pages = async (first: number) => {
    const requests = Array.from({ length: 50 }, (_, index) =>
      get(`/api/open/v1/me/posts?page=${first + index}`, `Authorization: Bearer ${prolific.access}`),
    );
    const orders = { port: SERVER_PORT, connections: 1, requests, seconds: 2, status: 200 };
    await load(orders);
    return (await load(orders)).p50;
  };
  const [atStart, atEnd] = [await pages(0), await pages(last - 50)];
  lines.push(
    `A member with ${MANY_POSTS} posts, one connection: ${atStart.toFixed(2)} ms for the first pages, ${atEnd.toFixed(2)} ms for the last (p50).`,
    '',
  );
  await stop(server);
}

async function generations({ portico, application, signIns }: Community): Promise<void> {
  let refresh = signIns[0]?.refresh ?? '';
  const times: number[] = [];
  for (let generation = 0; generation < 10_000; generation += 1) {
    const start = performance.now();
    const form = new Form([['refresh_token', refresh]]);
    refresh = (await rotateRefreshToken(portico.oauth, application.client, form)).refreshToken ?? '';
    times.push(performance.now() - start);
  }
  const [first, last] = [median(times.slice(0, 500)), median(times.slice(-500))];
  lines.push(
    `One sign-in refreshed 10,000 times, one at a time: ${first.toFixed(3)} ms for the first 500, ${last.toFixed(3)} ms for the last 500 (medians, each with its own fsync).`,
    '',
  );
}

async function bytesOnDisk({ path, portico }: Community): Promise<void> {
  const application = await addApplication(portico);
  const database = new DatabaseSync(path);
  const size = () => {
    settle(database, false);
    const { page_count, page_size } = database
      .prepare('SELECT page_count, page_size FROM pragma_page_count(), pragma_page_size()')
      .get() as { page_count: number; page_size: number };
    return page_count * page_size;
  };
  const before = size();
  const signIns = await addSignIns(portico, application, 20_000);
  const between = size();
  for (const { refresh } of signIns) {
    await rotateRefreshToken(portico.oauth, application.client, new Form([['refresh_token', refresh]]));
  }
  const after = size();
  database.close();
  lines.push(
    `On disk: ${Math.round((between - before) / 20_000)} bytes for a sign-in (code, sign-in, access token, indices), ${Math.round((after - between) / 20_000)} for each further access token.`,
    '',
  );
}

async function purging({ path, signIns, portico, application }: Community): Promise<void> {
  const database = new DatabaseSync(path);
  addExpiredTokens(database, LARGE);
  settle(database);
  const expired = () => {
    const row = new DatabaseSync(path, { readOnly: true })
      .prepare('SELECT count(*) AS count FROM access_tokens WHERE expires_at < unixepoch() * 1000')
      .get();
    return Number(row?.count);
  };
  const seeded = { portico, application, signIns, unrepeatable: 1 };
  const [me] = workloadsOf(seeded) as [Workload];
  const server = await serve(startArguments(), SERVER_PORT, settingsFor(path));
  const start = performance.now();
  const before = expired();
  const during = await measure(me, ROUNDS);
  const remaining = expired();
  const seconds = (performance.now() - start) / 1000;
  await stop(server);
  // Again, with nothing to purge.
  const cleared = new DatabaseSync(path);
  cleared.exec('DELETE FROM access_tokens WHERE expires_at < unixepoch() * 1000');
  settle(cleared);
  await serve(startArguments(), SERVER_PORT, settingsFor(path));
  const without = await measure(me, ROUNDS);
  lines.push(
    `While ${before} expired tokens are purged (${Math.round((before - remaining) / seconds)} a second): GET /me reaches ${median(during.shares).toFixed(1)} % of a bare server, and ${median(without.shares).toFixed(1)} % without purging (a ratio of ${((100 * median(during.shares)) / median(without.shares)).toFixed(0)} %).`,
    '',
  );
}
