// Importing categories. A post that names a new category creates it, too.

import {
  DEFAULT_CATEGORY,
  findOrCreateCategory,
  MOST_CATEGORY_CHARACTERS,
} from '../../community/category.ts';
import type { ImportRun } from '../import-run.ts';
import type { CategoryRecord } from '../record.ts';
import { refuse } from './outcomes.ts';

// The map is cleared at this size. A cleared entry costs one more read.
const MOST_REMEMBERED = 10_000;

export async function importCategories(run: ImportRun, records: readonly CategoryRecord[]): Promise<void> {
  if (records.length === 0) return;
  const { added, alreadyThere } = run.report;
  for (const record of records) {
    const addedBefore = added.category;
    const id = await categoryId(run, record.name);
    if (id === undefined) refuse(run, record, 'name: is not a valid name for a category');
    else if (added.category === addedBefore) alreadyThere.category += 1;
  }
}

/**
 * The id of the category with this name, which is created and counted if there is none. Undefined if the name is not
 * valid.
 */
export async function categoryId(
  { categoryIds, reads, writes, isForeign, report }: ImportRun,
  name = DEFAULT_CATEGORY,
): Promise<number | undefined> {
  if (categoryIds.has(name)) return categoryIds.get(name);
  const existingIds = new Set((await reads.categories()).map(({ id }) => id));
  const access = { categories: reads.categories, ensureCategory: writes.ensureImportedCategory };
  const category = await findOrCreateCategory(access, isForeign ? fittingName(name) : name);
  if (category !== undefined && !existingIds.has(category.id)) report.added.category += 1;
  if (categoryIds.size >= MOST_REMEMBERED) categoryIds.clear();
  categoryIds.set(name, category?.id);
  return category?.id;
}

function fittingName(name: string): string {
  const visibleName = name.replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return [...visibleName].slice(0, MOST_CATEGORY_CHARACTERS).join('').trim();
}
