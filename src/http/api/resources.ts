// What can be read, and how. Each read is told by its principal whose data it may show.

import type { Context } from 'hono';
import type { Community } from '../../community/community.ts';
import { publishedPostsOf } from '../../community/post.ts';
import type { Identity } from '../../identity/identity.ts';
import type { Principal } from '../../oauth/bearer-token.ts';
import { postPage, profile, serviceInfo } from '../representations.ts';
import type { Site } from '../visitor.ts';
import { type PageQuery, readPageQuery } from './page-query.ts';
import type { PostPage, Profile, ServiceInfo } from './schemas.ts';

/** What the resources are read from. */
export interface ResourceParts {
  site: Site;
  identity: Identity;
  community: Community;
}

/** Reads a resource for a caller who is known, within the limit and allowed to. Parameters are judged here, last. */
export type Read = (principal: Principal, c: Context) => Promise<object>;

/** The resources by their path below the base of the API. */
export function resources(parts: ResourceParts): Record<'/' | '/me' | '/me/posts', Read> {
  const { name, baseUrl } = parts.site;
  return {
    '/': async (principal): Promise<ServiceInfo> => serviceInfo(name, principal.scopes, baseUrl),
    '/me': (principal) => readProfile(parts, principal),
    '/me/posts': (principal, c) => readPosts(parts, principal, readPageQuery(c)),
  };
}

async function readProfile({ identity, site }: ResourceParts, principal: Principal): Promise<Profile> {
  const user = await identity.store.findUser(principal.userId);
  // No account is ever deleted, so a token always has one.
  if (user === undefined) throw new Error(`There is no account ${principal.userId}.`);
  return profile(user, site.baseUrl, identity.clock());
}

async function readPosts(
  { community, site }: ResourceParts,
  principal: Principal,
  { page, size }: PageQuery,
): Promise<PostPage> {
  const found = await publishedPostsOf(community, principal.userId, page, size);
  return postPage(found, page, size, site.baseUrl);
}
