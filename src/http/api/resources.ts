// What can be read, and how. Each read is told by its principal whose data it may show.

import type { Context } from 'hono';
import type { Community } from '../../community/community.ts';
import { type PublishedPosts, publishedPostsOf } from '../../community/post.ts';
import { isMember, type User } from '../../identity/user.ts';
import { type Awaitable, andThen } from '../../lib/awaitable.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Principal } from '../../oauth/bearer-token.ts';
import type { ScopeSet } from '../../oauth/scope.ts';
import { postPage, profile, serviceInfo } from '../representations.ts';
import type { Site } from '../visitor.ts';
import { type Rendered, renderedOnce } from './answer.ts';
import { readPageQuery } from './page-query.ts';
import type { PostPage, Profile, ServiceInfo } from './schemas.ts';

/** What the resources are read from. */
export interface ResourceParts {
  site: Site;
  clock: Clock;
  community: Community;
}

/** Reads a resource for a caller who is known, within the limit and allowed to. Parameters are judged here, last. */
export type Read = (principal: Principal, c: Context) => Awaitable<Rendered>;

/** The resources by their path below the base of the API. */
export function resources(parts: ResourceParts): Record<'/' | '/me' | '/me/posts', Read> {
  const { site, community, clock } = parts;
  const { name, baseUrl } = site;
  const services = renderedOnce<ScopeSet>();
  const profiles = renderedOnce<User>();
  const postPages = renderedOnce<PublishedPosts>();
  return {
    '/': ({ scopes }) => services(scopes, undefined, (): ServiceInfo => serviceInfo(name, scopes, baseUrl)),
    '/me': ({ user }) => {
      const now = clock();
      return profiles(user, isMember(user, now), (): Profile => profile(user, baseUrl, now));
    },
    '/me/posts': ({ user }, c) => {
      const { page, size } = readPageQuery(c);
      return andThen(publishedPostsOf(community, user.id, page, size), (found) =>
        postPages(found, undefined, (): PostPage => postPage(found, page, size, baseUrl)),
      );
    },
  };
}
