// An export of WordPress, in WXR 1.2: RSS with WordPress's own elements (docs/importing.md).

import { createReadStream } from 'node:fs';
import { type FileEntry, type ImportFile, RefusedText } from '../record.ts';
import { fileChunks } from './file-chunks.ts';
import { markdownFromWordPress, plainTitle } from './wordpress-text.ts';
import { type WxrElement, wxrElements } from './wxr-elements.ts';

/** Open an export of `size` bytes. */
export async function readWxr(file: string, size: number): Promise<ImportFile> {
  const chunks = fileChunks(file, size);
  const source = await siteOf(file);
  const path = source.replace(/^[^/]*/, '');
  async function* entries(): AsyncGenerator<FileEntry> {
    const context: Context = { currentPost: undefined, authorIds: new Map(), path };
    for await (const element of wxrElements(chunks.read())) yield* entriesFrom(element, context);
  }
  return { source, isForeign: true, entries: entries(), progress: chunks.progress };
}

/** What later elements need to know of earlier ones. */
interface Context {
  /** The id of the last item, if it is a post here: only then can its comments be imported. */
  currentPost: string | undefined;
  /** The ids of the file's authors by their login names. */
  authorIds: Map<string, string>;
  /** The path of the site, such as `/blog`, or empty. */
  path: string;
}

function* entriesFrom(element: WxrElement, context: Context): Generator<FileEntry> {
  switch (element.name) {
    case 'wp:author':
      yield memberFrom(element, context);
      break;
    case 'wp:category':
      yield* categoryFrom(element, context);
      break;
    case 'item': {
      const entry = postFrom(element, context);
      context.currentPost = entry.kind === 'post' ? entry.id : undefined;
      yield entry;
      break;
    }
    case 'wp:comment':
      yield commentFrom(element, context);
  }
}

function memberFrom({ texts, line }: WxrElement, { authorIds, path }: Context): FileEntry {
  const id = texts.get('wp:author_id') ?? '';
  const username = texts.get('wp:author_login') ?? '';
  authorIds.set(username, id);
  const email = texts.get('wp:author_email') || undefined;
  const addresses = [`${path}/author/${niceName(username)}`];
  return { kind: 'member', place: { line }, id, username, email, addresses };
}

function* categoryFrom({ texts, line }: WxrElement, { path }: Context): Generator<FileEntry> {
  const id = texts.get('wp:term_id') ?? '';
  const name = plainTitle(texts.get('wp:cat_name') ?? '');
  const slug = texts.get('wp:category_nicename') ?? '';
  const parent = texts.get('wp:category_parent') ?? '';
  const addresses = [
    `${path}/category/${slug}`,
    ...(parent === '' ? [] : [`${path}/category/${parent}/${slug}`]),
  ];
  if (name !== '') yield { kind: 'category', place: { line }, id, name, addresses };
}

function postFrom({ texts, line, category, tags }: WxrElement, { authorIds, path }: Context): FileEntry {
  const place = { line };
  const text = (name: string) => texts.get(name) ?? '';
  const id = text('wp:post_id');
  const status = text('wp:status');
  const sort = skippedSort(text('wp:post_type'), status);
  if (sort !== undefined) return { kind: 'skipped', place, sort };
  const authorId = authorIds.get(text('dc:creator'));
  if (authorId === undefined) {
    const reason = `author: "${text('dc:creator')}" is not among the file's authors`;
    return { kind: 'refused', place, recordKind: 'post', id, reason };
  }
  const isPublic = status === 'publish' && text('wp:post_password') === '';
  return {
    kind: 'post',
    place,
    id,
    author: { id: authorId },
    title: plainTitle(text('title')),
    body: () => markdownFrom(text('content:encoded')),
    category: category === undefined ? undefined : plainTitle(category),
    tags: tags.map(plainTitle),
    status: isPublic ? 'published' : 'draft',
    createdAt: timestampFrom(text('wp:post_date_gmt')) ?? timestampFrom(text('wp:post_date')),
    addresses: [text('link'), `${path}/?p=${id}`],
  };
}

// As sanitize_title_with_dashes does (WordPress/WordPress, wp-includes/formatting.php).
function niceName(login: string): string {
  const name = login
    .toLowerCase()
    .replaceAll('.', '-')
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '');
  return name.replaceAll(/[\s-]+/g, '-').replaceAll(/^-+|-+$/g, '');
}

function skippedSort(type: string, status: string): string | undefined {
  if (type !== 'post') return SKIPPED_TYPES[type] ?? 'items of other types';
  if (status === 'trash') return 'posts in the trash';
  return status === 'auto-draft' ? 'empty drafts' : undefined;
}

const SKIPPED_TYPES: Record<string, string> = {
  attachment: 'attachments',
  page: 'pages',
  nav_menu_item: 'menu items',
};

function commentFrom({ texts, line, postId = '' }: WxrElement, { currentPost }: Context): FileEntry {
  const place = { line };
  const text = (name: string) => texts.get(name) ?? '';
  const id = text('wp:comment_id');
  const skip = (sort: string): FileEntry => ({ kind: 'skipped', place, sort });
  if (!['', 'comment'].includes(text('wp:comment_type'))) return skip('pingbacks and trackbacks');
  if (text('wp:comment_approved') !== '1') return skip('comments that were not approved');
  if (currentPost !== postId) return skip('comments on items that were skipped or refused');
  const userId = text('wp:comment_user_id');
  if (!/^[1-9]\d*$/.test(userId)) {
    const reason = `author: "${plainTitle(text('wp:comment_author'))}" had no account there`;
    return { kind: 'refused', place, recordKind: 'comment', id, reason };
  }
  const parent = text('wp:comment_parent');
  return {
    kind: 'comment',
    place,
    id,
    author: { id: userId },
    post: postId,
    body: () => markdownFrom(text('wp:comment_content')),
    createdAt: timestampFrom(text('wp:comment_date_gmt')) ?? timestampFrom(text('wp:comment_date')),
    replyTo: parent === '' || parent === '0' ? undefined : parent,
  };
}

function markdownFrom(html: string): string {
  const markdown = markdownFromWordPress(html);
  if (markdown === undefined) throw new RefusedText('body: its HTML is too long or nested too deeply');
  return markdown;
}

// "2024-05-01 09:30:00". Drafts have "0000-00-00 00:00:00".
function timestampFrom(text: string): number | undefined {
  if (!/^[1-9]\d{3}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)) return undefined;
  const timestamp = Date.parse(`${text.replace(' ', 'T')}Z`);
  return Number.isNaN(timestamp) ? undefined : timestamp;
}

// The site's address identifies the source, so that a renamed file imports nothing twice.
async function siteOf(path: string): Promise<string> {
  let beginning = '';
  for await (const chunk of createReadStream(path, { encoding: 'utf8', end: 64 * 1024 })) beginning += chunk;
  const [, address] = /<wp:base_blog_url>([^<]+)</.exec(beginning) ?? /<link>([^<]+)</.exec(beginning) ?? [];
  return (address?.trim() || 'wordpress')
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '')
    .slice(0, 200);
}
