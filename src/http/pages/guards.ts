// The guards decide who may open a page. A handler gets its facts from a guard, so it can't skip the check.

import { canModerate, type User } from '../../identity/user.ts';
import type { ClientAddress } from '../client-address.ts';
import { pathOf } from '../request-form.ts';
import { notFoundPage } from './failures.ts';
import {
  outdatedForm,
  type PostedForm,
  readHarmlessForm,
  readPostedForm,
  readVisitorForm,
} from './form-page.ts';
import { loginPath } from './return-path.ts';
import { readTextUpload, type TextUpload } from './text-upload.ts';
import { readUpload, type Upload, type UploadProblem } from './upload.ts';
import type { PageContext } from './visitor.ts';

/** Everyone, signed in or not. */
export function everyone(): [] {
  return [];
}

/** Everyone, with a form that one of our pages gave to this browser. */
export async function visitorForm(_: unknown, c: PageContext): Promise<[PostedForm] | Response> {
  const form = await readVisitorForm(c);
  return form instanceof Response ? form : [form];
}

/** Everyone, with a form that is harmless without a session. A member's form must come from our pages. */
export async function harmlessForm(_: unknown, c: PageContext): Promise<[PostedForm] | Response> {
  const form = await readHarmlessForm(c);
  return form instanceof Response ? form : [form];
}

/** A signed-in member. Other visitors sign in first and then come back to the page. */
export function member(_: unknown, c: PageContext): [User] | Response {
  const { visit } = c.get('visitor');
  return visit === undefined ? c.redirect(loginPath(pathOf(c)), 303) : [visit.user];
}

/** A signed-in member, with a form that one of our pages gave to this session. */
export async function memberForm(_: unknown, c: PageContext): Promise<[User, PostedForm] | Response> {
  const facts = member(_, c);
  return facts instanceof Response ? facts : memberText(_, c);
}

/**
 * The same for a form with a long text. The form is read before the guard checks the session: if the session
 * has expired, the page that says so shows the text again.
 */
export async function memberText(_: unknown, c: PageContext): Promise<[User, PostedForm] | Response> {
  const form = await readPostedForm(c);
  if (form instanceof Response) return form;
  // After the body is read, because the session can end while it arrives.
  const facts = member(_, c);
  return facts instanceof Response ? facts : [...facts, form];
}

/**
 * Answer a member's form that changed nothing: as the guard does if the session has ended since, because the
 * account was suspended while the text was rendered, and otherwise that there is no such page, or as `gone` does.
 */
export async function formWithoutEffect(
  c: PageContext,
  form: PostedForm,
  gone: (c: PageContext) => Response | Promise<Response> = notFoundPage,
): Promise<Response> {
  const visitor = c.get('visitor');
  await visitor.lookAgain?.();
  return visitor.visit === undefined ? outdatedForm(c, { form }) : gone(c);
}

/** A signed-in member, with a file in this field of a form. */
export function memberUpload(field: string, mostBytes: number) {
  return function memberUpload(parts: UploadParts, c: PageContext) {
    return uploadOf(parts, c, () => member(parts, c), { field, mostBytes });
  };
}

/** An operator, with a file in this field of a form. */
export function operatorUpload(field: string, mostBytes: number) {
  return function operatorUpload(parts: UploadParts, c: PageContext) {
    return uploadOf(parts, c, () => operator(parts, c), { field, mostBytes });
  };
}

/**
 * A signed-in member, with a form that has a long text and a file in this field. A visitor whose session has ended gets
 * the text back.
 */
export function textUpload(field: string, mostBytes: number) {
  return async function memberTextUpload(
    { clientAddress }: UploadParts,
    c: PageContext,
  ): Promise<[User, TextUpload] | Response> {
    const from = { userId: c.get('visitor').visit?.user.id, address: clientAddress(c) };
    const upload = await readTextUpload(c, field, mostBytes, from);
    if (upload instanceof Response) return upload;
    const { visit } = c.get('visitor');
    return visit === undefined ? outdatedForm(c, { form: upload.form }) : [visit.user, upload];
  };
}

interface UploadParts {
  clientAddress: ClientAddress;
}

async function uploadOf(
  { clientAddress }: UploadParts,
  c: PageContext,
  guard: () => [User] | Response | Promise<Response>,
  { field, mostBytes }: { field: string; mostBytes: number },
): Promise<[User, Upload | UploadProblem] | Response> {
  const factsBefore = await guard();
  if (factsBefore instanceof Response) return factsBefore;
  const from = { userId: factsBefore[0].id, address: clientAddress(c) };
  const upload = await readUpload(c, field, mostBytes, from);
  if (upload instanceof Response) return upload;
  const facts = await guard();
  return facts instanceof Response ? facts : [...facts, upload];
}

/** An operator. Other visitors get the page for an unknown address. */
export function operator(_: unknown, c: PageContext): [User] | Promise<Response> {
  const { visit } = c.get('visitor');
  return visit?.user.isOperator ? [visit.user] : notFoundPage(c);
}

/** An operator, with a form that one of our pages gave to this session. */
export function operatorForm(_: unknown, c: PageContext): Promise<[User, PostedForm] | Response> {
  return formOf(c, () => operator(_, c));
}

/** An operator or a moderator. Other visitors get the page for an unknown address. */
export function moderator(_: unknown, c: PageContext): [User] | Promise<Response> {
  const { visit } = c.get('visitor');
  return visit !== undefined && canModerate(visit.user) ? [visit.user] : notFoundPage(c);
}

/** An operator or a moderator, with a form that one of our pages gave to this session. */
export function moderatorForm(_: unknown, c: PageContext): Promise<[User, PostedForm] | Response> {
  return formOf(c, () => moderator(_, c));
}

async function formOf(
  c: PageContext,
  guard: () => [User] | Promise<Response>,
): Promise<[User, PostedForm] | Response> {
  const factsBefore = await guard();
  if (factsBefore instanceof Response) return factsBefore;
  const form = await readPostedForm(c);
  if (form instanceof Response) return form;
  // The member can lose the role while the body arrives.
  const facts = await guard();
  return facts instanceof Response ? facts : [...facts, form];
}

/** The same for a form with a long text, which is shown again if the session has expired. */
export async function operatorText(_: unknown, c: PageContext): Promise<[User, PostedForm] | Response> {
  const form = await readPostedForm(c);
  if (form instanceof Response) return form;
  const facts = await operator(_, c);
  return facts instanceof Response ? facts : [...facts, form];
}
