// Made by generate-answers.ts from the OpenAPI document. Don't edit.

export interface ServiceInfo {
  name: string;
  version: 'v1';
  /** The scopes held by the presented token. */
  scopes: string[];
  endpoints: Endpoint[];
  docs: string;
}

export interface Endpoint {
  method: string;
  path: string;
  /** The scope required. */
  scope: string;
}

export interface Problem {
  /** The address of a page that explains this problem. */
  type: string;
  title: string;
  status: number;
  /** The cause in this request, for the developer. */
  detail: string;
}

export interface Profile {
  /** The user identifier. It never changes. */
  id: number;
  /** Display name. */
  username: string;
  avatarUrl: string;
  /** One-line introduction; may be empty. */
  bio: string;
  /** Whether the user has a membership now. */
  member: boolean;
  /** User level. */
  level: number;
  /** Experience points. */
  xp: number;
  /** The user's public profile page. */
  profileUrl: string;
  /** Local time in UTC+8, without an offset. */
  createdAt: string;
}

export interface PostPage {
  /** Newest first. */
  items: PostItem[];
  /** Zero-based page index in effect. */
  page: number;
  /** Page size in effect. */
  size: number;
  /** Total number of the user's published posts. */
  totalElements: number;
  /** Total number of pages; 0 without posts. */
  totalPages: number;
}

export interface PostItem {
  id: number;
  title: string;
  /** The beginning of the post as plain text. */
  excerpt: string;
  /** The post page. */
  url: string;
  categoryName: string;
  /** Local time in UTC+8, without an offset. */
  createdAt: string;
  likeCount: number;
  commentCount: number;
  viewCount: number;
}
