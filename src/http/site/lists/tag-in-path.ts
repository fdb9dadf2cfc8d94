// The tag that the path of a page or a field of a form names.

import type { Community } from '../../../community/community.ts';
import { type Tag, tagNamed } from '../../../community/tag.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';

/**
 * Find the tag in the path, however it is spelled, if published posts have it and it isn't hidden; with `isUnused`, any
 * that posts have or had.
 */
export async function tagInPath(
  { community }: SiteParts,
  c: PageContext,
  { isUnused = false } = {},
): Promise<Tag | undefined> {
  const text = c.req.param('tag') ?? '';
  return isUnused ? namedTag(community, text) : publicTag(community, text);
}

/** Find a tag, however it is spelled, if published posts have it and it isn't hidden. */
export async function publicTag(community: Community, text: string): Promise<Tag | undefined> {
  const tag = await namedTag(community, text);
  return tag === undefined || tag.postCount === 0 || tag.hiddenAt !== undefined ? undefined : tag;
}

/** Find a tag, however it is spelled, also by an earlier name. */
export async function namedTag({ reads }: Community, text: string): Promise<Tag | undefined> {
  const name = tagNamed(text);
  return name === undefined ? undefined : reads.findTag(name);
}
