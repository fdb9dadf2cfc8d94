// Guards of a post's own pages: only its author may change a post. Other members get "page not found".

import { type Post, postFor } from '../../../community/post.ts';
import type { User } from '../../../identity/user.ts';
import { notFoundPage } from '../../pages/failures.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { member, memberForm, memberText } from '../../pages/guards.ts';
import { idIn } from '../../pages/numbers.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';

/** Find the member's own post in the path, draft or published. Undefined if the member has no such post. */
export async function ownPost(site: SiteParts, c: PageContext, user: User): Promise<Post | undefined> {
  const post = await postFor(site.community, user.id, idIn(c));
  return post?.userId === user.id ? post : undefined;
}

/** Admit the author of the post in the path. */
export async function postAuthor(site: SiteParts, c: PageContext): Promise<[User, Post] | Response> {
  const facts = member(site, c);
  if (facts instanceof Response) return facts;
  const [user] = facts;
  const post = await ownPost(site, c, user);
  return post === undefined ? notFoundPage(c) : [user, post];
}

/** Admit the author of the post in the path, with a form that one of our pages gave to this session. */
export async function postAuthorForm(
  site: SiteParts,
  c: PageContext,
): Promise<[User, Post, PostedForm] | Response> {
  return withPost(site, c, await memberForm(site, c));
}

/** The same for a form with a long text: see `memberText` for when the form is read. */
export async function postAuthorText(
  site: SiteParts,
  c: PageContext,
): Promise<[User, Post, PostedForm] | Response> {
  return withPost(site, c, await memberText(site, c));
}

async function withPost(
  site: SiteParts,
  c: PageContext,
  submission: [User, PostedForm] | Response,
): Promise<[User, Post, PostedForm] | Response> {
  if (submission instanceof Response) return submission;
  const [user, form] = submission;
  const post = await ownPost(site, c, user);
  return post === undefined ? notFoundPage(c) : [user, post, form];
}
