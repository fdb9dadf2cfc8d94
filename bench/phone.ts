// `npm run bench:phone`: how soon pages are there on a slow phone in a slow network, on a first visit in Chromium, and
// what they weigh. Takes some two minutes.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, CDPSession } from 'playwright-core';
import { openDemo } from '../demo/demo.ts';
import { MEMBER } from '../demo/seeding.ts';
import { median, say } from './measuring.ts';
import { openBrowser, openVisits, type Visited } from './visiting.ts';

const MEMBERS = 200;
const POSTS = 2_000;
const LOADS = Number(process.env.BENCH_ROUNDS ?? 5);
const SLOWER = 6;
const LATENCY_MS = 150;
const DOWN_MEGABITS = 1.6;
const UP_MEGABITS = 0.75;
const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };

// Measured with `gzip -6` on the files that its layout names for visitors: `application.css`, `system-system.css`, the
// `light-normal.css` that the latter imports, and `application.js`.
const LOBSTERS = { commit: '57268d762e1c2c95b7a8e64ee8deb259cddd8cc0', date: '3 August 2026', bytes: 12_253 };

// What a phone received for news.ycombinator.com, compressed, by the table of https://danluu.com/slow-device/.
const HACKER_NEWS = { date: 'March 2024', wire: 11, raw: 50 };

const PAGES: [isSignedIn: boolean, name: string, path: (visited: Visited) => string][] = [
  [false, 'home', () => '/'],
  [false, 'a post with a picture', ({ post }) => post],
  [false, 'a member', () => `/u/${MEMBER}`],
  [false, 'signing in', () => '/login'],
  [true, 'consent', ({ consent }) => consent],
];

interface Load {
  /** Milliseconds since the navigation began. */
  firstByte: number;
  largestPaint: number;
  /** Bytes received with their headers, by the browser's type of the resource. */
  bytes: Map<string, number>;
}

// As text, because it runs in the browser.
const LARGEST_PAINT = `new Promise((resolve) => {
  const observer = new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime));
  observer.observe({ type: 'largest-contentful-paint', buffered: true });
})`;

const browser = await openBrowser();
say(`creating a community of ${MEMBERS} members and ${POSTS} posts …`);
const demo = await openDemo({ port: 4331, samplePort: 4334, members: MEMBERS, posts: POSTS });
try {
  const visited = await openVisits(browser, demo);
  const rows: string[] = [];
  for (const [isSignedIn, name, path] of PAGES) {
    const loads: Load[] = [];
    for (let load = 0; load < LOADS; load += 1) {
      loads.push(await visit(browser, isSignedIn ? visited.states.member : undefined, path(visited)));
    }
    rows.push(rowOf(name, loads));
    say(rows.at(-1) ?? '');
  }
  const text = render(rows, browser.version());
  writeFileSync(join(import.meta.dirname, 'results/phone.md'), text);
  process.stdout.write(text);
} finally {
  await browser.close();
  await demo.stop();
}

/** Load a page with nothing in the cache. */
async function visit(
  browser: Browser,
  storageState: Visited['states']['member'] | undefined,
  path: string,
): Promise<Load> {
  const context = await browser.newContext({
    ...PHONE,
    ...(storageState && { storageState }),
    locale: 'en-GB',
  });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await slowDown(session);
  const bytes = new Map<string, number>();
  const types = new Map<string, string>();
  let [start, firstByte] = [0, 0];
  session.on('Network.requestWillBeSent', ({ type, timestamp }) => {
    if (type === 'Document') start = timestamp;
  });
  session.on('Network.responseReceived', ({ requestId, type, timestamp }) => {
    types.set(requestId, type);
    // The page's own timing leaves out the latency that is emulated.
    if (type === 'Document') firstByte = 1000 * (timestamp - start);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const type = types.get(requestId) ?? 'Other';
    bytes.set(type, (bytes.get(type) ?? 0) + encodedDataLength);
  });
  await page.goto(demo.url + path, { waitUntil: 'networkidle' });
  const largestPaint = await page.evaluate<number>(LARGEST_PAINT);
  await context.close();
  return { firstByte, largestPaint, bytes };
}

async function slowDown(session: CDPSession): Promise<void> {
  await session.send('Network.enable');
  const bytesPerSecond = (megabits: number) => (megabits * 1e6) / 8;
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: bytesPerSecond(DOWN_MEGABITS),
    uploadThroughput: bytesPerSecond(UP_MEGABITS),
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
}

function rowOf(name: string, loads: readonly Load[]): string {
  const milliseconds = (time: (load: Load) => number) => Math.round(median(loads.map(time)));
  const kilobytes = (isCounted: (type: string) => boolean) => {
    const sums = loads.map(({ bytes }) =>
      [...bytes].reduce((sum, [type, more]) => sum + (isCounted(type) ? more : 0), 0),
    );
    return (median(sums) / 1000).toFixed(1);
  };
  const cells = [
    name,
    milliseconds(({ firstByte }) => firstByte),
    milliseconds(({ largestPaint }) => largestPaint),
    kilobytes((type) => type === 'Document'),
    kilobytes((type) => type === 'Stylesheet' || type === 'Script'),
    kilobytes((type) => type === 'Font'),
    kilobytes((type) => type === 'Image'),
    kilobytes(() => true),
  ];
  return `| ${cells.join(' | ')} |`;
}

function render(rows: readonly string[], version: string): string {
  return `# Pages on a slow phone

${new Date().toISOString().slice(0, 10)}; Chromium ${version} with a processor ${SLOWER} times slower, ${DOWN_MEGABITS} Mbit/s and ${LATENCY_MS} ms of latency for each request,
but not for connecting; a screen of ${PHONE.viewport.width} × ${PHONE.viewport.height}. The community has ${MEMBERS} members and ${POSTS} posts, and is on the same
machine, without TLS and without a proxy. The server compresses the style sheet and the scripts; a proxy can compress pages,
too. Medians of ${LOADS} loads with nothing in the cache. Kilobytes are 1,000 bytes, with the headers.

| Page | First byte, ms | Largest paint, ms | HTML, kB | Style and scripts, kB | Fonts, kB | Pictures, kB | All, kB |
|---|---|---|---|---|---|---|---|
${rows.join('\n')}

Beside it: Lobsters’ style sheets and script for a visitor are ${(LOBSTERS.bytes / 1000).toFixed(1)} kB with \`gzip -6\` and without headers, and it has no
fonts of its own. These are the files that its layout names, in
[its repository](https://github.com/lobsters/lobsters/tree/${LOBSTERS.commit}) of ${LOBSTERS.date}. Its HTML and pictures depend on its
posts, and aren't compared.

The front page of Hacker News was ${HACKER_NEWS.wire} kB as sent, compressed, and ${HACKER_NEWS.raw} kB uncompressed in ${HACKER_NEWS.date}, by
[How web bloat impacts users with slow devices](https://danluu.com/slow-device/). It has 30 titles, no beginnings of posts and no fonts of its
own. Times can't be compared, because that article used other phones and a fast network.
`;
}
