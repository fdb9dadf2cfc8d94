// `npm run bench:posts`: whether pages take longer when a community has a hundred times as many posts. Two servers run
// side by side, and each page is requested from them in turn, over one connection. Takes some five minutes. Words after
// `--` choose the pages whose names contain one of them, and then the table is only shown: `-- search /me/posts`.

import { createReadStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { compose } from '../src/compose.ts';
import { readConfig } from '../src/config.ts';
import { addApplication, addSessions } from './community.ts';
import { median, SECONDS, SERVER_PORT, say, settingsFor, startArguments } from './measuring.ts';
import { load, serve, stopAll } from './processes.ts';
import {
  addManyBookmarks,
  addManyFollows,
  addManyMembers,
  addManyPosts,
  addManySignIns,
  addManyTags,
  addManyWords,
  settle,
} from './seeding.ts';
import { get } from './workloads.ts';

const SMALL = 10_000;
const LARGE = Number(process.env.POSTS_LARGE ?? 1_000_000);
const POSTS_EACH = 200;
const POSTS_OF_TAG = 10;
// Of the members who are signed in, the first follow a few, the others as many as anyone can.
const SIGNED_IN = 40;
const FOLLOW_FEW = 20;
const BOOKMARKS_EACH = 100;
// As a file of the sitemap has.
const IDS_OF_FILE = 1000;
const ROUNDS = 5;
const REQUESTS = 2_000;
// Who asks for their own posts: as many members of each community, of whom the server remembers the tokens.
const CALLERS = SMALL / POSTS_EACH;

interface Page {
  name: string;
  request(community: Community, index: number): string;
}

interface Community {
  /** Its database. */
  path: string;
  port: number;
  members: number;
  tags: number;
  tokens: string[];
  /** The cookies of the first members. */
  sessions: string[];
}

const pageRequest = (path: string) => get(path, 'Accept: text/html');
const signedInRequest = (path: string, session: string | undefined) =>
  get(path, `Accept: text/html\r\nCookie: portico_session=${session}`);
const any = (most: number) => Math.floor(Math.random() * most);
// Each from an address of its own, because searches are limited for each address.
const searchRequest = (query: string) =>
  get(`/search?q=${query}`, `X-Forwarded-For: 10.${any(256)}.${any(256)}.${any(256)}`);

const PAGES: Page[] = [
  { name: 'home', request: () => pageRequest('/') },
  { name: 'popular', request: () => pageRequest('/popular') },
  { name: 'home, in one language', request: () => pageRequest('/?language=zh') },
  { name: 'popular, in one language', request: () => pageRequest('/popular?language=zh') },
  { name: 'a category', request: () => pageRequest('/categories/general') },
  { name: 'popular of a category', request: () => pageRequest('/categories/general/popular') },
  { name: 'a post', request: ({ members }) => pageRequest(`/posts/${1 + any(members * POSTS_EACH)}`) },
  { name: 'a member, first page', request: ({ members }) => pageRequest(`/u/member-${1 + any(members)}`) },
  {
    name: 'a member, last page',
    request: ({ members }) => pageRequest(`/u/member-${1 + any(members)}?page=${POSTS_EACH / 20}`),
  },
  { name: 'search: a word of every post', request: () => searchRequest('bread') },
  {
    name: 'search: a word of one in five hundred',
    request: (_, index) => searchRequest(`topic${index % 500}`),
  },
  {
    name: 'search: two words, together in one of five hundred',
    request: (_, index) => searchRequest(`bread+topic${index % 500}`),
  },
  { name: 'search: a word that is nowhere', request: (_, index) => searchRequest(`nowhere${index}`) },
  {
    name: 'search: a Chinese word that is in one of ten posts, while its characters are in every post',
    request: () => searchRequest(encodeURIComponent('面包')),
  },
  {
    name: 'search: Chinese signs that are in every post, and never together',
    request: () => searchRequest(encodeURIComponent('好面')),
  },
  { name: 'search: the beginning of five hundred words', request: () => searchRequest('topi') },
  { name: 'search: the most popular', request: () => searchRequest('bread&sort=popular') },
  { name: 'search: in one language', request: () => searchRequest('bread&language=zh') },
  {
    name: 'search: of one author',
    request: ({ members }) => searchRequest(`bread&author=member-${1 + any(members)}`),
  },
  {
    name: 'search: with a tag that ten posts have',
    request: ({ tags }) => searchRequest(`bread&tag=${tagOf(tags)}`),
  },
  {
    name: 'search: a word of one in five hundred, with a tag of one post in nine',
    request: (_, index) => searchRequest(`topic${index % 500}&tag=common`),
  },
  { name: 'the tags', request: () => pageRequest('/tags') },
  { name: 'a tag of ten posts', request: ({ tags }) => pageRequest(`/tags/${tagOf(tags)}`) },
  { name: 'a tag of one post in nine', request: () => pageRequest('/tags/common') },
  {
    name: 'followed: 20 members',
    request: ({ sessions }) => signedInRequest('/following', sessions[any(FOLLOW_FEW)]),
  },
  {
    name: 'followed: 40 members and 960 tags',
    request: ({ sessions }) =>
      signedInRequest('/following', sessions[FOLLOW_FEW + any(SIGNED_IN - FOLLOW_FEW)]),
  },
  {
    name: 'bookmarks of posts of all ages',
    request: ({ sessions }) => signedInRequest('/bookmarks', sessions[any(SIGNED_IN)]),
  },
  { name: 'popular of a tag of one post in nine', request: () => pageRequest('/tags/common/popular') },
  {
    name: 'a tag of one post in nine, in one language',
    request: () => pageRequest('/tags/common?language=zh'),
  },
  { name: 'a category, in one language', request: () => pageRequest('/categories/general?language=zh') },
  {
    name: 'popular of a category, in one language',
    request: () => pageRequest('/categories/general/popular?language=zh'),
  },
  { name: 'the feed of all posts', request: () => pageRequest('/feed.atom') },
  { name: 'the feed of a tag', request: ({ tags }) => pageRequest(`/tags/${tagOf(tags)}/feed.json`) },
  { name: 'the list of the sitemap’s files', request: () => pageRequest('/sitemap.xml') },
  {
    name: 'a file of the sitemap',
    request: ({ members }) =>
      pageRequest(`/sitemap/posts-${1 + any((members * POSTS_EACH) / IDS_OF_FILE)}.xml`),
  },
  {
    name: 'a file of the sitemap with tags',
    request: ({ tags }) => pageRequest(`/sitemap/tags-${1 + any(tags / IDS_OF_FILE)}.xml`),
  },
  {
    name: '/me/posts, first page, of 50 members',
    request: ({ tokens }, index) => apiRequest('/api/open/v1/me/posts', tokens[index % CALLERS]),
  },
  {
    name: '/me/posts, last page, of 50 members',
    request: ({ tokens }, index) =>
      apiRequest(`/api/open/v1/me/posts?page=${POSTS_EACH / 20 - 1}`, tokens[index % CALLERS]),
  },
  {
    // None of these are in memory: of each member the server remembers four pages.
    name: '/me/posts, any page of any length, of 50 members',
    request: ({ tokens }, index) => apiRequest(anyOwnPage(), tokens[index % CALLERS]),
  },
  {
    name: '/me/posts, any page of any length, of all members',
    request: ({ tokens }) => apiRequest(anyOwnPage(), tokens[any(tokens.length)]),
  },
];

const asked = process.argv.slice(2);
const chosen = PAGES.filter(({ name }) => asked.length === 0 || asked.some((word) => name.includes(word)));
const folder = mkdtempSync(join(tmpdir(), 'portico-posts-'));
try {
  const communities = [
    await serveCommunity(SERVER_PORT, SMALL),
    await serveCommunity(SERVER_PORT + 3, LARGE),
  ] as const;
  const rows: string[] = [];
  for (const page of chosen) rows.push(await compare(page, communities));
  const text = [
    '# Many posts',
    '',
    `Milliseconds until a page has arrived, over one connection, with ${SMALL} and with ${LARGE} posts (${POSTS_EACH} by each`,
    `member): medians of ${ROUNDS} rounds in which both were asked in turn, each for ${SECONDS} s, with ${REQUESTS} different requests.`,
    '',
    `| Page | ${SMALL} | ${LARGE} | ratio |`,
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
  if (asked.length === 0) {
    mkdirSync(join(import.meta.dirname, 'results'), { recursive: true });
    writeFileSync(join(import.meta.dirname, 'results/posts.md'), text);
  }
  process.stdout.write(text);
} finally {
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
}

async function serveCommunity(port: number, posts: number): Promise<Community> {
  say(`seeding ${posts} posts …`);
  const path = join(folder, `${posts}.db`);
  const settings = {
    ...settingsFor(path),
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    CACHED_TOKENS: '100',
    TRUST_PROXY: '127.0.0.1',
  };
  const portico = await compose(readConfig(settings));
  await portico.prepare();
  const { client } = await addApplication(portico);
  const database = new DatabaseSync(path);
  const members = posts / POSTS_EACH;
  addManyMembers(database, members);
  addManyPosts(database, posts, members);
  addManyWords(database);
  const tags = posts / POSTS_OF_TAG;
  addManyTags(database, tags);
  addManyFollows(database, { from: 1, to: FOLLOW_FEW }, { members: 20, tags: 0 });
  addManyFollows(database, { from: FOLLOW_FEW + 1, to: SIGNED_IN }, { members: 40, tags: 960 });
  addManyBookmarks(database, SIGNED_IN, BOOKMARKS_EACH);
  const tokens = addManySignIns(database, portico.config.brand, client.id, members).map(
    ({ access }) => access,
  );
  const sessions = await addSessions(portico, SIGNED_IN);
  settle(database);
  await portico.close();
  await serve(startArguments(), port, settings);
  return { port, path, members, tags, tokens, sessions };
}

function tagOf(tags: number): string {
  return `tag-${1 + any(tags)}`;
}

function anyOwnPage(): string {
  return `/api/open/v1/me/posts?page=${any(POSTS_EACH / 20)}&size=${10 + any(11)}`;
}

function apiRequest(path: string, token: string | undefined): string {
  return get(path, `Authorization: Bearer ${token}`);
}

// A server of this size holds its database in memory. Otherwise the larger one would be a measurement of the disk.
async function intoMemory(path: string): Promise<void> {
  for await (const _ of createReadStream(path, { highWaterMark: 1 << 20 }));
}

async function compare(
  { name, request }: Page,
  communities: readonly [Community, Community],
): Promise<string> {
  const times: [number[], number[]] = [[], []];
  for (const { path } of communities) await intoMemory(path);
  // The first round only warms up.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [index, community] of communities.entries()) {
      const requests = Array.from({ length: REQUESTS }, (_, number) => request(community, number));
      const orders = { port: community.port, connections: 1, status: 200, requests };
      const report = await load({ ...orders, seconds: round === 0 ? 1 : SECONDS });
      if (report.wrong > 0) throw new Error(`${name}: ${report.firstWrong}`);
      if (round > 0) times[index]?.push(report.p50);
    }
  }
  const [small, large] = times.map(median) as [number, number];
  say(`${name}: ${small.toFixed(2)} and ${large.toFixed(2)} ms`);
  return `| ${name} | ${small.toFixed(2)} | ${large.toFixed(2)} | ${(large / small).toFixed(2)} |`;
}
