// The only place where records become fields of the resource API (spec §2.2 to §2.5). It sends no others.

import { levelOf } from '../community/level.ts';
import type { PostSummary } from '../community/post.ts';
import { isMember } from '../identity/membership.ts';
import type { User } from '../identity/user.ts';
import { localTimestamp, type Timestamp } from '../lib/clock.ts';
import type { ScopeSet } from '../oauth/scope.ts';
import { avatarPath } from './pages/avatar-path.ts';
import { API_ENDPOINTS, PATHS } from './routes.ts';

/** The profile (spec §2.2). */
export function profile(user: User, baseUrl: string, now: Timestamp) {
  return {
    id: user.id,
    username: user.username,
    avatarUrl: baseUrl + avatarPath(user.id, user.avatar),
    bio: user.bio,
    member: isMember(user, now),
    level: levelOf(user.xp),
    xp: user.xp,
    profileUrl: `${baseUrl}/u/${encodeURIComponent(user.username)}`,
    createdAt: localTimestamp(user.createdAt),
  };
}

/** The names of the profile's fields. A test compares them with a profile. */
export const PROFILE_FIELDS = [
  'id',
  'username',
  'avatarUrl',
  'bio',
  'member',
  'level',
  'xp',
  'profileUrl',
  'createdAt',
] as const satisfies readonly (keyof ReturnType<typeof profile>)[];

/** The names of the claims that userinfo has with `profile:read`. */
export const USERINFO_CLAIMS = ['sub', 'preferred_username', 'picture', 'profile'] as const;

/** A post in a list (spec §2.3). `createdAt` is the moment of its publication. */
export function postItem(post: PostSummary, baseUrl: string) {
  return {
    id: post.id,
    title: post.title,
    excerpt: post.excerpt,
    url: `${baseUrl}/posts/${post.id}`,
    categoryName: post.categoryName,
    createdAt: localTimestamp(post.publishedAt ?? post.createdAt),
    likeCount: post.likeCount,
    commentCount: post.commentCount,
    viewCount: post.viewCount,
  };
}

/** The names of a post's fields. A test compares them with a post. */
export const POST_FIELDS = [
  'id',
  'title',
  'excerpt',
  'url',
  'categoryName',
  'createdAt',
  'likeCount',
  'commentCount',
  'viewCount',
] as const satisfies readonly (keyof ReturnType<typeof postItem>)[];

/** A page of posts (spec §2.4). */
export function postPage(
  posts: { items: readonly PostSummary[]; total: number },
  page: number,
  size: number,
  baseUrl: string,
) {
  return {
    items: posts.items.map((post) => postItem(post, baseUrl)),
    page,
    size,
    totalElements: posts.total,
    totalPages: Math.ceil(posts.total / size),
  };
}

/** The service info (spec §2.5). */
export function serviceInfo(siteName: string, scopes: ScopeSet, baseUrl: string) {
  return {
    name: `${siteName} API`,
    version: 'v1',
    scopes,
    endpoints: API_ENDPOINTS.map(({ method, path, scope }) => ({ method, path: PATHS.api + path, scope })),
    docs: baseUrl + PATHS.docs,
  };
}
