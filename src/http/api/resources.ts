// What can be read, and how. Each read is told by its principal whose data it may show.

import type { Community } from '../../community/community.ts';
import { type PublishedPosts, publishedPostsOf } from '../../community/post.ts';
import { isMember } from '../../identity/membership.ts';
import type { User } from '../../identity/user.ts';
import { type Awaitable, andThen } from '../../lib/awaitable.ts';
import { oncePerRecord, remembering } from '../../lib/remember.ts';
import type { Principal } from '../../oauth/bearer-token.ts';
import { formatScope, parseScope, SCOPES } from '../../oauth/scope.ts';
import type { BareRequest } from '../answer.ts';
import type { Site } from '../pages/visitor.ts';
import { postPage, profile, serviceInfo } from '../representations.ts';
import { type Rendered, rendered } from './answer.ts';
import { readPageQuery } from './page-query.ts';
import type { PostPage, Profile, ServiceInfo } from './schemas.ts';

/** What the resources are read from. */
export interface ResourceParts {
  site: Site;
  community: Community;
}

/**
 * Reads a resource for a caller who is known, within the limit and allowed to. Parameters are judged here,
 * last.
 */
export type Read = (principal: Principal, request: BareRequest) => Awaitable<Rendered>;

const SCOPE_SETS = 2 ** SCOPES.length;

/** The resources by their path below the base of the API. */
export function resources(parts: ResourceParts): Record<'/' | '/me' | '/me/posts', Read> {
  const { site, community } = parts;
  const { name, baseUrl } = site;
  const services = remembering(
    (scope: string) => rendered(serviceInfo(name, parseScope(scope) ?? [], baseUrl) satisfies ServiceInfo),
    SCOPE_SETS,
  );
  // Membership is the one thing in a profile that changes by itself, as time passes.
  const profilesOfMembers = oncePerRecord<User, Rendered>();
  const profilesOfOthers = oncePerRecord<User, Rendered>();
  const postPages = oncePerRecord<PublishedPosts, Rendered>();
  return {
    '/': ({ scopes }) => services(formatScope(scopes)),
    '/me': ({ user, judgedAt }) => {
      const profiles = isMember(user, judgedAt) ? profilesOfMembers : profilesOfOthers;
      return profiles(user, () => rendered(profile(user, baseUrl, judgedAt) satisfies Profile));
    },
    '/me/posts': ({ user }, request) => {
      const { page, size } = readPageQuery(request);
      return andThen(publishedPostsOf(community, user.id, page, size), (posts) =>
        postPages(posts, () => rendered(postPage(posts, page, size, baseUrl) satisfies PostPage)),
      );
    },
  };
}
