// Categories of posts. One that was merged into another, its heir, keeps its row until its posts have moved. No heir
// has an heir.

import type { AuditAction } from '../../audit/audit-log.ts';
import type { Doer } from '../../audit/doer.ts';
import type { Category, CategoryStore } from '../../community/store.ts';
import { entry } from '../audit/audit-trail.ts';
import { type AuditTrail, type Database, runGuarded } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';
import { IS_EMPTY, movePostsOfMergedCategory } from './merged-categories.ts';

export function categoryRows(database: Database): CategoryStore {
  return {
    async categories() {
      return database.rows(selectCategories());
    },
    async findMergedCategory(slug) {
      return database.first(selectHeir({ slug }));
    },
    ensureCategory(by, slug, name, most) {
      return ensureCategory(database, { slug, name, most }, entryOf(by, 'category.create', slug));
    },
    async renameCategory(by, slug, name) {
      return runGuarded(database, {
        audit: entryOf(by, 'category.rename', slug, { name }),
        guard: updateName({ slug, name }),
      });
    },
    async describeCategory(by, slug, description) {
      return runGuarded(database, {
        audit: entryOf(by, 'category.describe', slug, { description }),
        guard: updateDescription({ slug, description }),
      });
    },
    async orderCategories(by, moved, [first = 0, ...others]) {
      await database.atomically({
        audit: entryOf(by, 'category.order', moved),
        guard: updatePosition({ id: first, position: 1 }),
        effects: others.map((id, index) => updatePosition({ id, position: index + 2 })),
      });
    },
    async mergeCategory(by, { id: from, slug }, { id: to, slug: into }) {
      const isMerged = await runGuarded(database, {
        audit: entryOf(by, 'category.merge', slug, { into }),
        turn: 'categories',
        guard: setHeir({ from, to }),
        effects: [setHeirOfEarlier({ from, to }), redirectMerged({ from, to }), insertMerged({ slug, to })],
      });
      // All posts of most categories.
      if (isMerged) await movePostsOfMergedCategory(database);
      return isMerged;
    },
    async deleteCategory(by, slug) {
      return runGuarded(database, {
        audit: entryOf(by, 'category.delete', slug),
        turn: 'categories',
        guard: deleteIfEmpty({ slug }),
      });
    },
  };
}

function entryOf(
  by: Doer,
  action: AuditAction,
  slug: string,
  detail: Readonly<Record<string, unknown>> = {},
): AuditTrail {
  return entry(by, { action, subject: { kind: 'category', id: slug }, detail });
}

/**
 * Add a category unless the slug exists, or there are so many already. The audit entries are written only if it is
 * added.
 */
export async function ensureCategory(
  database: Database,
  category: NewCategory,
  audit: AuditTrail,
): Promise<Category | undefined> {
  await database.atomically({ audit, turn: 'categories', guard: insertCategory(category) });
  return database.first(selectCategory({ slug: category.slug }));
}

const selectCategories = sql<void, Category>`
  SELECT id, slug, name, description FROM categories WHERE heir_id IS NULL ORDER BY position, id`;

const selectCategory = sql<{ slug: string }, Category>`
  SELECT id, slug, name, description FROM categories WHERE slug = :slug`;

const selectHeir = sql<{ slug: string }, Category>`
  SELECT categories.id, categories.slug, categories.name, categories.description
  FROM merged_categories JOIN categories ON categories.id = merged_categories.category_id
  WHERE merged_categories.slug = :slug`;

interface NewCategory extends Pick<Category, 'slug' | 'name'> {
  most: number;
}

const insertCategory = sql<NewCategory>`
  INSERT INTO categories (slug, name, position)
  SELECT :slug, :name, coalesce(max(position), 0) + 1
  FROM categories WHERE heir_id IS NULL HAVING count(*) < cast(:most AS bigint)
  ON CONFLICT (slug) DO NOTHING`;

const updateName = sql<{ slug: string; name: string }>`
  UPDATE categories SET name = :name
  WHERE slug = :slug OR heir_id = (SELECT renamed.id FROM categories AS renamed WHERE renamed.slug = :slug)`;

const updateDescription = sql<{ slug: string; description: string }>`
  UPDATE categories SET description = :description WHERE slug = :slug`;

const updatePosition = sql<{ id: number; position: number }>`
  UPDATE categories SET position = :position WHERE id = :id`;

interface Merged {
  from: number;
  to: number;
}

const NAME_OF_HEIR = fragment`(SELECT heirs.name FROM categories AS heirs WHERE heirs.id = :to)`;

// The slug becomes one that no category can have, so that another category can get it. Pages show the heir's name and
// slug instead, also while the posts move.
const setHeir = sql<Merged>`
  UPDATE categories
  SET heir_id = :to, name = ${NAME_OF_HEIR}, slug = slug || '~' || cast(id AS text)
  WHERE id = :from AND heir_id IS NULL
    AND EXISTS (
      SELECT 1 FROM categories AS heir WHERE heir.id = :to AND heir.id <> :from AND heir.heir_id IS NULL)`;

const setHeirOfEarlier = sql<Merged>`
  UPDATE categories SET heir_id = :to, name = ${NAME_OF_HEIR} WHERE heir_id = :from`;

const redirectMerged = sql<Merged>`
  UPDATE merged_categories SET category_id = :to WHERE category_id = :from`;

const insertMerged = sql<{ slug: string; to: number }>`
  INSERT INTO merged_categories (slug, category_id) VALUES (:slug, :to)
  ON CONFLICT (slug) DO UPDATE SET category_id = excluded.category_id`;

const deleteIfEmpty = sql<{ slug: string }>`
  DELETE FROM categories
  WHERE slug = :slug AND (SELECT count(*) FROM categories AS every WHERE every.heir_id IS NULL) > 1
    AND NOT EXISTS (SELECT 1 FROM categories AS merged WHERE merged.heir_id = categories.id)
    AND ${IS_EMPTY}`;
