// Categories of posts: found by name, and made with an address of their own.

import type { Community } from './community.ts';
import type { Category } from './store.ts';

/** The one that every community begins with. */
export const DEFAULT_CATEGORY = 'General';
export const MOST_CATEGORY_CHARACTERS = 40;

/** The category of this name, made if there is none. Undefined if nothing can have this name. */
export async function categoryNamed(community: Community, name: string): Promise<Category | undefined> {
  const wanted = name.normalize('NFC').trim();
  const length = [...wanted].length;
  if (length === 0 || length > MOST_CATEGORY_CHARACTERS || /[\p{C}\p{Zl}\p{Zp}]/u.test(wanted))
    return undefined;
  const known = (await community.store.categories()).find((category) => isCalled(category, wanted));
  if (known !== undefined) return known;
  const slug = slugOf(wanted);
  for (let number = 1; ; number += 1) {
    const category = await community.store.ensureCategory(number === 1 ? slug : `${slug}-${number}`, wanted);
    // "C" and "C++" come to one slug and are two categories.
    if (isCalled(category, wanted)) return category;
  }
}

/** The part of an address that stands for a name: its letters and digits, of whatever script, joined by hyphens. */
export function slugOf(name: string): string {
  const words = name
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  return words?.join('-') ?? 'category';
}

function isCalled(category: Category, name: string): boolean {
  return category.name.toLowerCase() === name.toLowerCase();
}
