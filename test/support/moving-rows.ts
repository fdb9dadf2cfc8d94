// A row for each table that the program doesn't fill by itself in the tests of moving.

import type { SQLInputValue } from 'node:sqlite';
import { DIFFICULT_TEXT } from './difficult-text.ts';

const AT = 1_790_000_000_000;
const BYTES = new Uint8Array([0, 1, 127, 128, 255]);
export const COMMUNITY_ROWS: readonly { table: string; columns: Record<string, SQLInputValue> }[] = [
  { table: 'site_settings', columns: { name: 'name', value: 'Agora' } },
  {
    table: 'clients',
    columns: {
      id: 'app_described',
      name: 'assistant.example',
      kind: 'public',
      redirect_uris: '["https://assistant.example/callback"]',
      scopes: 'posts:read',
      status: 'active',
      created_at: AT,
      document_url: 'https://assistant.example/client.json',
      document_fresh_until: AT + 1,
      claimed_name: DIFFICULT_TEXT,
    },
  },
  { table: 'client_hours', columns: { client_id: 'app_x', hour: AT, what: 'api', times: 3 } },
  { table: 'client_uses', columns: { client_id: 'app_x', name: 'secret ab', last_hour: AT } },
  { table: 'merged_categories', columns: { slug: 'old-news', category_id: 1 } },
  { table: 'tags', columns: { id: 5, name: '面包', post_count: 1 } },
  { table: 'post_tags', columns: { post_id: 1, tag_id: 5, published_at: AT } },
  { table: 'member_follows', columns: { user_id: 2, member_id: 1, created_at: AT } },
  { table: 'tag_follows', columns: { user_id: 1, tag_id: 5, created_at: AT } },
  { table: 'bookmarks', columns: { user_id: 1, post_id: 1, created_at: AT } },
  { table: 'avatars', columns: { user_id: 1, version: 'abc', image: BYTES, updated_at: AT } },
  { table: 'post_words', columns: { post_id: 1, words: 'on arches 拱 门' } },
  { table: 'comments', columns: { id: 7, post_id: 1, user_id: 1, body: DIFFICULT_TEXT, created_at: AT } },
  {
    table: 'comments',
    columns: { id: 9, post_id: 1, user_id: 2, parent_id: 7, body: 'Yes.', created_at: AT },
  },
  {
    table: 'pictures',
    columns: {
      id: 3,
      digest: 'a0',
      user_id: 1,
      type: 'image/webp',
      width: 1,
      height: 2,
      size: 5,
      image: BYTES,
      created_at: AT,
    },
  },
  { table: 'picture_uses', columns: { id: 4, picture_id: 3, post_id: 1, comment_id: 7 } },
  { table: 'likes', columns: { post_id: 1, user_id: 1, created_at: AT } },
  { table: 'views', columns: { post_id: 1, day: 20_778, visitor: 'zZ_-09aA' } },
  {
    table: 'notifications',
    columns: { user_id: 2, kind: 'comment', actor_id: 1, post_id: 1, comment_id: 7, created_at: AT },
  },
  {
    table: 'reports',
    columns: { reporter_id: 1, post_id: 1, comment_id: 9, reason: 'spam', created_at: AT },
  },
  {
    table: 'audit_events',
    columns: { at: AT, action: 'user.suspend', subject_kind: 'user', subject_id: '2' },
  },
  {
    table: 'security_events',
    columns: { at: AT, event: 'signed_in', user_id: 1, address: '192.0.2.7', detail: 'password' },
  },
  { table: 'earlier_usernames', columns: { user_id: 1, username: 'Alice', renamed_at: AT } },
  { table: 'invitations', columns: { key: 'aB', digest: BYTES, created_at: AT, expires_at: AT + 1 } },
  {
    table: 'mails',
    columns: {
      purpose: 'confirm',
      user_id: 1,
      email: 'a@x.example',
      language: 'zh',
      created_at: AT,
      next_attempt_at: AT,
    },
  },
  {
    table: 'mail_choices',
    columns: { user_id: 1, answers: 0, digest: 1, answers_mailed_at: AT, digest_due_at: AT },
  },
  {
    table: 'mail_tokens',
    columns: {
      key: 'bA',
      digest: BYTES,
      purpose: 'confirm',
      user_id: 1,
      email: 'a@x.example',
      about: '{"purpose":"new_browser"}',
      expires_at: AT,
    },
  },
  {
    table: 'access_diary',
    columns: {
      hour: AT,
      user_id: 1,
      client_id: '',
      source: '1',
      reading: 'profile',
      status: 200,
      network: '192.0.2.0/24',
      program: 'curl',
      requests: 2,
      posts: 0,
      first_at: AT,
      last_at: AT + 1,
    },
  },
  {
    table: 'diary_hours',
    columns: { hour: AT, user_id: 1, client_id: '', requests: 2, last_at: AT + 1 },
  },
  { table: 'diary_batches', columns: { lines: '{"names":[],"numbers":[]}' } },
  {
    table: 'authenticator_apps',
    columns: { user_id: 1, secret: 'JBSWY3DP', created_at: AT, confirmed_at: AT, last_step: 59_666_666 },
  },
  { table: 'recovery_codes', columns: { digest: 'aZ-_09', user_id: 1 } },
  {
    table: 'passkeys',
    columns: {
      user_id: 1,
      credential_id: 'bZ-_09',
      public_key: BYTES,
      counter: 7,
      transports: 'internal',
      name: DIFFICULT_TEXT,
      created_at: AT,
    },
  },
  { table: 'factor_resets', columns: { user_id: 2, asked_at: AT, due_at: AT + 1 } },
  { table: 'background_work', columns: { name: 'purging', ran_at: AT, failed_at: AT, error: 'disk full' } },
  { table: 'old_addresses', columns: { address: '/t/42/é', kind: 'post', local_id: 1 } },
  { table: 'site_settings', columns: { name: 'name', value: DIFFICULT_TEXT } },
  { table: 'site_texts', columns: { name: 'rules', language: 'zh', body: DIFFICULT_TEXT } },
  { table: 'site_pictures', columns: { name: 'logo', version: 'aB', image: BYTES } },
  { table: 'drawings', columns: { name: 'post 1', version: 'aB', user_id: 1, image: BYTES, drawn_at: AT } },
  { table: 'imported_records', columns: { source: 'x', kind: 'post', external_id: 'é', local_id: 1 } },
];
