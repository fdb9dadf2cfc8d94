// A list of pages: for each its method, its path, who may open it, and the function that answers.

import { Hono } from 'hono';
import { pathOf } from '../request-form.ts';
import { notFoundPage } from './failures.ts';
import type { PageContext, PageEnv } from './visitor.ts';

/**
 * Decides who may. Returns the facts that the handler is promised, such as the signed-in member, or the
 * response that the caller gets in the handler's place.
 */
export type Guard<Parts> = (
  parts: Parts,
  c: PageContext,
) => (unknown[] | Response) | Promise<unknown[] | Response>;

/** What a guard promises. */
type Facts<G extends Guard<never>> = Extract<Awaited<ReturnType<G>>, unknown[]>;

/** Answers a request. `parts` are the rooms that it needs; then follows what its guard promises. */
export type Handler<Parts, G extends Guard<never>> = (
  parts: Parts,
  c: PageContext,
  ...facts: Facts<G>
) => Response | Promise<Response>;

/** One line of the list. */
export interface ListedPage<Parts> {
  method: 'GET' | 'POST';
  path: string;
  /** People look at a page; programs fetch a file; a form changes something; a redirect leads to a page. */
  kind: 'page' | 'file' | 'form' | 'redirect';
  /** The guard's name. */
  who: string;
  answer: (parts: Parts, c: PageContext) => Response | Promise<Response>;
}

/** A page. */
export function get<Parts, G extends Guard<Parts>>(
  path: string,
  guard: G,
  handle: Handler<Parts, G>,
): ListedPage<Parts> {
  return { method: 'GET', path, kind: 'page', who: guard.name, answer: guarded(guard, handle) };
}

/** Something that is no page, such as a picture or a feed. */
export function file<Parts, G extends Guard<Parts>>(
  path: string,
  guard: G,
  handle: Handler<Parts, G>,
): ListedPage<Parts> {
  return { ...get(path, guard, handle), kind: 'file' };
}

/** What a form of a page is posted to. */
export function post<Parts, G extends Guard<Parts>>(
  path: string,
  guard: G,
  handle: Handler<Parts, G>,
): ListedPage<Parts> {
  return { method: 'POST', path, kind: 'form', who: guard.name, answer: guarded(guard, handle) };
}

/** An address that leads everyone to a page, or where there is nothing if `target` gives no path. */
export function redirect<Parts>(
  path: string,
  target: (parts: Parts, c: PageContext) => string | undefined | Promise<string | undefined>,
): ListedPage<Parts> {
  return {
    method: 'GET',
    path,
    kind: 'redirect',
    who: 'everyone',
    async answer(parts, c) {
      const location = await target(parts, c);
      return location === undefined ? notFoundPage(c) : c.redirect(location, 303);
    },
  };
}

function guarded<Parts, G extends Guard<Parts>>(
  guard: G,
  handle: Handler<Parts, G>,
): ListedPage<Parts>['answer'] {
  return async (parts, c) => {
    const facts = await guard(parts, c);
    return facts instanceof Response ? facts : handle(parts, c, ...(facts as Facts<G>));
  };
}

/** Serves the list, in its order. */
export function servePages<Parts>(list: readonly ListedPage<Parts>[], parts: Parts): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  for (const { method, path, answer } of list) app.on(method, path, (c) => answer(parts, c));
  return app;
}

/** Leads from `/path/` to `/path`, for every page of the list. */
export function redirectSlashes(list: readonly ListedPage<never>[]): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  for (const { kind, path } of list) {
    if ((kind !== 'page' && kind !== 'redirect') || path === '/') continue;
    app.get(`${path}/`, (c) => c.redirect(pathOf(c).replace(/\/(?=\?|$)/, ''), 308));
  }
  return app;
}
