// The names under which pages show the tags of posts, where operators have changed a tag.

import type { ShownNames } from '../../../community/tag.ts';
import { MOST_CHANGED_TAGS } from '../../../community/tag-change.ts';
import { SECOND, type Timestamp } from '../../../lib/clock.ts';
import type { SiteParts } from '../site-parts.ts';

// Changes are rare, and each page with posts needs them. Another process sees one so much later.
const KEPT_FOR = 10 * SECOND;

interface Known {
  readAt: Timestamp;
  /** What the names were made from. The same names are the same object, by which a kept list tells a change. */
  changes: string;
  names: ShownNames;
}

const known = new WeakMap<SiteParts, Known>();
/** How often the names were forgotten. */
const changesSeen = new WeakMap<SiteParts, number>();

/** Return the changed names, at most some seconds old. */
export async function shownNames(site: SiteParts): Promise<ShownNames> {
  const now = site.clock();
  const before = known.get(site);
  if (before !== undefined && now - before.readAt < KEPT_FOR && now >= before.readAt) return before.names;
  const seen = changesSeen.get(site);
  const changed = await site.community.reads.changedTags(MOST_CHANGED_TAGS);
  const changes = JSON.stringify(changed);
  const names =
    before?.changes === changes ? before.names : new Map(changed.map(({ name, shownAs }) => [name, shownAs]));
  // A change during the read may be missing in what was read.
  if (changesSeen.get(site) === seen) known.set(site, { readAt: now, changes, names });
  return names;
}

/** Read the names again with the next page. */
export function forgetShownNames(site: SiteParts): void {
  known.delete(site);
  changesSeen.set(site, (changesSeen.get(site) ?? 0) + 1);
}
