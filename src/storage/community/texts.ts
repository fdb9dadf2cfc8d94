// The HTML of posts and comments, which is renewed in their rows.

import type {
  Rendering,
  RenewedText,
  TextReads,
  TextToRender,
  TextWrites,
} from '../../community/text-store.ts';
import { NO_ENTRY } from '../audit/audit-trail.ts';
import type { Database } from '../engine/database.ts';
import { sql } from '../engine/sql.ts';
import { setLanguageInTags } from './tags.ts';

export function textRows(database: Database): TextReads & TextWrites {
  return {
    async textsToRender(version, limit) {
      const [posts, comments] = await Promise.all([
        database.rows(selectPosts({ version, limit })),
        database.rows(selectComments({ version, limit })),
      ]);
      return [...posts.map(ofKind('post')), ...comments.map(ofKind('comment'))];
    },
    async storeHtml({ kind, id, body }, renewed) {
      const { html, htmlVersion } = renewed;
      const isPost = kind === 'post';
      const guard = isPost
        ? renewPost({ ...renewed, id, body })
        : renewComment({ id, body, html, htmlVersion });
      const effects = isPost ? [setLanguageInTags({ id })] : [];
      await database.atomically({ audit: NO_ENTRY, guard, effects });
    },
  };
}

interface TextRow {
  id: number;
  body: string;
}

function ofKind(kind: TextToRender['kind']): (row: TextRow) => TextToRender {
  return ({ id, body }) => ({ kind, id, body });
}

const selectPosts = sql<{ version: number; limit: number }, TextRow>`
  SELECT id, body FROM posts WHERE html_version < :version
  ORDER BY html_version, id LIMIT cast(:limit AS bigint)`;

const selectComments = sql<{ version: number; limit: number }, TextRow>`
  SELECT id, body FROM comments WHERE html_version < :version
  ORDER BY html_version, id LIMIT cast(:limit AS bigint)`;

const renewPost = sql<TextRow & RenewedText>`
  UPDATE posts
  SET html = CASE WHEN status = 'published' THEN cast(:html AS text) END, html_version = :htmlVersion,
    excerpt = coalesce(cast(:excerpt AS text), excerpt), language = coalesce(cast(:language AS text), language),
    reading_minutes = coalesce(cast(:readingMinutes AS integer), reading_minutes), picture = cast(:picture AS text)
  WHERE id = :id AND body = :body AND html_version < :htmlVersion`;

const renewComment = sql<TextRow & Rendering>`
  UPDATE comments SET html = CASE WHEN status <> 'removed' THEN cast(:html AS text) END, html_version = :htmlVersion
  WHERE id = :id AND body = :body AND html_version < :htmlVersion`;
