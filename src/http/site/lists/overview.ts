// What the lists of posts tell about the community: how many members it has, how many posts are in its categories, and
// which languages they are in. Counting takes longer than the rest of the page, so it is remembered for a minute.

import type { PostLanguage } from '../../../community/post-language.ts';
import { MINUTE, type Timestamp } from '../../../lib/clock.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import { countOf } from '../../pages/moments.ts';
import type { SiteParts } from '../site-parts.ts';

/** Beyond it, counts are not exact. */
export const MOST_COUNTED = 10_000;
/** More categories would push the posts out of sight. */
export const MOST_CATEGORIES = 12;

const MOST_COUNTED_IN_CATEGORY = 1000;
const KEPT_FOR = 1 * MINUTE;

export interface Overview {
  members: number;
  /** How many posts each of the first categories has, by its id. */
  posts: ReadonlyMap<number, number>;
  languages: readonly PostLanguage[];
}

const overviews = new WeakMap<SiteParts, { readAt: Timestamp; overview: Promise<Overview> }>();

/** Return the numbers of the community, at most a minute old. */
export function overviewOf(site: SiteParts): Promise<Overview> {
  const now = site.clock();
  const known = overviews.get(site);
  if (known !== undefined && now - known.readAt < KEPT_FOR && now >= known.readAt) return known.overview;
  const overview = readOverview(site);
  overviews.set(site, { readAt: now, overview });
  overview.catch(() => overviews.delete(site));
  return overview;
}

async function readOverview({ identity, community: { reads } }: SiteParts): Promise<Overview> {
  const members = await identity.reads.countActiveMembers(MOST_COUNTED + 1);
  const counts = await reads.countInCategories(MOST_CATEGORIES, MOST_COUNTED_IN_CATEGORY + 1);
  return {
    members,
    posts: new Map(counts.map(({ id, posts }) => [id, posts])),
    languages: await reads.languagesOfPosts(),
  };
}

/** Write how many posts a category has: "64", "1,000+". */
export function postsText(count: number): string {
  return count > MOST_COUNTED_IN_CATEGORY ? `${countOf(MOST_COUNTED_IN_CATEGORY)}+` : countOf(count);
}

/** Write how many members there are. */
export function membersText(count: number, language: Language): string {
  const t = words[language];
  return count > MOST_COUNTED ? t.more(countOf(MOST_COUNTED)) : t.members(count, countOf(count));
}

const words = bilingual(
  {
    members: (n: number, text: string) => (n === 1 ? '1 member' : `${text} members`),
    more: (text: string) => `more than ${text} members`,
  },
  {
    members: (_, text) => `${text} 位成员`,
    more: (text) => `超过 ${text} 位成员`,
  },
);
