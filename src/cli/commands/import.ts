// Members and posts in bulk, from a file with one JSON document per line.

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { z } from 'zod';
import { categoryNamed, DEFAULT_CATEGORY } from '../../community/category.ts';
import { writePost } from '../../community/post.ts';
import type { Portico } from '../../compose.ts';
import { signUp } from '../../identity/sign-up.ts';
import { usernameKey } from '../../identity/username.ts';
import { command, Refusal } from '../command.ts';
import { withPortico } from '../portico.ts';

const moment = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

const member = z.strictObject({
  type: z.literal('member'),
  username: z.string(),
  password: z.string(),
  email: z.string().optional(),
  bio: z.string().optional(),
  created_at: moment.optional(),
});

const post = z.strictObject({
  type: z.literal('post'),
  username: z.string(),
  title: z.string(),
  body: z.string(),
  category: z.string().default(DEFAULT_CATEGORY),
  status: z.enum(['draft', 'published']).default('published'),
  created_at: moment.optional(),
});

const record = z.discriminatedUnion('type', [member, post]);
type ImportedRecord = z.infer<typeof record>;

/** A line that was not taken, and why. */
interface RefusedLine {
  line: number;
  reason: string;
}

const importFile = command({
  name: 'import',
  summary: 'take in members and posts from a file of JSON lines',
  details: [
    'Each line is one member or one post, taken as a whole or refused as a whole:',
    '  {"type":"member","username":"alice","password":"...","email":"...","bio":"...","created_at":"2026-01-31T09:30:00+08:00"}',
    '  {"type":"post","username":"alice","title":"...","body":"Markdown","category":"Craft","status":"draft","created_at":"..."}',
    'email, bio, category, status and created_at can be left out. A member must come before the posts of theirs.',
    'What was refused is told line by line; the rest is in. A name that is taken is refused, so members are not doubled;',
    'posts are, if the same file is taken in twice.',
  ].join('\n'),
  argument: { name: 'FILE', summary: 'the file, in UTF-8' },
  options: {},
  async run(_values, context, file) {
    const size = await sizeOf(file);
    return withPortico(context, async (portico) => {
      const counts = { members: 0, posts: 0 };
      const refused: RefusedLine[] = [];
      let line = 0;
      let read = 0;
      for await (const text of createInterface({
        input: createReadStream(file, 'utf8'),
        crlfDelay: Number.POSITIVE_INFINITY,
      })) {
        line += 1;
        read += Buffer.byteLength(text) + 1;
        if (text.trim() !== '') {
          const outcome = await take(portico, text);
          if (typeof outcome === 'string') refused.push({ line, reason: outcome });
          else counts[outcome.taken] += 1;
        }
        context.progress(Math.min(1, read / size));
      }
      return { json: { ...counts, refused }, text: reportOf(counts, refused), failed: refused.length > 0 };
    });
  },
});

export const importCommands = [importFile];

/** Takes one line; the reason if it is refused. */
async function take(portico: Portico, text: string): Promise<{ taken: 'members' | 'posts' } | string> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return 'is not JSON';
  }
  const checked = record.safeParse(parsed);
  if (!checked.success)
    return checked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  return checked.data.type === 'member' ? takeMember(portico, checked.data) : takePost(portico, checked.data);
}

async function takeMember(
  { identity }: Portico,
  { created_at, ...registration }: Extract<ImportedRecord, { type: 'member' }>,
): Promise<{ taken: 'members' } | string> {
  const made = await signUp({ ...identity, clock: clockAt(created_at, identity.clock) }, registration);
  return 'problems' in made ? problemsIn(made.problems) : { taken: 'members' };
}

async function takePost(
  { identity, community }: Portico,
  { created_at, username, title, body, category, status }: Extract<ImportedRecord, { type: 'post' }>,
): Promise<{ taken: 'posts' } | string> {
  const author = await identity.store.findUserByName(usernameKey(username));
  if (author === undefined || author.status === 'closed')
    return `username: there is no member named "${username}"`;
  const found = await categoryNamed(community, category);
  if (found === undefined) return 'category: can not be the name of one';
  const then = { ...community, clock: clockAt(created_at, community.clock) };
  const written = await writePost(then, author.id, { title, body, categoryId: found.id }, status);
  return 'problems' in written ? problemsIn(written.problems) : { taken: 'posts' };
}

function clockAt(moment: number | undefined, clock: () => number): () => number {
  return moment === undefined ? clock : () => moment;
}

function problemsIn(problems: object): string {
  return Object.entries(problems)
    .map(([field, problem]) => `${field}: ${String(problem).replaceAll('_', ' ')}`)
    .join('; ');
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    throw new Refusal('file_unreadable', `The file can't be read: ${(error as Error).message}`);
  }
}

function reportOf(counts: { members: number; posts: number }, refused: readonly RefusedLine[]): string {
  const lines = refused.map(({ line, reason }) => `line ${line} ${reason}`);
  return [
    `Took in ${counts.members} members and ${counts.posts} posts; refused ${refused.length} lines.`,
    ...lines,
  ].join('\n');
}
