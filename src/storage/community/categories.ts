// Categories of posts.

import type { Category, CategoryStore } from '../../community/store.ts';
import { entry } from '../audit/audit-trail.ts';
import { type AuditTrail, type Database, runGuarded } from '../engine/database.ts';
import { sql } from '../engine/sql.ts';

export function categoryRows(database: Database): CategoryStore {
  return {
    async categories() {
      return database.rows(selectCategories());
    },
    ensureCategory(by, slug, name) {
      const audit = entry(by, { action: 'category.create', subject: { kind: 'category', id: slug } });
      return ensureCategory(database, { slug, name }, audit);
    },
    async renameCategory(by, slug, name) {
      return runGuarded(database, {
        audit: entry(by, {
          action: 'category.rename',
          subject: { kind: 'category', id: slug },
          detail: { name },
        }),
        guard: updateName({ slug, name }),
      });
    },
  };
}

/** Add a category unless the slug exists. The audit entries are written only if it is added. */
export async function ensureCategory(
  database: Database,
  { slug, name }: Omit<Category, 'id'>,
  audit: AuditTrail,
): Promise<Category> {
  await database.atomically({ audit, guard: insertCategory({ slug, name }) });
  const category = await database.first(selectCategory({ slug }));
  if (category === undefined) {
    throw new Error(`The category "${slug}" is gone, although categories are never deleted.`);
  }
  return category;
}

const selectCategories = sql<void, Category>`
  SELECT id, slug, name FROM categories ORDER BY id`;

const selectCategory = sql<{ slug: string }, Category>`
  SELECT id, slug, name FROM categories WHERE slug = :slug`;

const insertCategory = sql<{ slug: string; name: string }>`
  INSERT INTO categories (slug, name) VALUES (:slug, :name) ON CONFLICT (slug) DO NOTHING`;

const updateName = sql<{ slug: string; name: string }>`
  UPDATE categories SET name = :name WHERE slug = :slug`;
