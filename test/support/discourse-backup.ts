// Makes backups as Discourse does: pg_dump's text, compressed, in a tar archive, compressed again. Read in
// discourse/discourse, lib/backup_restore/backuper.rb and the schema comments of app/models.

import { gzipSync } from 'node:zlib';

type Value = string | number | boolean | null;
export type Rows = Record<string, Value>[];

// Some of the columns of each table, in Discourse's order; the reader finds them by name.
const COLUMNS: Record<string, string[]> = {
  badges: ['id', 'name'],
  categories: ['id', 'name', 'color', 'slug', 'read_restricted', 'parent_category_id'],
  post_actions: ['id', 'post_id', 'user_id', 'post_action_type_id', 'deleted_at', 'created_at', 'updated_at'],
  posts: [
    'id',
    'user_id',
    'topic_id',
    'post_number',
    'raw',
    'cooked',
    'created_at',
    'reply_to_post_number',
    'deleted_at',
    'post_type',
    'hidden',
    'user_deleted',
  ],
  tag_group_memberships: ['id', 'tag_id', 'tag_group_id'],
  tag_group_permissions: ['id', 'tag_group_id', 'group_id', 'permission_type'],
  tags: ['id', 'name', 'topic_count'],
  topic_tags: ['id', 'topic_id', 'tag_id'],
  topics: ['id', 'title', 'views', 'user_id', 'category_id', 'archetype', 'deleted_at', 'visible', 'slug'],
  user_emails: ['id', 'user_id', 'email', 'primary'],
  user_options: ['user_id', 'hide_profile_and_presence', 'hide_profile'],
  user_profiles: ['user_id', 'location', 'bio_raw'],
  users: ['id', 'username', 'created_at', 'active', 'username_lower', 'trust_level'],
};

const DEFAULTS: Record<string, Record<string, Value>> = {
  categories: { color: '0088CC', read_restricted: false },
  post_actions: { post_action_type_id: 2, created_at: '2024-02-01 08:00:00.123456' },
  posts: {
    post_number: 1,
    cooked: '<p>…</p>',
    post_type: 1,
    hidden: false,
    user_deleted: false,
    created_at: '2024-02-01 08:00:00.123456',
  },
  topics: { views: 0, archetype: 'regular', visible: true },
  user_emails: { primary: true },
  users: { active: true, created_at: '2024-01-31 01:30:00.5', trust_level: 1 },
};

/** The text of a dump, with its tables in the order of their names, as pg_dump writes them. */
export function discourseDump(tables: Record<string, Rows>): string {
  const parts = ["--\n-- PostgreSQL database dump\n--\n\n\\restrict x\n\nSET client_encoding = 'UTF8';\n"];
  for (const [table, columns] of Object.entries(COLUMNS)) {
    // Older versions don't have these.
    if (/^tag_group|^user_options/.test(table) && tables[table] === undefined) continue;
    const names = columns.map((name) => (name === 'primary' ? '"primary"' : name)).join(', ');
    const rows = (tables[table] ?? []).map((row) => {
      const values = { ...DEFAULTS[table], ...row };
      return `${columns.map((name) => field(values[name])).join('\t')}\n`;
    });
    parts.push(`\nCOPY public.${table} (${names}) FROM stdin;\n${rows.join('')}\\.\n`);
  }
  parts.push('\n--\n-- PostgreSQL database dump complete\n--\n');
  return parts.join('');
}

function field(value: Value | undefined): string {
  if (value == null) return '\\N';
  if (typeof value === 'boolean') return value ? 't' : 'f';
  const escaped = String(value).replaceAll('\\', '\\\\').replaceAll('\t', '\\t');
  return escaped.replaceAll('\r', '\\r').replaceAll('\n', '\\n');
}

/** A backup with uploads: an archive with the dump first. */
export function discourseBackup(tables: Record<string, Rows>): Buffer {
  const dump = gzipSync(discourseDump(tables), { level: 4 });
  const picture = Buffer.alloc(3000, 7);
  const files = [fileOf('dump.sql.gz', dump), fileOf('uploads/default/original/1X/a.png', picture)];
  return gzipSync(Buffer.concat([...files, Buffer.alloc(1024)]), { level: 5 });
}

function fileOf(name: string, content: Buffer): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('0000644\0', 100);
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write('        ', 148);
  header.write('0', 156);
  header.write('ustar  \0', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
}
