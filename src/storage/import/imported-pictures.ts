// The pictures that an import downloads for the texts that it added. One transaction stores a picture and shows it in
// the text, so a repeated import goes on with the pictures that are missing.

import type { ImportReads, ImportWrites, TextWithPictures } from '../../import/store.ts';
import { OF_IMPORT } from '../audit/audit-trail.ts';
import { insertPicture, insertPictureUse, insertVersions } from '../community/pictures.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { sql } from '../engine/sql.ts';

type ImportedPictures = Pick<ImportReads, 'textsWithPictures'> & Pick<ImportWrites, 'addPicture'>;

export function importedPictures(database: Database): ImportedPictures {
  return {
    async textsWithPictures(source, kind, after, limit) {
      const rows = await database.rows(selectTexts[kind]({ source, after, limit }));
      return rows.map((row) => ({ kind, ...row }));
    },
    async addPicture({ kind, id, postId, userId, body }, revised, picture, at) {
      const row = { id, body, newBody: revised.body };
      const { digest } = picture;
      const isNew = 'image' in picture;
      return runGuarded(database, {
        audit: OF_IMPORT,
        guard: kind === 'post' ? replacePost({ ...row, excerpt: revised.excerpt }) : replaceComment(row),
        effects: [
          ...(isNew
            ? [
                insertPicture({ ...picture, userId, size: picture.image.length, at }),
                ...insertVersions(picture),
              ]
            : []),
          insertPictureUse({ digest, postId, commentId: kind === 'comment' ? id : undefined }),
        ],
      });
    },
  };
}

interface Texts {
  source: string;
  after: string;
  limit: number;
}

type TextRow = Omit<TextWithPictures, 'kind'>;

const selectTexts = {
  post: sql<Texts, TextRow>`
    SELECT records.external_id AS "externalId", posts.id, posts.id AS "postId", posts.user_id AS "userId", posts.body
    FROM imported_records AS records JOIN posts ON posts.id = records.local_id
    WHERE records.source = :source AND records.kind = 'post' AND records.external_id > :after
      AND posts.status <> 'removed' AND posts.body LIKE '%![%'
    ORDER BY records.external_id LIMIT cast(:limit AS bigint)`,
  comment: sql<Texts, TextRow>`
    SELECT records.external_id AS "externalId", comments.id, comments.post_id AS "postId",
      comments.user_id AS "userId", comments.body
    FROM imported_records AS records JOIN comments ON comments.id = records.local_id
    WHERE records.source = :source AND records.kind = 'comment' AND records.external_id > :after
      AND comments.status <> 'removed' AND comments.body LIKE '%![%'
    ORDER BY records.external_id LIMIT cast(:limit AS bigint)`,
};

interface NewBody {
  id: number;
  body: string;
  newBody: string;
}

// The text is rendered again when it is next read. Its version stays, because its author changed nothing.
const replacePost = sql<NewBody & { excerpt: string }>`
  UPDATE posts SET body = :newBody, excerpt = :excerpt, html = NULL, html_version = 0
  WHERE id = :id AND body = :body AND status <> 'removed'`;

const replaceComment = sql<NewBody>`
  UPDATE comments SET body = :newBody, html = NULL, html_version = 0
  WHERE id = :id AND body = :body AND status <> 'removed'`;
