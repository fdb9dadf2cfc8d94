// The categories of posts. Each has a name, and a slug for its address.

import type { Doer } from '../audit/doer.ts';
import { normalForm } from '../lib/normal-form.ts';
import { hasHiddenCharacters } from '../lib/one-line.ts';
import type { Community } from './community.ts';
import { tooFastOf } from './pace.ts';
import { hyphenated } from './slug.ts';
import type { Category } from './store.ts';

/** The name of the category that every community has from the start. */
export const DEFAULT_CATEGORY = 'General';
export const MOST_CATEGORY_CHARACTERS = 40;
const MOST_DESCRIPTION_CHARACTERS = 160;

/** Many pages list all categories. A community that had more before there was a limit keeps them. */
export const MOST_CATEGORIES = 100;

/**
 * `too_many`: there are as many categories as there can be. `too_fast`: a moderator changed very many categories this
 * hour.
 */
export type NewCategoryProblem = 'name' | 'too_many' | 'too_fast';

/** The access to storage that finding and creating a category needs. */
interface CategoryAccess {
  categories(): Promise<readonly Category[]>;
  ensureCategory(slug: string, name: string, most: number): Promise<Category | undefined>;
  /** Asked before a category is created. */
  obstacle?(): Promise<'too_fast' | undefined>;
}

/** Find a category by its name, or create it. Returns the problem if it can't be created. */
export function categoryNamed(
  by: Doer,
  community: Community,
  name: string,
): Promise<Category | NewCategoryProblem> {
  const { reads, writes } = community;
  return findOrCreateCategory(
    {
      categories: () => reads.categories(),
      ensureCategory: (slug, validName, most) => writes.ensureCategory(by, slug, validName, most),
      obstacle: () => tooFastOf(by, community),
    },
    name,
  );
}

/** As `categoryNamed`, over any storage. */
export async function findOrCreateCategory(
  { categories, ensureCategory, obstacle }: CategoryAccess,
  text: string,
): Promise<Category | NewCategoryProblem> {
  const name = nameOf(text);
  if (name === undefined) return 'name';
  const all = await categories();
  const existing = all.find((category) => hasName(category, name));
  if (existing !== undefined) return existing;
  if (all.length >= MOST_CATEGORIES) return 'too_many';
  const problem = await obstacle?.();
  if (problem !== undefined) return problem;
  const slug = slugOf(name);
  for (let number = 1; number <= MOST_CATEGORIES; number += 1) {
    const category = await ensureCategory(number === 1 ? slug : `${slug}-${number}`, name, MOST_CATEGORIES);
    // "C" and "C++" have the same slug and are two categories.
    if (category === undefined || hasName(category, name)) return category ?? 'too_many';
  }
  return 'too_many';
}

export function slugOf(name: string): string {
  return hyphenated(name) || 'category';
}

/** Rename a category. Its slug stays, so links to it keep working. Returns the problem, if there is one. */
export async function renameCategory(
  by: Doer,
  community: Community,
  slug: string,
  text: string,
): Promise<'name' | 'taken' | 'unknown' | 'too_fast' | undefined> {
  const { reads, writes } = community;
  const name = nameOf(text);
  if (name === undefined) return 'name';
  const categories = await reads.categories();
  if (categories.some((category) => category.slug !== slug && hasName(category, name))) return 'taken';
  if (categories.some((category) => category.slug === slug && category.name === name)) return undefined;
  const problem = await tooFastOf(by, community);
  if (problem !== undefined) return problem;
  return (await writes.renameCategory(by, slug, name)) ? undefined : 'unknown';
}

/** Change the line about a category. An empty one removes it. Returns the problem, if there is one. */
export async function describeCategory(
  by: Doer,
  community: Community,
  slug: string,
  text: string,
): Promise<'description' | 'unknown' | 'too_fast' | undefined> {
  const { reads, writes } = community;
  const description = normalForm(text, 'NFC').trim();
  const isInvalid = [...description].length > MOST_DESCRIPTION_CHARACTERS || hasHiddenCharacters(description);
  if (description !== '' && isInvalid) return 'description';
  const category = (await reads.categories()).find((one) => one.slug === slug);
  if (category?.description === description) return undefined;
  const problem = await tooFastOf(by, community);
  if (problem !== undefined) return problem;
  return (await writes.describeCategory(by, slug, description)) ? undefined : 'unknown';
}

/** Move a category one place up. The first one stays. Returns the problem, if there is one. */
export async function moveCategoryUp(
  by: Doer,
  community: Community,
  slug: string,
): Promise<'unknown' | 'too_fast' | undefined> {
  const { reads, writes } = community;
  const categories = await reads.categories();
  const index = categories.findIndex((category) => category.slug === slug);
  if (index < 1) return index === 0 ? undefined : 'unknown';
  const problem = await tooFastOf(by, community);
  if (problem !== undefined) return problem;
  const ids = categories.map(({ id }) => id);
  ids.splice(index - 1, 0, ...ids.splice(index, 1));
  await writes.orderCategories(by, slug, ids);
  return undefined;
}

/**
 * Move all posts of a category to another one and delete the empty one, whose address leads to the other from then
 * on. `unknown`: one of them does not exist, or both are the same. Returns the problem, if there is one.
 */
export async function mergeCategory(
  by: Doer,
  community: Community,
  { from, to }: { from: string; to: string },
): Promise<'unknown' | 'too_fast' | undefined> {
  const { reads, writes } = community;
  const categories = await reads.categories();
  const [source, target] = [from, to].map((slug) => categories.find((category) => category.slug === slug));
  if (source === undefined || target === undefined || source === target) return 'unknown';
  const problem = await tooFastOf(by, community);
  if (problem !== undefined) return problem;
  return (await writes.mergeCategory(by, source, target)) ? undefined : 'unknown';
}

/**
 * Delete a category that has no posts. `full`: it has posts, drafts or removed posts, or is the last one. Returns the
 * problem, if there is one.
 */
export async function deleteCategory(
  by: Doer,
  community: Community,
  slug: string,
): Promise<'full' | 'too_fast' | undefined> {
  const problem = await tooFastOf(by, community);
  if (problem !== undefined) return problem;
  return (await community.writes.deleteCategory(by, slug)) ? undefined : 'full';
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
