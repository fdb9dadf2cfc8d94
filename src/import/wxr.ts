// An export of WordPress, in WXR 1.2: RSS with WordPress's own elements (docs/importing.md).

import { createReadStream } from 'node:fs';
import { chunksOf } from './chunks.ts';
import { type Found, type Place, type Reading, RefusedText } from './record.ts';
import { markdownOfWordPress, plainTitle } from './wordpress-text.ts';
import { type WxrElement, wxrElements } from './wxr-items.ts';

const TOO_MUCH = 'body: its HTML is too long, or nested too deeply';

/** Reads an export of `size` bytes. */
export async function readWxr(path: string, size: number): Promise<Reading> {
  const chunks = chunksOf(path, size);
  async function* found(): AsyncGenerator<Found> {
    // Few: those who have written posts.
    const authors = new Map<string, string>();
    const items: Items = { taken: new Set(), authors };
    for await (const element of wxrElements(chunks.read())) yield* foundIn(element, items);
  }
  return { source: await siteOf(path), isForeign: true, found: found(), share: chunks.share };
}

interface Items {
  /** Whether the comments of the item that was read last have a post here. */
  taken: Set<string>;
  /** The numbers of authors, by the names under which they sign in. */
  authors: Map<string, string>;
}

function* foundIn(element: WxrElement, items: Items): Generator<Found> {
  const { name, texts, line } = element;
  const place = { line };
  if (name === 'wp:author') {
    const [id, login] = [texts.get('wp:author_id') ?? '', texts.get('wp:author_login') ?? ''];
    items.authors.set(login, id);
    const email = texts.get('wp:author_email') || undefined;
    yield { kind: 'member', place, id, username: login, email };
  } else if (name === 'wp:category') {
    const called = plainTitle(texts.get('wp:cat_name') ?? '');
    if (called !== '') yield { kind: 'category', place, id: texts.get('wp:term_id') ?? '', name: called };
  } else if (name === 'item') {
    items.taken.clear();
    const post = postIn(element, items.authors);
    if (post.kind === 'post') items.taken.add(post.id);
    yield post;
  } else if (name === 'wp:comment') {
    yield commentIn(element, items.taken);
  }
}

function postIn({ texts, line, category }: WxrElement, authors: ReadonlyMap<string, string>): Found {
  const place = { line };
  const text = (name: string) => texts.get(name) ?? '';
  const id = text('wp:post_id');
  const type = text('wp:post_type');
  const status = text('wp:status');
  if (type !== 'post')
    return { kind: 'skipped', place, what: SKIPPED_TYPES[type] ?? 'items that are no posts' };
  if (status === 'trash') return { kind: 'skipped', place, what: 'posts in the trash' };
  if (status === 'auto-draft') return { kind: 'skipped', place, what: 'drafts that nobody began' };
  const author = authors.get(text('dc:creator'));
  if (author === undefined) {
    const reason = `author: "${text('dc:creator')}" is not among the file's authors`;
    return { kind: 'refused', place, of: 'post', id, reason };
  }
  const isOpen = status === 'publish' && text('wp:post_password') === '';
  return {
    kind: 'post',
    ...{ place, id, author: { id: author }, title: plainTitle(text('title')) },
    body: () => markdownFrom(text('content:encoded')),
    category: category === undefined ? undefined : plainTitle(category),
    status: isOpen ? 'published' : 'draft',
    createdAt: momentOf(text('wp:post_date_gmt')) ?? momentOf(text('wp:post_date')),
  };
}

function commentIn({ texts, line, postId = '' }: WxrElement, taken: ReadonlySet<string>): Found {
  const place: Place = { line };
  const text = (name: string) => texts.get(name) ?? '';
  const id = text('wp:comment_id');
  const skipped = (what: string): Found => ({ kind: 'skipped', place, what });
  if (!['', 'comment'].includes(text('wp:comment_type'))) return skipped('pingbacks and trackbacks');
  if (text('wp:comment_approved') !== '1') return skipped('comments that were not approved');
  if (!taken.has(postId)) return skipped('comments on what is no post here');
  const userId = text('wp:comment_user_id');
  if (!/^[1-9]\d*$/.test(userId)) {
    const reason = `author: "${plainTitle(text('wp:comment_author'))}" was no member there`;
    return { kind: 'refused', place, of: 'comment', id, reason };
  }
  const parent = text('wp:comment_parent');
  return {
    kind: 'comment',
    ...{ place, id, author: { id: userId }, post: postId },
    body: () => markdownFrom(text('wp:comment_content')),
    createdAt: momentOf(text('wp:comment_date_gmt')) ?? momentOf(text('wp:comment_date')),
    replyTo: parent === '' || parent === '0' ? undefined : parent,
  };
}

const SKIPPED_TYPES: Record<string, string> = {
  attachment: 'attachments',
  page: 'pages',
  nav_menu_item: 'entries of menus',
};

function markdownFrom(html: string): string {
  const markdown = markdownOfWordPress(html);
  if (markdown === undefined) throw new RefusedText(TOO_MUCH);
  return markdown;
}

// "2024-05-01 09:30:00", in UTC where WordPress says so. Drafts have "0000-00-00 00:00:00".
function momentOf(text: string): number | undefined {
  if (!/^[1-9]\d{3}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)) return undefined;
  const moment = Date.parse(`${text.replace(' ', 'T')}Z`);
  return Number.isNaN(moment) ? undefined : moment;
}

// The site's address stands at the beginning of the file: what comes from it is known by it, whatever the file is called.
async function siteOf(path: string): Promise<string> {
  let beginning = '';
  for await (const chunk of createReadStream(path, { encoding: 'utf8', end: 64 * 1024 })) beginning += chunk;
  const [, address] = /<wp:base_blog_url>([^<]+)</.exec(beginning) ?? /<link>([^<]+)</.exec(beginning) ?? [];
  return (address?.trim() || 'wordpress')
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '')
    .slice(0, 200);
}
