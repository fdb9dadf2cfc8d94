// `npm run bench:weights`: what each kind of page weighs in Chromium, on a first visit and on a second one. Takes half a
// minute.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { openDemo } from '../demo/demo.ts';
import { MEMBER } from '../demo/seeding.ts';
import { say } from './measuring.ts';
import { openBrowser, openVisits, type Visited } from './visiting.ts';

const MEMBERS = 200;
const POSTS = 2_000;
const MOST_BYTES = 100_000;

const KINDS = ['Document', 'Stylesheet', 'Script', 'Font', 'Image'] as const;
type Kind = (typeof KINDS)[number] | 'Other';

interface Part {
  kind: Kind;
  /** With the headers, as sent. 0 if it came from the browser's cache. */
  bytes: number;
  /** The same if a proxy compresses pages. */
  compressedBytes: number;
}

type Visitor = 'visitor' | 'member' | 'operator';

const PAGES: [visitor: Visitor, name: string, path: (community: Visited) => string][] = [
  ['visitor', 'home', () => '/'],
  ['visitor', 'popular', () => '/popular'],
  ['visitor', 'a category', () => '/categories/cooking'],
  ['visitor', 'the tags', () => '/tags'],
  ['visitor', 'a tag', ({ tag }) => tag],
  ['visitor', 'a post with a picture', ({ post }) => post],
  ['visitor', 'a member', () => `/u/${MEMBER}`],
  ['visitor', 'search', () => '/search?q=bread'],
  ['visitor', 'signing in', () => '/login'],
  ['visitor', 'joining', () => '/signup'],
  ['visitor', 'help', () => '/help'],
  ['visitor', 'a chapter for developers', () => '/docs/api'],
  ['visitor', 'the API reference', () => '/docs/reference'],
  ['member', 'home', () => '/'],
  ['member', 'a post with a picture', ({ post }) => post],
  ['member', 'writing', () => '/write'],
  ['member', 'editing a post', ({ post }) => post.replace(/(\d+)\/.*/, '$1/edit')],
  ['member', 'drafts', () => '/drafts'],
  ['member', 'following', () => '/following'],
  ['member', 'bookmarks', () => '/bookmarks'],
  ['member', 'notifications', () => '/notifications'],
  ['member', 'the profile’s settings', () => '/settings/profile'],
  ['member', 'the emails’ settings', () => '/settings/mails'],
  ['member', 'security', () => '/settings/security'],
  ['member', 'API tokens', () => '/settings/tokens'],
  ['member', 'consent', ({ consent }) => consent],
  ['operator', 'the overview', () => '/operator'],
  ['operator', 'the members', () => '/operator/members'],
  ['operator', 'the settings', () => '/operator/settings'],
];

const browser = await openBrowser();
say(`creating a community of ${MEMBERS} members and ${POSTS} posts …`);
const demo = await openDemo({ port: 4301, samplePort: 4304, members: MEMBERS, posts: POSTS });
try {
  const community = await openVisits(browser, demo);
  const rows: string[] = [];
  for (const [visitor, name, pathIn] of PAGES) {
    rows.push(rowOf(`${name} (${visitor})`, await weigh(browser, visitor, community, pathIn(community))));
  }
  const text = [
    '# The weight of pages',
    '',
    `Kilobytes (1,000 bytes, with the headers) that Chromium receives for a page of a community with ${MEMBERS} members and`,
    `${POSTS} posts, on a screen of 1280 × 900 in English: on a first visit, and on a second one, when it has the style sheet,`,
    'the scripts and the fonts in its cache. The server compresses the style sheet and the scripts. *Without pictures* is',
    'everything but pictures; *compressed* is the same behind a proxy that compresses pages, too.',
    `What is above ${MOST_BYTES / 1000} kB is bold.`,
    '',
    '| Page | HTML | Style | Scripts | Fonts | Pictures | Without pictures | Compressed | Requests | Second visit | Requests |',
    '|---|---|---|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
  writeFileSync(join(import.meta.dirname, 'results/page-weights.md'), text);
  process.stdout.write(text);
} finally {
  await browser.close();
  await demo.stop();
}

async function weigh(
  browser: Browser,
  visitor: Visitor,
  { states }: Visited,
  path: string,
): Promise<[first: Part[], second: Part[]]> {
  const context = await browser.newContext({
    ...(visitor !== 'visitor' && { storageState: states[visitor] }),
    viewport: { width: 1280, height: 900 },
    locale: 'en-GB',
  });
  const page = await context.newPage();
  const first = await partsOf(page, path);
  // Opening the same address again would be a reload.
  await page.goto('about:blank');
  const second = await partsOf(page, path);
  await context.close();
  return [first, second];
}

async function partsOf(page: Page, path: string): Promise<Part[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const kinds = new Map<string, Kind>();
  const compressed = new Set<string>();
  const parts: Promise<Part>[] = [];
  session.on('Network.responseReceived', ({ requestId, type, response }) => {
    kinds.set(requestId, KINDS.find((kind) => kind === type) ?? 'Other');
    if ('Content-Encoding' in response.headers) compressed.add(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength: bytes }) => {
    parts.push(partOf(requestId, kinds.get(requestId) ?? 'Other', bytes));
  });
  await page.goto(demo.url + path, { waitUntil: 'networkidle' });
  const loaded = await Promise.all(parts);
  await session.detach();
  return loaded.filter(({ bytes }) => bytes > 0);

  async function partOf(requestId: string, kind: Kind, bytes: number): Promise<Part> {
    const isPage = (kind === 'Document' || kind === 'Other') && !compressed.has(requestId);
    if (!isPage || bytes === 0) return { kind, bytes, compressedBytes: bytes };
    const { body } = await session.send('Network.getResponseBody', { requestId });
    return { kind, bytes, compressedBytes: bytes - Buffer.byteLength(body) + gzipSync(body).length };
  }
}

function rowOf(name: string, [first, second]: [Part[], Part[]]): string {
  const isHeavy = (kind: Kind) => kind !== 'Image';
  const sum = (
    parts: Part[],
    isCounted: (kind: Kind) => boolean,
    key: 'bytes' | 'compressedBytes' = 'bytes',
  ) => parts.filter(({ kind }) => isCounted(kind)).reduce((total, part) => total + part[key], 0);
  const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1);
  const whole = sum(first, isHeavy);
  const cells = [
    ...KINDS.map((kind) => kilobytes(sum(first, (other) => other === kind))),
    whole < MOST_BYTES ? kilobytes(whole) : `**${kilobytes(whole)}**`,
    kilobytes(sum(first, isHeavy, 'compressedBytes')),
    first.length,
    kilobytes(sum(second, () => true)),
    second.length,
  ];
  return `| ${name} | ${cells.join(' | ')} |`;
}
