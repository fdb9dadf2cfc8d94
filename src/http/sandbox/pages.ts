// The pages of the sandbox, and which pages of a community it offers.

import { Hono } from 'hono';
import { usernameKey } from '../../identity/username.ts';
import { Form } from '../../oauth/form.ts';
import { readLogoutRequest } from '../../oauth/logout-request.ts';
import { notFoundPage } from '../pages/failures.ts';
import { everyone, visitorForm } from '../pages/guards.ts';
import { RESERVED_SLUGS } from '../pages/post-path.ts';
import { get, type ListedPage, post, redirect, redirectSlashes, servePages } from '../pages/serve-pages.ts';
import type { PageContext, PageEnv } from '../pages/visitor.ts';
import { bodyPairs, LONGEST_REQUEST, queryPairs } from '../request-form.ts';
import { PATHS } from '../routes.ts';
import { changeFault } from './fault-acts.ts';
import { notOfferedPage } from './not-offered.ts';
import { eraseSet, signInAs, startSet } from './set-acts.ts';
import { ownSet, ownSetForm, type SandboxParts } from './set-guards.ts';
import { setPage } from './set-page.ts';
import { startPage } from './start-page.ts';

/** All of them. Their forms take `visitorForm`, since a fault can sign the visitor out. */
export const SANDBOX_PAGES: readonly ListedPage<SandboxParts>[] = [
  get('/', everyone, startPage),
  post('/sandbox/start', visitorForm, startSet),
  redirect('/sandbox/start', () => '/'),
  get('/sandbox', ownSet, setPage),
  post('/sandbox/sign-in', ownSetForm, signInAs),
  post('/sandbox/faults', ownSetForm, changeFault),
  post('/sandbox/erase', ownSetForm, eraseSet),
  ...['sign-in', 'faults', 'erase'].map((act) => redirect<SandboxParts>(`/sandbox/${act}`, () => '/sandbox')),
];

// A set shows only itself, so there are no lists of members and posts. Nobody writes, and nothing is uploaded: a
// sandbox is no place to publish.
const OFFERED = [
  'login',
  'logout',
  'renamed',
  'language',
  'oauth',
  'developers',
  'docs',
  'help',
  'settings',
  'notifications',
  'avatars',
  'credentials',
  '.well-known',
];
// A set is erased as a whole, so no member of it closes an account.
const NOT_OFFERED =
  /^\/(?:settings\/(?:profile\/picture|account\/close)|developers\/apps\/[^/]+\/logo)(?:\/|$)/;

// Their pages name the application, in whose set the visitor must be.
const ASKED_BY_APPLICATIONS: readonly string[] = [PATHS.authorize, PATHS.logout];

/** Serve them, and let only those pages of a community pass that a sandbox offers. */
export function sandboxPages(parts: SandboxParts): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  app.route('/', servePages(SANDBOX_PAGES, parts));
  app.route('/', redirectSlashes(SANDBOX_PAGES));
  app.get('/robots.txt', (c) => c.text('User-agent: *\nDisallow: /\n'));
  app.use(async (c, next) => {
    const { path } = c.req;
    // So that the address names the application.
    if (c.req.method === 'POST' && ASKED_BY_APPLICATIONS.includes(path))
      return c.redirect(`${path}?${new URLSearchParams(await bodyPairs(c, LONGEST_REQUEST))}`, 303);
    const isOffered = OFFERED.includes(path.split('/')[1] ?? '') && !NOT_OFFERED.test(path);
    const owner = await memberBehind(parts, c);
    if (owner === undefined) return isOffered ? next() : notOfferedPage(c);
    const { visit } = c.get('visitor');
    const set = parts.sets.ofMember(owner);
    // The page itself asks visitors to sign in.
    if (visit === undefined || set?.members.some(({ id }) => id === visit.user.id)) return next();
    return notFoundPage(c);
  });
  return app;
}

/** The member whose page, post or application is asked for. Undefined if the address is of none of them. */
async function memberBehind({ identity, community, oauth }: SandboxParts, c: PageContext) {
  const { path, method } = c.req;
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  const [, username] = /^\/u\/([^/]+)$/.exec(path) ?? [];
  if (username !== undefined) {
    return (await identity.reads.findUserByName(usernameKey(username)))?.id;
  }
  if (path === PATHS.logout) {
    const request = await readLogoutRequest(oauth, new Form(queryPairs(c))).catch(() => undefined);
    return request?.client?.ownerId;
  }
  const asking = path === PATHS.authorize ? c.req.query('client_id') : undefined;
  const clientId = asking ?? /^\/settings\/apps\/([^/]+)/.exec(path)?.[1];
  if (clientId !== undefined) return (await oauth.reads.findClient(clientId))?.ownerId;
  const [, postId, slug = ''] = /^\/posts\/(\d{1,15})(?:\/([^/]*))?$/.exec(path) ?? [];
  return postId === undefined || RESERVED_SLUGS.has(slug)
    ? undefined
    : (await community.reads.findPost(Number(postId)))?.userId;
}
