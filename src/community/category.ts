// Categories of posts: found by name, and made with an address of their own.

import type { Act } from '../identity/act.ts';
import type { Community } from './community.ts';
import { hyphenated } from './slug.ts';
import type { Category } from './store.ts';

/** The one that every community begins with. */
export const DEFAULT_CATEGORY = 'General';
export const MOST_CATEGORY_CHARACTERS = 40;

/** The category of this name, made if there is none. Undefined if nothing can have this name. */
export async function categoryNamed(
  community: Community,
  name: string,
  act?: Act,
): Promise<Category | undefined> {
  const wanted = nameOf(name);
  if (wanted === undefined) return undefined;
  const known = (await community.reads.categories()).find((category) => isCalled(category, wanted));
  if (known !== undefined) return known;
  const slug = slugOf(wanted);
  for (let number = 1; ; number += 1) {
    const category = await community.writes.ensureCategory(
      number === 1 ? slug : `${slug}-${number}`,
      wanted,
      act,
    );
    // "C" and "C++" come to one slug and are two categories.
    if (isCalled(category, wanted)) return category;
  }
}

/** The part of an address that stands for a category. */
export function slugOf(name: string): string {
  return hyphenated(name) || 'category';
}

/** Gives a category another name. Its address stays, so that links to it hold. */
export async function renameCategory(
  community: Community,
  slug: string,
  name: string,
  act: Act,
): Promise<'name' | 'taken' | 'unknown' | undefined> {
  const wanted = nameOf(name);
  if (wanted === undefined) return 'name';
  const categories = await community.reads.categories();
  if (categories.some((category) => category.slug !== slug && isCalled(category, wanted))) return 'taken';
  return (await community.writes.renameCategory(slug, wanted, act)) ? undefined : 'unknown';
}

// The one form of a name in which it is kept; undefined if it can't be one.
function nameOf(text: string): string | undefined {
  const name = text.normalize('NFC').trim();
  const length = [...name].length;
  const isUnfit = length === 0 || length > MOST_CATEGORY_CHARACTERS || /[\p{C}\p{Zl}\p{Zp}]/u.test(name);
  return isUnfit ? undefined : name;
}

function isCalled(category: Category, name: string): boolean {
  return category.name.toLowerCase() === name.toLowerCase();
}
