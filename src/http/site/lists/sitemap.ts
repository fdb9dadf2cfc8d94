// What search engines read: which pages they should leave alone, and the addresses of the others.

import { HOUR, MINUTE, SECOND, type Timestamp } from '../../../lib/clock.ts';
import { BoundedMap } from '../../../lib/remember.ts';
import { writtenPages } from '../../../site/text-names.ts';
import { notFoundPage } from '../../pages/failures.ts';
import { categoryPath, postPath, tagPath } from '../../pages/post-path.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { REFERENCE_PATH } from '../chapters.ts';
import type { SiteParts } from '../site-parts.ts';
import { escaped, moment } from './atom.ts';
import { TAGS_PATH } from './tags.ts';

export const ROBOTS_TXT = '/robots.txt';
export const SITEMAP = '/sitemap.xml';

// A file may have 50,000 addresses, and the list of files as many (sitemaps.org). Making one takes some 15 ms.
const IDS_OF_FILE = 1000;
const CACHEABLE_FOR = 1 * HOUR;
const KEPT_FOR = 10 * MINUTE;
// A search engine reads one after another. Each has up to 250 kB, so all together have 20 MB.
const MOST_KEPT = 80;

// Pages of members and operators, forms, searches, and what only programs use. The docs and feeds are for everyone.
const NOT_TO_VISIT = [
  '/api/',
  '/bookmarks',
  '/comments/',
  '/developers/',
  '/docs/search',
  '/drafts',
  '/email/',
  '/forgot-password',
  '/following',
  '/login',
  '/not-me',
  '/notifications',
  '/oauth/',
  '/operator',
  '/renamed',
  '/posts/removed',
  '/report',
  '/reset-password',
  '/search',
  '/second-factor/',
  '/settings/',
  '/setup',
  '/signup',
  '/unsubscribe',
  '/write',
];

/** Answer with robots.txt (RFC 9309). */
export function robotsTxt({ site }: SiteParts, c: PageContext): Response {
  const lines = [
    'User-agent: *',
    ...NOT_TO_VISIT.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${site.baseUrl}${SITEMAP}`,
  ];
  return c.text(`${lines.join('\n')}\n`, 200, cacheable('text/plain; charset=utf-8'));
}

/** Answer with the list of the sitemap's files, as it was up to ten minutes ago. */
export function sitemap(parts: SiteParts, c: PageContext): Promise<Response> {
  return xmlFile(parts, c, '', async ({ community, site }) => {
    const { reads } = community;
    const files = [
      'pages',
      ...filesOf('posts', await reads.lastPostId()),
      ...filesOf('tags', await reads.lastTagId()),
    ];
    const items = files.map((name) => `<sitemap>${locOf(`${site.baseUrl}/sitemap/${name}.xml`)}</sitemap>`);
    return document('sitemapindex', items);
  });
}

function filesOf(name: string, lastId: number): string[] {
  return Array.from({ length: Math.ceil(lastId / IDS_OF_FILE) }, (_, n) => `${name}-${n + 1}`);
}

/** Answer with the addresses of the lists, the operators’ pages, the help and the documentation. */
export function sitemapOfPages(parts: SiteParts, c: PageContext): Promise<Response> {
  const written = writtenPages(c.get('site')).map((name) => `/${name}`);
  return xmlFile(parts, c, written.join(), async ({ community, site, chapters, help }) => {
    const categories = await community.reads.categories();
    const lists = [
      '/',
      '/popular',
      '/categories',
      TAGS_PATH,
      ...categories.map(({ slug }) => categoryPath(slug)),
    ];
    const paths = [...lists, ...written, help.en.path, ...chapters.keys(), REFERENCE_PATH];
    return document(
      'urlset',
      paths.map((path) => `<url>${locOf(site.baseUrl + path)}</url>`),
    );
  });
}

/** Answer with the addresses of the published posts whose ids are in the range of this file. */
export async function sitemapOfPosts(parts: SiteParts, c: PageContext): Promise<Response> {
  const { firstId, lastId } = idsOfFile(c);
  if (firstId > (await parts.community.reads.lastPostId())) return notFoundPage(c);
  return xmlFile(parts, c, '', async ({ community, site }) => {
    const posts = await community.reads.addressesBetween(firstId, lastId);
    const items = posts.map((post) => {
      const address = site.baseUrl + postPath({ ...post, status: 'published' });
      return `<url>${locOf(address)}<lastmod>${moment(post.updatedAt)}</lastmod></url>`;
    });
    return document('urlset', items);
  });
}

/** Answer with the addresses of the tags whose ids are in the range of this file, and that published posts have. */
export async function sitemapOfTags(parts: SiteParts, c: PageContext): Promise<Response> {
  const { firstId, lastId } = idsOfFile(c);
  if (firstId > (await parts.community.reads.lastTagId())) return notFoundPage(c);
  return xmlFile(parts, c, '', async ({ community, site }) => {
    const names = await community.reads.tagNamesBetween(firstId, lastId);
    return document(
      'urlset',
      names.map((name) => `<url>${locOf(site.baseUrl + tagPath(name))}</url>`),
    );
  });
}

function idsOfFile(c: PageContext): { firstId: number; lastId: number } {
  const lastId = Number(/-(\d+)\.xml$/.exec(c.req.path)?.[1]) * IDS_OF_FILE;
  return { firstId: lastId - IDS_OF_FILE + 1, lastId };
}

interface Kept {
  at: Timestamp;
  /** What it was made for besides the data. */
  facts: string;
  text: Promise<string>;
}

const kept = new WeakMap<SiteParts, Map<string, Kept>>();

// Anyone can ask for a file, so it is made once in ten minutes, also for many who ask at once.
async function xmlFile(
  parts: SiteParts,
  c: PageContext,
  facts: string,
  make: (parts: SiteParts) => Promise<string>,
): Promise<Response> {
  const files = kept.get(parts) ?? new BoundedMap<string, Kept>(MOST_KEPT);
  kept.set(parts, files);
  const { path } = c.req;
  const now = parts.clock();
  let file = files.get(path);
  if (file === undefined || now - file.at >= KEPT_FOR || file.facts !== facts) {
    file = { at: now, facts, text: make(parts) };
    // As the newest one, so that it is not the next to go.
    files.delete(path);
    files.set(path, file);
    file.text.catch(() => files.delete(path));
  }
  return c.body(await file.text, 200, cacheable('application/xml; charset=utf-8'));
}

function document(element: 'sitemapindex' | 'urlset', items: readonly string[]): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<${element} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${items.join('\n')}
</${element}>
`;
}

function locOf(address: string): string {
  return `<loc>${escaped(address)}</loc>`;
}

function cacheable(type: string): Record<string, string> {
  return { 'Content-Type': type, 'Cache-Control': `public, max-age=${CACHEABLE_FOR / SECOND}` };
}
