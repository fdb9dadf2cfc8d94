// The tag that the path of a page names.

import { type Tag, tagNamed } from '../../../community/tag.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';

/**
 * Find the tag in the path, however it is spelled, if published posts have it; with `isUnused`, also one that only had
 * some.
 */
export async function tagInPath(
  { community }: SiteParts,
  c: PageContext,
  { isUnused = false } = {},
): Promise<Tag | undefined> {
  const name = tagNamed(c.req.param('tag') ?? '');
  const tag = name === undefined ? undefined : await community.reads.findTag(name);
  return tag === undefined || (tag.postCount === 0 && !isUnused) ? undefined : tag;
}
