// The resources of the API. The principal of a request decides whose data a resource shows.

import type { Community } from '../../community/community.ts';
import { type PublishedPosts, publishedPostsOf } from '../../community/post.ts';
import { isMember } from '../../identity/membership.ts';
import type { User } from '../../identity/user.ts';
import { type Awaitable, andThen } from '../../lib/awaitable.ts';
import { memoizeByRecord } from '../../lib/remember.ts';
import type { Principal } from '../../oauth/bearer-token.ts';
import { type Site, settingsOf } from '../../site/site.ts';
import type { BareRequest } from '../answer.ts';
import type { PostPage, Profile, ServiceInfo } from '../api-schemas.ts';
import { readPageQuery } from '../page-query.ts';
import { postPage, profile, serviceInfo } from '../representations.ts';
import { type Rendered, render } from './answer.ts';

/** The site, and the module that the resources read from. */
export interface ResourceParts {
  site: Site;
  community: Community;
}

/**
 * Reads a resource. The caller is authenticated, within the rate limit, and has the scope. Only the
 * parameters are still unchecked.
 */
export type Read = (principal: Principal, request: BareRequest) => Awaitable<Rendered>;

/** Return the resources by their path below the base of the API. */
export function resources(parts: ResourceParts): Record<'/' | '/me' | '/me/posts', Read> {
  const { site, community } = parts;
  const { baseUrl } = site;
  // A profile can change without a write in one way: its membership ends. Hence one cache for each state.
  const profilesOfMembers = memoizeByRecord<User, Rendered>();
  const profilesOfOthers = memoizeByRecord<User, Rendered>();
  const postPages = memoizeByRecord<PublishedPosts, Rendered>();
  return {
    '/': ({ scopes }) =>
      andThen(settingsOf(site), ({ name }) =>
        render(serviceInfo(name, scopes, baseUrl) satisfies ServiceInfo),
      ),
    '/me': ({ user, checkedAt }) => {
      const profiles = isMember(user, checkedAt) ? profilesOfMembers : profilesOfOthers;
      return profiles(user, () => render(profile(user, baseUrl, checkedAt) satisfies Profile));
    },
    '/me/posts': ({ user }, request) => {
      const { page, size } = readPageQuery(request);
      return andThen(publishedPostsOf(community, user.id, page, size), (posts) =>
        postPages(posts, () =>
          render(postPage(posts, page, size, baseUrl) satisfies PostPage, posts.items.length),
        ),
      );
    },
  };
}
