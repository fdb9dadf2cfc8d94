// Categories of posts.

import type { Category, CommunityStore } from '../../community/store.ts';
import { noteOf } from '../audit/audit-events.ts';
import { NO_PERSON } from '../audit/audit-trail.ts';
import type { Database } from '../engine/database.ts';
import { sql } from '../engine/sql.ts';

export function categoryRows(
  database: Database,
): Pick<CommunityStore, 'categories' | 'ensureCategory' | 'renameCategory'> {
  return {
    async categories() {
      return database.rows(selectCategories());
    },
    async ensureCategory(slug, name, act) {
      const effects = noteOf(act, { action: 'category.create', ...subject(slug) });
      await database.atomically({ audit: NO_PERSON, guard: insertCategory({ slug, name }), effects });
      const category = await database.first(selectCategory({ slug }));
      if (category === undefined) {
        throw new Error(`The category "${slug}" is gone; categories are never deleted.`);
      }
      return category;
    },
    async renameCategory(slug, name, act) {
      const effects = noteOf(act, { action: 'category.rename', ...subject(slug), detail: { name } });
      return (await database.atomically({ audit: NO_PERSON, guard: updateName({ slug, name }), effects }))
        .happened;
    },
  };
}

function subject(slug: string) {
  return { subjectKind: 'category', subjectId: slug } as const;
}

const selectCategories = sql<void, Category>`
  SELECT id, slug, name FROM categories ORDER BY id`;

const selectCategory = sql<{ slug: string }, Category>`
  SELECT id, slug, name FROM categories WHERE slug = :slug`;

const insertCategory = sql<{ slug: string; name: string }>`
  INSERT INTO categories (slug, name) VALUES (:slug, :name) ON CONFLICT (slug) DO NOTHING`;

const updateName = sql<{ slug: string; name: string }>`
  UPDATE categories SET name = :name WHERE slug = :slug`;
