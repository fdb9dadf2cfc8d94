// Who may open a page. A handler gets what its guard promises, so no handler can forget to ask.

import type { User } from '../../identity/user.ts';
import { pathOf } from '../request-form.ts';
import { notFoundPage } from './failures.ts';
import { type PostedForm, readHarmlessForm, readPostedForm } from './form-page.ts';
import { loginPath } from './return-path.ts';
import { readUpload, type Upload } from './upload.ts';
import type { PageContext } from './visitor.ts';

/** Everyone, signed in or not. */
export function everyone(): [] {
  return [];
}

/** Everyone, with a form that a page of ours gave to this very browser. */
export async function visitorForm(_: unknown, c: PageContext): Promise<[PostedForm] | Response> {
  const form = await readPostedForm(c);
  return form instanceof Response ? form : [form];
}

/** Everyone, with a form that does a stranger no harm. A member's must come from a page of ours. */
export async function harmlessForm(_: unknown, c: PageContext): Promise<[PostedForm] | Response> {
  const form = await readHarmlessForm(c);
  return form instanceof Response ? form : [form];
}

/** A signed-in member. A stranger signs in first and then comes back to the page. */
export function member(_: unknown, c: PageContext): [User] | Response {
  const { visit } = c.get('visitor');
  return visit === undefined ? c.redirect(loginPath(pathOf(c)), 303) : [visit.user];
}

/** A signed-in member, with a form that a page of ours gave to this very session. */
export async function memberForm(_: unknown, c: PageContext): Promise<[User, PostedForm] | Response> {
  const first = member(_, c);
  return first instanceof Response ? first : memberText(_, c);
}

/**
 * The same for a form with text, perhaps much of it. The form is read before the guard asks who sent it: if the
 * session has expired, the page that says so gives the text back.
 */
export async function memberText(_: unknown, c: PageContext): Promise<[User, PostedForm] | Response> {
  const form = await readPostedForm(c);
  if (form instanceof Response) return form;
  // The session can end while a body arrives.
  const again = member(_, c);
  return again instanceof Response ? again : [...again, form];
}

/** A signed-in member, with a file in this field of a form. */
export function memberUpload(field: string, mostBytes: number) {
  return async function memberUpload(
    _: unknown,
    c: PageContext,
  ): Promise<[User, Upload | 'too_large' | 'busy'] | Response> {
    const first = member(_, c);
    if (first instanceof Response) return first;
    const upload = await readUpload(c, field, mostBytes);
    if (upload instanceof Response) return upload;
    const again = member(_, c);
    return again instanceof Response ? again : [...again, upload];
  };
}

/** An operator. For anyone else there is nothing at the address. */
export function operator(_: unknown, c: PageContext): [User] | Promise<Response> {
  const { visit } = c.get('visitor');
  return visit?.user.isOperator ? [visit.user] : notFoundPage(c);
}

/** An operator, with a form that a page of ours gave to this very session. */
export async function operatorForm(_: unknown, c: PageContext): Promise<[User, PostedForm] | Response> {
  const first = await operator(_, c);
  if (first instanceof Response) return first;
  const form = await readPostedForm(c);
  if (form instanceof Response) return form;
  // The again can cease to be an operator while a body arrives.
  const again = await operator(_, c);
  return again instanceof Response ? again : [...again, form];
}
