// JSON lines, the import's own format: each line is one record (docs/importing.md).

import { basename } from 'node:path';
import { z } from 'zod';
import { digestOf } from '../lib/secrets.ts';
import { chunksOf } from './chunks.ts';
import { DigestTable } from './digest-table.ts';
import { type Line, linesOf } from './lines.ts';
import type { Found, Place, Reading } from './record.ts';
import { moment, reasonOf } from './schemas.ts';

const id = z
  .union([z.string(), z.int().transform(String)])
  .pipe(z.string().regex(/^[^\p{Cc}]{1,200}$/u, 'must have 1 to 200 characters, none of them hidden'));
const dated = { id: id.optional(), createdAt: moment.optional() };

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
  author: z.string(),
  title: z.string(),
  body: z.string(),
  category: z.string().optional(),
  draft: z.boolean().optional(),
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
  const chunks = chunksOf(path, size);
  async function* found(): AsyncGenerator<Found> {
    const occurrences = new DigestTable();
    for await (const line of linesOf(chunks.read())) {
      if (line.text?.trim() !== '') yield foundIn(line, occurrences);
    }
  }
  return { source: basename(path), isForeign: false, found: found(), share: chunks.share };
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
  if (!checked.success) return refused(reasonOf(checked.error));
  // The same line twice is two records, and each has its own number when the file is read again.
  const given = 'id' in checked.data ? checked.data.id : undefined;
  const digest = digestOf(text.trim());
  return recordOf(checked.data, given ?? `${digest}-${occurrences.add(digest)}`, place);
}

function recordOf(line: Written, id: string, place: Place): Found {
  if (line.type === 'category') return { kind: 'category', place, id, name: line.name };
  const placed = { place, id, createdAt: line.createdAt };
  switch (line.type) {
    case 'member': {
      const { username, email, bio, password, passwordHash } = line;
      return { kind: 'member', ...placed, username, email, bio, password, passwordHash };
    }
    case 'post': {
      const { author, title, body, category, views } = line;
      const status = line.draft ? 'draft' : 'published';
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
