// Categories, made when they are first named.

import { categoryNamed, DEFAULT_CATEGORY, MOST_CATEGORY_CHARACTERS } from '../community/category.ts';
import { refuse } from './outcomes.ts';
import type { CategoryRecord } from './record.ts';
import type { Taking } from './taking.ts';

// A community with more of them has to look again.
const MOST_KEPT = 10_000;

export async function takeCategories(taking: Taking, records: readonly CategoryRecord[]): Promise<void> {
  const { report, community } = taking;
  if (records.length === 0) return;
  const before = new Set((await community.reads.categories()).map(({ id }) => id));
  for (const record of records) {
    const id = await categoryNumber(taking, record.name);
    if (id === undefined) refuse(taking, record, 'name: can not be the name of a category');
    else if (before.has(id)) report.there.category += 1;
    else {
      report.added.category += 1;
      before.add(id);
    }
  }
}

/** The number of the category that a record names. Undefined if nothing can have this name. */
export async function categoryNumber(taking: Taking, name: string | undefined): Promise<number | undefined> {
  const { categories, community, isForeign } = taking;
  const written = name ?? DEFAULT_CATEGORY;
  if (categories.has(written)) return categories.get(written);
  const wanted = isForeign ? fitting(written) : written;
  const id = (await categoryNamed(community, wanted))?.id;
  if (categories.size >= MOST_KEPT) categories.clear();
  categories.set(written, id);
  return id;
}

function fitting(name: string): string {
  const seen = name.replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return [...seen].slice(0, MOST_CATEGORY_CHARACTERS).join('').trim();
}
