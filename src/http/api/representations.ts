// The one place where what we keep becomes what the API shows (spec §2.2-2.5). A field that is not named here can't
// leave the house, and none is ever null.

import { levelOf } from '../../community/level.ts';
import type { PostSummary } from '../../community/post.ts';
import { isMember, type User } from '../../identity/user.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type { ScopeSet } from '../../oauth/scope.ts';
import { API_ENDPOINTS, PATHS } from '../routes.ts';
import { localTime } from './local-time.ts';
import type { PageQuery } from './page-query.ts';
import type { PostItem, PostPage, Profile, ServiceInfo } from './schemas.ts';

export function profileOf(user: User, baseUrl: string, now: Timestamp): Profile {
  return {
    id: user.id,
    username: user.username,
    avatarUrl: `${baseUrl}/avatars/${user.id}.svg`,
    bio: user.bio,
    member: isMember(user, now),
    level: levelOf(user.xp),
    xp: user.xp,
    profileUrl: `${baseUrl}/u/${encodeURIComponent(user.username)}`,
    createdAt: localTime(user.createdAt),
  };
}

export function postPageOf(
  { items, total }: { items: PostSummary[]; total: number },
  { page, size }: PageQuery,
  baseUrl: string,
): PostPage {
  return {
    items: items.map((post) => postItemOf(post, baseUrl)),
    page,
    size,
    totalElements: total,
    totalPages: Math.ceil(total / size),
  };
}

export function serviceInfoOf(scopes: ScopeSet, siteName: string, baseUrl: string): ServiceInfo {
  return {
    name: `${siteName} API`,
    version: 'v1',
    scopes: [...scopes],
    endpoints: ENDPOINTS,
    docs: `${baseUrl}${PATHS.docs}`,
  };
}

const ENDPOINTS = API_ENDPOINTS.map(({ method, path, scope }) => ({
  method,
  path: `${PATHS.api}${path}`,
  scope,
}));

function postItemOf(post: PostSummary, baseUrl: string): PostItem {
  return {
    id: post.id,
    title: post.title,
    excerpt: post.excerpt,
    url: `${baseUrl}/posts/${post.id}`,
    categoryName: post.categoryName,
    // To a reader a post begins when it is published, not when its draft was opened.
    createdAt: localTime(post.publishedAt ?? post.createdAt),
    likeCount: post.likeCount,
    commentCount: post.commentCount,
    viewCount: post.viewCount,
  };
}
