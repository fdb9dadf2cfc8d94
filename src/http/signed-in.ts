// Pages for members: a handler that gets the member by its signature, so that none can forget to ask.

import type { User } from '../identity/user.ts';
import { type PostedForm, readPostedForm } from './form-page.ts';
import { pathOf } from './request-form.ts';
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

/** What a member posts from a page of ours. Nothing is handed on unless the form was given to this very session. */
export function fromMember(
  handle: (c: PageContext, user: User, form: PostedForm) => Answer,
): (c: PageContext) => Answer {
  return forMember(async (c, user) => {
    const form = await readPostedForm(c);
    return form instanceof Response ? form : handle(c, user, form);
  });
}
