// What search engines read: which pages they should leave alone, and the addresses of the others.

import { HOUR, MINUTE, SECOND, type Timestamp } from '../../../lib/clock.ts';
import { writtenPages } from '../../../site/text-names.ts';
import { categoryPath, postPath } from '../../pages/post-path.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { REFERENCE_PATH } from '../chapters.ts';
import type { SiteParts } from '../site-parts.ts';
import { escaped, moment } from './atom.ts';

export const ROBOTS_TXT = '/robots.txt';
export const SITEMAP = '/sitemap.xml';

// Older posts are found through the links of the lists. A file may have 50,000 addresses (sitemaps.org).
const MOST_POSTS = 1000;
const CACHEABLE_FOR = 1 * HOUR;
// Making it takes up to 100 ms, and anyone can ask for it.
const KEPT_FOR = 10 * MINUTE;

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

/**
 * Answer with the addresses of the lists, the operators’ pages, the help, the documentation and the newest posts, as
 * they were up to ten minutes ago.
 */
export async function sitemap(parts: SiteParts, c: PageContext): Promise<Response> {
  const written = writtenPages(c.get('site')).map((name) => `/${name}`);
  return c.body(await keptSitemap(parts, written), 200, cacheable('application/xml; charset=utf-8'));
}

const kept = new WeakMap<SiteParts, { at: Timestamp; written: string; text: Promise<string> }>();

function keptSitemap(parts: SiteParts, written: readonly string[]): Promise<string> {
  const now = parts.clock();
  const earlier = kept.get(parts);
  const isFresh = earlier !== undefined && now - earlier.at < KEPT_FOR && earlier.written === written.join();
  if (isFresh) return earlier.text;
  const text = makeSitemap(parts, written);
  kept.set(parts, { at: now, written: written.join(), text });
  text.catch(() => kept.delete(parts));
  return text;
}

async function makeSitemap(
  { community, site, chapters, help }: SiteParts,
  written: readonly string[],
): Promise<string> {
  const [categories, posts] = await Promise.all([
    community.reads.categories(),
    community.reads.newestAddresses(MOST_POSTS),
  ]);
  const lists = ['/', '/popular', '/categories', ...categories.map(({ slug }) => categoryPath(slug))];
  const urls = [
    ...[...lists, ...written, help.en.path, ...chapters.keys(), REFERENCE_PATH].map((path) =>
      url(site.baseUrl + path),
    ),
    ...posts.map((post) => url(site.baseUrl + postPath({ ...post, status: 'published' }), post.updatedAt)),
  ];
  return `<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`;
}

function url(address: string, changedAt?: Timestamp): string {
  const change = changedAt === undefined ? '' : `<lastmod>${moment(changedAt)}</lastmod>`;
  return `<url><loc>${escaped(address)}</loc>${change}</url>`;
}

function cacheable(type: string): Record<string, string> {
  return { 'Content-Type': type, 'Cache-Control': `public, max-age=${CACHEABLE_FOR / SECOND}` };
}
