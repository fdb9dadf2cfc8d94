// JSON lines, the import's own format: each line is one record (docs/importing.md).

import { basename } from 'node:path';
import { z } from 'zod';
import { digestOf } from '../../lib/secrets.ts';
import { DigestTable } from '../digest-table.ts';
import type { FileEntry, ImportFile, Place } from '../record.ts';
import { fileChunks } from './file-chunks.ts';
import { type Line, linesOf } from './lines.ts';
import { read, timestamp } from './schemas.ts';

const id = z
  .union([z.string(), z.int().transform(String)])
  .pipe(z.string().regex(/^[^\p{Cc}]{1,200}$/u, 'must have 1 to 200 characters, none of them hidden'));
const oldAddress = { address: z.string().optional() };
const commonFields = { id: id.optional(), createdAt: timestamp.optional() };

const member = z.strictObject({
  type: z.literal('member'),
  ...commonFields,
  ...oldAddress,
  username: z.string(),
  email: z.string().optional(),
  bio: z.string().optional(),
  password: z.string().optional(),
  passwordHash: z.string().optional(),
});

const category = z.strictObject({ type: z.literal('category'), ...oldAddress, name: z.string() });

const post = z.strictObject({
  type: z.literal('post'),
  ...commonFields,
  ...oldAddress,
  author: z.string(),
  title: z.string(),
  body: z.string(),
  category: z.string().optional(),
  tags: z.array(z.string()).optional(),
  draft: z.boolean().optional(),
  views: z.int().min(0).optional(),
});

const comment = z.strictObject({
  type: z.literal('comment'),
  ...commonFields,
  ...oldAddress,
  post: id,
  author: z.string(),
  body: z.string(),
  replyTo: id.optional(),
});

const like = z.strictObject({ type: z.literal('like'), ...commonFields, post: id, by: z.string() });

const lineSchema = z.discriminatedUnion('type', [member, category, post, comment, like]);
type LineContent = z.infer<typeof lineSchema>;

/** Open a file of JSON lines of `size` bytes. */
export function readJsonLines(path: string, size: number): ImportFile {
  const chunks = fileChunks(path, size);
  async function* entries(): AsyncGenerator<FileEntry> {
    const occurrences = new DigestTable();
    for await (const line of linesOf(chunks.read())) {
      if (line.text?.trim() !== '') yield entryFrom(line, occurrences);
    }
  }
  return { source: basename(path), isForeign: false, entries: entries(), progress: chunks.progress };
}

function entryFrom({ number, text, problem }: Line, occurrences: DigestTable): FileEntry {
  const place = { line: number };
  const refusal = (reason: string): FileEntry => ({ kind: 'refused', place, reason });
  if (text === undefined) return refusal(problem === 'too_long' ? 'is too long' : 'is not UTF-8');
  let value: unknown;
  try {
    value = JSON.parse(text, text.includes('\\ud') || text.includes('\\uD') ? wellFormed : undefined);
  } catch {
    return refusal(
      'is not JSON: expected one record in braces, such as {"type":"member","username":"alice"}',
    );
  }
  const result = read(lineSchema, value);
  if ('reason' in result) return refusal(result.reason);
  const ownId = 'id' in result.value ? result.value.id : undefined;
  // Two equal lines are two records. Counting them gives each the same id in every run.
  const digest = digestOf(text.trim());
  return recordFrom(result.value, ownId ?? `${digest}-${occurrences.add(digest)}`, place);
}

// Half of an emoji, which another program cut, is replaced as databases would do it.
function wellFormed(_: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}

function recordFrom(line: LineContent, id: string, place: Place): FileEntry {
  const addresses = 'address' in line && line.address !== undefined ? [line.address] : undefined;
  if (line.type === 'category') return { kind: 'category', place, id, name: line.name, addresses };
  const { createdAt } = line;
  switch (line.type) {
    case 'member': {
      const { username, email, bio, password, passwordHash } = line;
      return {
        kind: 'member',
        place,
        id,
        addresses,
        createdAt,
        username,
        email,
        bio,
        password,
        passwordHash,
      };
    }
    case 'post': {
      const { title, body, category, tags, views } = line;
      const author = { name: line.author };
      const status = line.draft ? 'draft' : 'published';
      return {
        kind: 'post',
        place,
        id,
        addresses,
        createdAt,
        author,
        title,
        body: () => body,
        category,
        tags,
        status,
        views,
      };
    }
    case 'comment': {
      const { post, body, replyTo } = line;
      const author = { name: line.author };
      return { kind: 'comment', place, id, addresses, createdAt, author, post, body: () => body, replyTo };
    }
    case 'like':
      return { kind: 'like', place, id, createdAt, by: { name: line.by }, post: line.post };
  }
}
