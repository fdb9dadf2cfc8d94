// Importing categories. A post that names a new category creates it, too.

import {
  DEFAULT_CATEGORY,
  findOrCreateCategory,
  MOST_CATEGORIES,
  MOST_CATEGORY_CHARACTERS,
} from '../../community/category.ts';
import type { ImportRun } from '../import-run.ts';
import type { CategoryRecord, PostRecord } from '../record.ts';
import { refuse, reportChange } from './outcomes.ts';

// The map is cleared at this size. A cleared entry costs one more read.
const MOST_REMEMBERED = 10_000;

export async function importCategories(run: ImportRun, records: readonly CategoryRecord[]): Promise<void> {
  if (records.length === 0) return;
  const { added, alreadyThere } = run.report;
  for (const record of records) {
    const addedBefore = added.category;
    const id = await categoryId(run, record.name);
    if (id === 'name') refuse(run, record, 'name: is not a valid name for a category');
    else if (id === 'too_many') refuse(run, record, `name: ${TOO_MANY}`);
    else if (added.category === addedBefore) alreadyThere.category += 1;
  }
}

const TOO_MANY = `there are ${MOST_CATEGORIES} categories, the most there can be`;

/**
 * The id of the category for a post that names this one: another one if there are too many, which is reported.
 * Undefined if the name is not valid.
 */
export async function categoryOfPost(run: ImportRun, record: PostRecord): Promise<number | undefined> {
  const id = await categoryId(run, record.category || undefined);
  if (id === 'name') return undefined;
  if (id !== 'too_many') return id;
  const all = await run.reads.categories();
  const other = all.find(({ name }) => name === DEFAULT_CATEGORY) ?? all[0];
  if (other === undefined) return undefined;
  reportChange(run, record, `category: changed to "${other.name}", because ${TOO_MANY}`);
  return other.id;
}

/** The id of the category with this name, which is created and counted if there is none, or why it can't be. */
export async function categoryId(
  { categoryIds, reads, writes, isForeign, report }: ImportRun,
  name = DEFAULT_CATEGORY,
): Promise<number | 'name' | 'too_many'> {
  const known = categoryIds.get(name);
  if (known !== undefined) return known;
  const existingIds = new Set((await reads.categories()).map(({ id }) => id));
  const access = { categories: reads.categories, ensureCategory: writes.ensureImportedCategory };
  const category = await findOrCreateCategory(access, isForeign ? fittingName(name) : name);
  // Only moderators can be too fast.
  const id = category === 'too_fast' ? 'too_many' : typeof category === 'string' ? category : category.id;
  if (typeof id === 'number' && !existingIds.has(id)) report.added.category += 1;
  if (categoryIds.size >= MOST_REMEMBERED) categoryIds.clear();
  categoryIds.set(name, id);
  return id;
}

function fittingName(name: string): string {
  const visibleName = name.replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return [...visibleName].slice(0, MOST_CATEGORY_CHARACTERS).join('').trim();
}
