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
  const { report, reads } = run;
  const existingIds = new Set((await reads.categories()).map(({ id }) => id));
  for (const record of records) {
    const id = await categoryId(run, record.name);
    if (id === undefined) {
      refuse(run, record, 'name: is not a valid name for a category');
    } else if (existingIds.has(id)) {
      report.alreadyThere.category += 1;
    } else {
      report.added.category += 1;
      existingIds.add(id);
    }
  }
}

/** The id of the category with this name, which is created if needed. Undefined if the name is not valid. */
export async function categoryId(
  { categoryIds, reads, writes, isForeign }: ImportRun,
  name = DEFAULT_CATEGORY,
): Promise<number | undefined> {
  if (categoryIds.has(name)) return categoryIds.get(name);
  const access = { categories: reads.categories, ensureCategory: writes.ensureImportedCategory };
  const category = await findOrCreateCategory(access, isForeign ? fittingName(name) : name);
  if (categoryIds.size >= MOST_REMEMBERED) categoryIds.clear();
  categoryIds.set(name, category?.id);
  return category?.id;
}

function fittingName(name: string): string {
  const visibleName = name.replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return [...visibleName].slice(0, MOST_CATEGORY_CHARACTERS).join('').trim();
}
