// Pages for members: a handler that gets the member by its signature, so that none can forget to ask.

import type { User } from '../../identity/user.ts';
import { pathOf } from '../request-form.ts';
import { type PostedForm, readPostedForm } from './form-page.ts';
import { loginPath } from './return-path.ts';
import type { PageContext } from './visitor.ts';

type Answer = Response | Promise<Response>;

/** A page for a member; anyone else signs in first and comes back to it. */
export function forMember(handle: (c: PageContext, user: User) => Answer): (c: PageContext) => Answer {
  return (c) => {
    const { visit } = c.get('visitor');
    return visit === undefined ? c.redirect(loginPath(pathOf(c)), 303) : handle(c, visit.user);
  };
}

/**
 * What a member posts from a page of ours. Nothing is handed on unless the form was given to this very session, which
 * still holds when all of it has arrived.
 */
export function fromMember(
  handle: (c: PageContext, user: User, form: PostedForm) => Answer,
): (c: PageContext) => Answer {
  return forMember(writtenByMember(handle));
}

/**
 * What a member wrote, perhaps at length: a session that ended meanwhile must not cost it, so the form is read, and
 * given back if it can't be taken, before it is asked who wrote it.
 */
export function writtenByMember(
  handle: (c: PageContext, user: User, form: PostedForm) => Answer,
): (c: PageContext) => Promise<Response> {
  return async (c) => {
    const form = await readPostedForm(c);
    return form instanceof Response ? form : forMember((_, user) => handle(c, user, form))(c);
  };
}
