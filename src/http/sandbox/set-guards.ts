// The set that belongs to a browser: its cookie, and the guards of its pages.

import { setCookie } from 'hono/cookie';
import { SECOND } from '../../lib/clock.ts';
import { type SandboxSet, SET_LIFETIME, type Sets } from '../../sandbox/sets.ts';
import type { AppParts } from '../app.ts';
import { cookieOf } from '../pages/cookie.ts';
import { type PostedForm, readVisitorForm } from '../pages/form-page.ts';
import { tooOftenPage } from '../pages/too-often.ts';
import { cookieName, cookieOptions, type PageContext } from '../pages/visitor.ts';

export interface SandboxParts extends AppParts {
  sets: Sets;
}

/** Find the set of this browser. Undefined if it has none. */
export function setOfBrowser({ sets }: SandboxParts, c: PageContext): SandboxSet | undefined {
  return sets.find(cookieOf(c, cookieName(c, 'sandbox')));
}

/** Let the browser remember its set. */
export function rememberSet(c: PageContext, { key }: SandboxSet): void {
  const options = { ...cookieOptions(c), maxAge: SET_LIFETIME / SECOND };
  setCookie(c, cookieName(c, 'sandbox'), key, options);
}

/** A browser that has a set. Others come to the page where they can start one. */
export function ownSet(parts: SandboxParts, c: PageContext): [SandboxSet] | Response {
  const set = setOfBrowser(parts, c);
  return set === undefined ? c.redirect('/', 303) : [set];
}

// Signing in and most faults leave entries in the database, which is in memory.
const FORMS_A_MINUTE = 60;
const WINDOW_SECONDS = 60;

/** The same, with a form that one of our pages gave to this browser. */
export async function ownSetForm(
  parts: SandboxParts,
  c: PageContext,
): Promise<[SandboxSet, PostedForm] | Response> {
  const form = await readVisitorForm(c);
  if (form instanceof Response) return form;
  const facts = ownSet(parts, c);
  if (facts instanceof Response) return facts;
  const [{ clientId }] = facts;
  const hit = await parts.counter.hit(`sandbox-forms:${clientId}`, FORMS_A_MINUTE, WINDOW_SECONDS);
  if (!hit.allowed) return tooOftenPage(c, hit, '/sandbox');
  return [...facts, form];
}
