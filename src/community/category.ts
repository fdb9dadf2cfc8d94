// The categories of posts. Each has a name, and a slug for its address.

import type { Doer } from '../audit/doer.ts';
import { normalForm } from '../lib/normal-form.ts';
import { hasHiddenCharacters } from '../lib/one-line.ts';
import type { Community } from './community.ts';
import { hyphenated } from './slug.ts';
import type { Category } from './store.ts';

/** The name of the category that every community has from the start. */
export const DEFAULT_CATEGORY = 'General';
export const MOST_CATEGORY_CHARACTERS = 40;
const MOST_DESCRIPTION_CHARACTERS = 160;

// Categories whose names differ only in signs that a slug lacks.
const MOST_OF_SLUG = 100;

/** The access to storage that finding and creating a category needs. */
interface CategoryAccess {
  categories(): Promise<readonly Category[]>;
  ensureCategory(slug: string, name: string): Promise<Category>;
}

/** Find a category by its name, or create it. Returns undefined if no category can have the name. */
export function categoryNamed(
  by: Doer,
  { reads, writes }: Community,
  name: string,
): Promise<Category | undefined> {
  return findOrCreateCategory(
    {
      categories: () => reads.categories(),
      ensureCategory: (slug, validName) => writes.ensureCategory(by, slug, validName),
    },
    name,
  );
}

/** As `categoryNamed`, over any storage. */
export async function findOrCreateCategory(
  { categories, ensureCategory }: CategoryAccess,
  text: string,
): Promise<Category | undefined> {
  const name = nameOf(text);
  if (name === undefined) return undefined;
  const existing = (await categories()).find((category) => hasName(category, name));
  if (existing !== undefined) return existing;
  const slug = slugOf(name);
  for (let number = 1; number <= MOST_OF_SLUG; number += 1) {
    const category = await ensureCategory(number === 1 ? slug : `${slug}-${number}`, name);
    // "C" and "C++" have the same slug and are two categories.
    if (hasName(category, name)) return category;
  }
  return undefined;
}

export function slugOf(name: string): string {
  return hyphenated(name) || 'category';
}

/** Rename a category. Its slug stays, so links to it keep working. Returns the problem, if there is one. */
export async function renameCategory(
  by: Doer,
  { reads, writes }: Community,
  slug: string,
  text: string,
): Promise<'name' | 'taken' | 'unknown' | undefined> {
  const name = nameOf(text);
  if (name === undefined) return 'name';
  const categories = await reads.categories();
  if (categories.some((category) => category.slug !== slug && hasName(category, name))) return 'taken';
  if (categories.some((category) => category.slug === slug && category.name === name)) return undefined;
  return (await writes.renameCategory(by, slug, name)) ? undefined : 'unknown';
}

/** Change the line about a category. An empty one removes it. Returns the problem, if there is one. */
export async function describeCategory(
  by: Doer,
  { reads, writes }: Community,
  slug: string,
  text: string,
): Promise<'description' | 'unknown' | undefined> {
  const description = normalForm(text, 'NFC').trim();
  const isInvalid = [...description].length > MOST_DESCRIPTION_CHARACTERS || hasHiddenCharacters(description);
  if (description !== '' && isInvalid) return 'description';
  const category = (await reads.categories()).find((one) => one.slug === slug);
  if (category?.description === description) return undefined;
  return (await writes.describeCategory(by, slug, description)) ? undefined : 'unknown';
}

/** Move a category one place up. Returns false if there is no such category. The first one stays. */
export async function moveCategoryUp(by: Doer, { reads, writes }: Community, slug: string): Promise<boolean> {
  const categories = await reads.categories();
  const index = categories.findIndex((category) => category.slug === slug);
  if (index < 1) return index === 0;
  const ids = categories.map(({ id }) => id);
  ids.splice(index - 1, 0, ...ids.splice(index, 1));
  await writes.orderCategories(by, slug, ids);
  return true;
}

/**
 * Move all posts of a category to another one and delete the empty one, whose address leads to the other from then
 * on. Returns false if one of them does not exist, or both are the same.
 */
export async function mergeCategory(
  by: Doer,
  { reads, writes }: Community,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  const categories = await reads.categories();
  const [source, target] = [from, to].map((slug) => categories.find((category) => category.slug === slug));
  if (source === undefined || target === undefined || source === target) return false;
  return writes.mergeCategory(by, source, target);
}

/** Delete a category that has no posts, also no drafts and removed posts. Returns false if that is refused. */
export function deleteCategory(by: Doer, { writes }: Community, slug: string): Promise<boolean> {
  return writes.deleteCategory(by, slug);
}

// The text as a name, or undefined if no category can have it.
function nameOf(text: string): string | undefined {
  // Databases can't store half of an emoji, so the name would not be the one that was stored.
  const name = normalForm(text.toWellFormed(), 'NFC').trim();
  const length = [...name].length;
  const isInvalid = length === 0 || length > MOST_CATEGORY_CHARACTERS || hasHiddenCharacters(name);
  return isInvalid ? undefined : name;
}

function hasName(category: Category, name: string): boolean {
  return category.name.toLowerCase() === name.toLowerCase();
}
