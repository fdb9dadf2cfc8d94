// Locking, pinning and moving a post, for operators and moderators.

import { byModerating } from '../../../audit/doer.ts';
import { moveToCategory, setLocked, setPinned } from '../../../community/moderation.ts';
import { tooFastOf } from '../../../community/pace.ts';
import { type Post, postFor } from '../../../community/post.ts';
import type { User } from '../../../identity/user.ts';
import { notFoundPage } from '../../pages/failures.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { idIn } from '../../pages/numbers.ts';
import { postPath } from '../../pages/post-path.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';

/** Change a published post as the pressed button says, and return to it. */
export async function changePost(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  const post = await postFor(site.community, user.id, idIn(c));
  if (post?.status !== 'published') return notFoundPage(c);
  const change = form.text('change');
  const done = await changeOf(site, user, post, change, form);
  return done === undefined ? notFoundPage(c) : c.redirect(`${postPath(post)}?done=${done}`, 303);
}

async function changeOf(
  site: SiteParts,
  user: User,
  post: Post,
  change: string,
  form: PostedForm,
): Promise<string | undefined> {
  const by = byModerating(user, site.clock);
  const { community } = site;
  const tooFast = await tooFastOf(by, community);
  if (tooFast !== undefined) return tooFast;
  if (change === 'lock' || change === 'unlock') {
    await setLocked(by, community, post, change === 'lock');
    return change;
  }
  if (change === 'pin' || change === 'unpin') {
    const problem = await setPinned(by, community, post, change === 'pin');
    return problem ?? change;
  }
  const isMoved =
    change === 'move' && (await moveToCategory(by, community, post, Number(form.text('category'))));
  return isMoved ? change : undefined;
}
