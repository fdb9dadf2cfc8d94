// JSON lines, the import's own format: each line is one record (docs/importing.md).

import { basename } from 'node:path';
import { z } from 'zod';
import { digestOf } from '../../lib/secrets.ts';
import { DigestTable } from './digest-table.ts';
import { type Line, linesOf } from './lines.ts';
import type { Found, Place, Reading } from './record.ts';

const moment = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const id = z
  .union([z.string(), z.int().transform(String)])
  .pipe(z.string().regex(/^[^\p{Cc}]{1,200}$/u, 'must have 1 to 200 characters, none of them hidden'));
// The first names of these fields are still understood.
const dated = { id: id.optional(), createdAt: moment.optional(), created_at: moment.optional() };

const member = z.strictObject({
  type: z.literal('member'),
  ...dated,
  username: z.string(),
  email: z.string().optional(),
  bio: z.string().optional(),
  password: z.string().optional(),
  passwordHash: z.string().optional(),
});

const category = z.strictObject({ type: z.literal('category'), name: z.string() });

const post = z.strictObject({
  type: z.literal('post'),
  ...dated,
  author: z.string().optional(),
  username: z.string().optional(),
  title: z.string(),
  body: z.string(),
  category: z.string().optional(),
  draft: z.boolean().optional(),
  status: z.enum(['draft', 'published']).optional(),
  views: z.int().min(0).optional(),
});

const comment = z.strictObject({
  type: z.literal('comment'),
  ...dated,
  post: id,
  author: z.string(),
  body: z.string(),
  replyTo: id.optional(),
});

const like = z.strictObject({ type: z.literal('like'), ...dated, post: id, by: z.string() });

const anyRecord = z.discriminatedUnion('type', [member, category, post, comment, like]);
type Written = z.infer<typeof anyRecord>;

/** Reads a file of JSON lines of `size` bytes. */
export function readJsonLines(path: string, size: number): Reading {
  let read = 0;
  async function* found(): AsyncGenerator<Found> {
    const occurrences = new DigestTable();
    for await (const line of linesOf(path, (bytes) => {
      read += bytes;
    })) {
      if (line.text?.trim() !== '') yield foundIn(line, occurrences);
    }
  }
  return { source: basename(path), isForeign: false, found: found(), share: () => read / Math.max(1, size) };
}

function foundIn({ number, text, problem }: Line, occurrences: DigestTable): Found {
  const place = { line: number };
  const refused = (reason: string): Found => ({ kind: 'refused', place, reason });
  if (text === undefined) return refused(problem === 'too_long' ? 'is too long' : 'is not UTF-8');
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return refused('is not JSON');
  }
  const checked = anyRecord.safeParse(parsed);
  if (!checked.success) {
    return refused(
      checked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '),
    );
  }
  // The same line twice is two records, and each has its own number when the file is read again.
  const given = 'id' in checked.data ? checked.data.id : undefined;
  const digest = digestOf(text.trim());
  return recordOf(checked.data, given ?? `${digest}-${occurrences.add(digest)}`, place);
}

function recordOf(line: Written, id: string, place: Place): Found {
  if (line.type === 'category') return { kind: 'category', place, id, name: line.name };
  const { createdAt = line.created_at } = line;
  const placed = { place, id, createdAt };
  switch (line.type) {
    case 'member': {
      const { username, email, bio, password, passwordHash } = line;
      return { kind: 'member', ...placed, username, email, bio, password, passwordHash };
    }
    case 'post': {
      const { author = line.username, title, body, category, views } = line;
      if (author === undefined) return { kind: 'refused', place, of: 'post', id, reason: 'author: missing' };
      const status = (line.draft ?? line.status === 'draft') ? 'draft' : 'published';
      return {
        kind: 'post',
        ...placed,
        ...{ author: { name: author }, title, body: () => body, category, status, views },
      };
    }
    case 'comment': {
      const { author, post, body, replyTo } = line;
      return { kind: 'comment', ...placed, author: { name: author }, post, body: () => body, replyTo };
    }
    case 'like':
      return { kind: 'like', ...placed, by: { name: line.by }, post: line.post };
  }
}
