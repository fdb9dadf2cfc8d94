// Guards of a comment's own pages: only its author may change a comment, also while it waits for approval. Other
// members get "page not found".

import type { CommentInPlace } from '../../../community/comment.ts';
import type { User } from '../../../identity/user.ts';
import { notFoundPage } from '../../pages/failures.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { member, memberForm, memberText } from '../../pages/guards.ts';
import { idIn } from '../../pages/numbers.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';

/** Admit the author of the comment in the path. */
export async function commentAuthor(
  site: SiteParts,
  c: PageContext,
): Promise<[User, CommentInPlace] | Response> {
  const facts = member(site, c);
  if (facts instanceof Response) return facts;
  const [user] = facts;
  const comment = await ownComment(site, c, user);
  return comment === undefined ? notFoundPage(c) : [user, comment];
}

/** Admit the author of the comment in the path, with a form that one of our pages gave to this session. */
export async function commentAuthorForm(
  site: SiteParts,
  c: PageContext,
): Promise<[User, CommentInPlace, PostedForm] | Response> {
  return withComment(site, c, await memberForm(site, c));
}

/** The same for a form with a long text: see `memberText` for when the form is read. */
export async function commentAuthorText(
  site: SiteParts,
  c: PageContext,
): Promise<[User, CommentInPlace, PostedForm] | Response> {
  return withComment(site, c, await memberText(site, c));
}

async function withComment(
  site: SiteParts,
  c: PageContext,
  submission: [User, PostedForm] | Response,
): Promise<[User, CommentInPlace, PostedForm] | Response> {
  if (submission instanceof Response) return submission;
  const [user, form] = submission;
  const comment = await ownComment(site, c, user);
  return comment === undefined ? notFoundPage(c) : [user, comment, form];
}

function ownComment(site: SiteParts, c: PageContext, user: User): Promise<CommentInPlace | undefined> {
  return site.community.reads.findOwnComment(idIn(c), user.id);
}
