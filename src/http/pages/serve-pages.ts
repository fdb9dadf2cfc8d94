// Serving a list of pages, each with its method, path, guard and handler. The lists are in site/pages.ts and
// oauth/endpoints.ts.

import { Hono } from 'hono';
import { pathOf } from '../request-form.ts';
import { notFoundPage } from './failures.ts';
import type { PageContext, PageEnv } from './visitor.ts';

/**
 * Decides who may open a page. Returns the facts that the handler needs, such as the signed-in member, or the
 * response that the visitor gets instead of the page.
 */
export type Guard<Parts> = (
  parts: Parts,
  c: PageContext,
) => (unknown[] | Response) | Promise<unknown[] | Response>;

/** The facts that a guard passes to the handler. */
type Facts<G extends Guard<never>> = Extract<Awaited<ReturnType<G>>, unknown[]>;

/** Answers a request. `parts` are the modules that it needs; the facts of its guard follow. */
export type Handler<Parts, G extends Guard<never>> = (
  parts: Parts,
  c: PageContext,
  ...facts: Facts<G>
) => Response | Promise<Response>;

/** One line of the list. */
export interface ListedPage<Parts> {
  method: 'GET' | 'POST';
  path: string;
  /** People read a page, programs fetch a file, a form changes something, a redirect leads to a page. */
  kind: 'page' | 'file' | 'form' | 'redirect';
  /** The guard's name. */
  who: string;
  answer: (parts: Parts, c: PageContext) => Response | Promise<Response>;
}

/** List a page. */
export function get<Parts, G extends Guard<Parts>>(
  path: string,
  guard: G,
  handle: Handler<Parts, G>,
): ListedPage<Parts> {
  return { method: 'GET', path, kind: 'page', who: guard.name, answer: guarded(guard, handle) };
}

/** List an answer that is not a page, such as a picture or a feed. */
export function file<Parts, G extends Guard<Parts>>(
  path: string,
  guard: G,
  handle: Handler<Parts, G>,
): ListedPage<Parts> {
  return { ...get(path, guard, handle), kind: 'file' };
}

/** List an address that a form is posted to. */
export function post<Parts, G extends Guard<Parts>>(
  path: string,
  guard: G,
  handle: Handler<Parts, G>,
): ListedPage<Parts> {
  return { method: 'POST', path, kind: 'form', who: guard.name, answer: guarded(guard, handle) };
}

/** List an address that redirects to the path that `target` returns, or answers 404 if it returns none. */
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

/** Serve the list, in its order. */
export function servePages<Parts>(list: readonly ListedPage<Parts>[], parts: Parts): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  for (const { method, path, answer } of list) app.on(method, path, (c) => answer(parts, c));
  return app;
}

/** Redirect from `/path/` to `/path`, for every page of the list. */
export function redirectSlashes(list: readonly ListedPage<never>[]): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  for (const { kind, path } of list) {
    if ((kind !== 'page' && kind !== 'redirect') || path === '/') continue;
    app.get(`${path}/`, (c) => {
      c.header('Cache-Control', 'no-store');
      return c.redirect(pathOf(c).replace(/\/(?=\?|$)/, ''), 308);
    });
  }
  return app;
}
